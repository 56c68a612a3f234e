/* Filters the cards by text and by outcome, and shows some of them at a time.  Without scripts, and on paper, all of them are simply there. */
(function () {
  "use strict";
  var perPage = 24;
  document.querySelectorAll("[data-filter]").forEach(function (tools) {
    var cards = Array.from(document.querySelectorAll("#" + tools.dataset.filter + " .card"));
    var texts = null;
    var text = tools.querySelector("input"), kind = tools.querySelector("select");
    var count = tools.querySelector("output"), pager = tools.querySelector(".pager");
    var buttons = pager.querySelectorAll("button"), from = 0, fitting = cards;
    tools.hidden = cards.length <= 6;
    function show() {
      var to = Math.min(from + perPage, fitting.length);
      fitting.forEach(function (card, i) { card.classList.toggle("away", i < from || i >= to); });
      pager.hidden = fitting.length <= perPage;
      buttons[0].disabled = from === 0;
      buttons[1].disabled = to >= fitting.length;
      count.textContent = fitting.length <= perPage ? fitting.length + " of " + cards.length + " shown"
        : (from + 1) + " to " + to + " of " + fitting.length +
          (fitting.length < cards.length ? " that fit, of " + cards.length : "");
    }
    function filter() {
      var wanted = text.value.toLowerCase();
      if (wanted !== "" && texts === null) texts = cards.map(function (card) { return card.textContent.toLowerCase(); });
      fitting = cards.filter(function (card, i) {
        var fits = (wanted === "" || texts[i].indexOf(wanted) >= 0) &&
          (kind.value === "" || card.classList.contains(kind.value));
        card.hidden = !fits;
        return fits;
      });
      from = 0;
      show();
    }
    buttons[0].addEventListener("click", function () { from = Math.max(0, from - perPage); show(); });
    buttons[1].addEventListener("click", function () { from += perPage; show(); });
    text.addEventListener("input", filter);
    kind.addEventListener("change", filter);
    filter();
  });
  /* What was asked belongs to a printed page. */
  window.addEventListener("beforeprint", function () {
    document.querySelectorAll(".overview details").forEach(function (d) { d.open = true; });
  });
}());
