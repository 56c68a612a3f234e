// SPDX-License-Identifier: MIT
// What would keep somebody from reading or using a page, as a list of sentences: contrast (WCAG 2.1 AA), names of what is drawn or can be
// used, headings, landmarks, the keyboard, and text that is cut off, overlaps or leaves the page.
(() => {
  "use strict";
  const findings = [];
  const all = (selector, root) => Array.from((root || document).querySelectorAll(selector));
  const shown = (e) => e.getClientRects().length > 0 && e.checkVisibility({visibilityProperty: true});
  const words = (e) => e.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  const name = (e) => `<${e.tagName.toLowerCase()}${e.className && e.className.baseVal === undefined ? "." + e.className : ""}> "${words(e)}"`;
  const find = (what, e) => findings.push(e ? `${what}: ${name(e)}` : what);

  // ---- Contrast ----
  // Colours over colours: the ground of a text is what all elements around it paint, the innermost last.
  const parse = (text) => {
    const n = (text.match(/[\d.]+/g) || []).map(Number);
    return text.startsWith("rgb") && n.length >= 3 ? [n[0], n[1], n[2], n.length > 3 ? n[3] : 1] : [0, 0, 0, 0];
  };
  const over = (top, ground) => [0, 1, 2].map((k) => top[k] * top[3] + ground[k] * (1 - top[3])).concat(1);
  const groundOf = (e) => {
    const layers = [];
    for (; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    const dark = matchMedia("(prefers-color-scheme: dark)").matches;
    return layers.reverse().reduce((ground, layer) => over(layer, ground), dark ? [18, 18, 18, 1] : [255, 255, 255, 1]);
  };
  const luminance = (c) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, k) => {
    const s = c[k] / 255;
    return sum + weight * (s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4);
  }, 0);
  const contrast = (a, b) => {
    const [x, y] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (x + 0.05) / (y + 0.05);
  };
  const ownText = (e) => Array.from(e.childNodes).some((n) => n.nodeType === 3 && n.data.trim() !== "");
  all("body *").filter((e) => ownText(e) && shown(e) && !e.closest("script, style, [aria-hidden]")).forEach((e) => {
    const style = getComputedStyle(e), inPicture = e.closest("svg") !== null, ground = groundOf(inPicture ? e.closest("figure") || e.closest("svg") : e);
    const ink = over(parse(inPicture ? style.fill : style.color), ground);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const least = large ? 3 : 4.5, is = contrast(ink, ground);
    if (is < least) find(`contrast ${is.toFixed(2)}, ${least} is needed`, e);
    const matrix = inPicture ? e.getCTM() : {a: 1, b: 0};
    if (size * Math.hypot(matrix.a, matrix.b) < 9) find("letters smaller than 9 pixels", e);
  });

  // ---- Names ----
  all("img").forEach((e) => { if (!e.getAttribute("alt")) find("a picture without words", e); });
  all("svg").filter((e) => !e.closest("[aria-hidden]")).forEach((e) => {
    if (e.getAttribute("role") !== "img" || !(e.getAttribute("aria-label") || e.querySelector("title"))) find("a drawing without words", e);
  });
  all("input, select, textarea").forEach((e) => { if (!e.labels.length && !e.getAttribute("aria-label")) find("a field without a label", e); });
  all("button, a, summary").forEach((e) => { if (!words(e) && !e.getAttribute("aria-label")) find("something to click without words", e); });
  all("a[href^='#']").forEach((e) => { if (!document.getElementById(e.hash.slice(1))) find("a link to nowhere", e); });
  const ids = all("[id]").map((e) => e.id);
  ids.filter((id, i) => ids.indexOf(id) !== i).forEach((id) => find(`two elements are called ${id}`));
  if (!document.documentElement.lang) find("the page does not say its language");
  if (!document.title) find("the page has no title");

  // ---- Structure ----
  const levels = all("h1, h2, h3, h4, h5, h6").map((e) => [Number(e.tagName[1]), e]);
  if (levels.filter(([level]) => level === 1).length !== 1) find("not one heading of the first rank");
  levels.forEach(([level, e], i) => { if (i > 0 && level > levels[i - 1][0] + 1) find("a rank of headings is left out", e); });
  if (all("main").length !== 1) find("not one main part");
  all("nav").forEach((e) => { if (!e.getAttribute("aria-label")) find("a navigation without a name", e); });
  all("table").forEach((e) => {
    all("th", e).forEach((th) => { if (!["col", "row"].includes(th.getAttribute("scope"))) find("a head of a table that does not say of what", th); });
    if (!e.querySelector("th")) find("a table without heads", e);
  });

  // ---- The keyboard ----
  all("*").filter((e) => shown(e) && e.scrollWidth > e.clientWidth + 1 && ["auto", "scroll"].includes(getComputedStyle(e).overflowX)).forEach((e) => {
    if (e.tabIndex < 0) find("scrolls, but not with the keyboard", e);
    if (!e.getAttribute("aria-label")) find("scrolls and has no name", e);
  });
  all("[tabindex]").forEach((e) => { if (e.tabIndex > 0) find("an order of its own for the keyboard", e); });

  // ---- Layout ----
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) find(`the page is ${document.documentElement.scrollWidth} wide and its window ${width}`);
  all("body *").filter((e) => ownText(e) && shown(e) && !e.closest(".scroll, svg, script, style")).forEach((e) => {
    const box = e.getBoundingClientRect();
    if (box.right > width + 1 || box.left < -1) find("text outside the window", e);
    if (getComputedStyle(e).overflow === "hidden" && e.scrollWidth > e.clientWidth + 1) find("text that is cut off", e);
  });
  const overlap = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const apart = (elements) => elements.forEach((e, i) => elements.slice(i + 1).forEach((other) => {
    if (overlap(e.getBoundingClientRect(), other.getBoundingClientRect())) find(`covers "${words(other)}"`, e);
  }));
  apart(all("h2, .card, figure, .scroll, nav, .tools").filter((e) => shown(e) && !e.parentElement.closest(".card, figure, .scroll")));
  all("svg").filter(shown).forEach((svg) => {
    apart(all("text:not(.name)", svg));
    const box = svg.getBoundingClientRect();
    all("text", svg).forEach((e) => {
      const own = e.getBoundingClientRect();
      if (own.left < box.left - 1 || own.right > box.right + 1 || own.top < box.top - 1 || own.bottom > box.bottom + 1) find("text outside its drawing", e);
    });
  });
  return findings;
})()
