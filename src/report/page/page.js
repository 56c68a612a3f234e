/* Filters the cards by text and by outcome.  Without scripts all of them are simply there. */
(function () {
  "use strict";
  document.querySelectorAll("[data-filter]").forEach(function (tools) {
    var cards = document.querySelectorAll("#" + tools.dataset.filter + " .card");
    var text = tools.querySelector("input"), kind = tools.querySelector("select");
    var count = tools.querySelector("output");
    tools.hidden = cards.length <= 6;
    function show() {
      var wanted = text.value.toLowerCase(), shown = 0;
      cards.forEach(function (card) {
        var fits = card.textContent.toLowerCase().indexOf(wanted) >= 0 &&
          (kind.value === "" || card.classList.contains(kind.value));
        card.hidden = !fits;
        shown += fits ? 1 : 0;
      });
      count.textContent = shown + " of " + cards.length + " shown";
    }
    text.addEventListener("input", show);
    kind.addEventListener("change", show);
    show();
  });
}());
