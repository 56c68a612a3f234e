// SPDX-License-Identifier: MIT
// What the page is made of: elements, requests, pictures of columns, and the language of conditions.
"use strict";

const $ = (id) => document.getElementById(id);

// An element with properties, attributes (in `attr`) and children.  Texts are texts: nothing from a table becomes markup.
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  const {attr = {}, ...rest} = properties;
  Object.assign(element, rest);
  for (const [name, value] of Object.entries(attr)) element.setAttribute(name, value);
  element.append(...children.filter((child) => child !== null));
  return element;
}

function svg(tag, attributes, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;
const shown = (value) => (value === null || value === undefined ? "missing" : String(value));

// ---- Requests ----

// The reply as JSON; an Error with the server's sentence otherwise.  Waits and asks again while the server is busy.
async function ask(path, options = {}) {
  for (let tries = 0; ; tries++) {
    const reply = await fetch(path, {credentials: "same-origin", ...options});
    if (reply.status === 503 && tries < 5) {
      await new Promise((done) => setTimeout(done, 1000));
      continue;
    }
    const document = await reply.json();
    if (!reply.ok) throw new Error(document.error || `status ${reply.status}`);
    return document;
  }
}

const post = (path, document, signal, method = "POST") =>
  ask(path, {method, signal, body: JSON.stringify(document), headers: {"Content-Type": "application/json"}});

// ---- Columns ----

const isNumber = (column) => !column.levels && !(column.format && "ydm".includes(column.format[0]));

// The density of the table's rows over a column's range.
function densityPicture(column) {
  const most = Math.max(1, ...column.counts), n = column.counts.length;
  const points = column.counts.map((count, i) => `${i},${24 - (24 * count) / most} ${i + 1},${24 - (24 * count) / most}`);
  return svg("svg", {class: "density", viewBox: `0 0 ${n} 24`, preserveAspectRatio: "none", "aria-hidden": "true"},
    svg("polygon", {points: `0,24 ${points.join(" ")} ${n},24`}));
}

function stepOf(column) {
  if (column.decimals >= 0) return 10 ** -column.decimals;
  return (column.high - column.low) / 1000 || 1;
}

// ---- Meters ----

// A decision.  Its colour is that of its place among the classes, the same everywhere; the word says what it is.
function badge(name) {
  const k = about.classes.indexOf(name);
  return make("strong", {className: `badge badge-${about.classes.length === 2 ? k : "many"}`, textContent: name});
}

function meter(title, share, words) {
  return make("div", {className: "meter"},
    make("span", {className: "words"}, make("span", {textContent: title}), make("span", {textContent: words})),
    make("progress", {max: 1, value: Number.isFinite(share) ? share : 0, ariaLabel: `${title}: ${words}`}));
}

function typicality(percentile) {
  if (percentile === null) return meter("Typicality", NaN, "not known");
  const words = percentile < 1 ? "unlike any row seen" : `more typical than ${percentile.toFixed(0)} % of its class`;
  return meter("Typicality", percentile / 100, words);
}

// ---- Conditions (doc/expressions.md) ----

const quoted = (text) => `"${text.replaceAll('"', '""')}"`;

// A change as a term, and its negation.
function termOf(column, change) {
  const name = quoted(column.name);
  if (isNumber(column) && change.from !== null && change.to !== null) {
    const way = change.to > change.from ? "up" : "down";
    return [`${name} ${way}`, `${name} not ${way}`];
  }
  if (!column.levels || change.to === null) return [`${name} changed`, `${name} same`];
  return [`${name} = ${quoted(change.to)}`, `${name} != ${quoted(change.to)}`];
}

// The condition that excludes an answer and its kind: the same levels, numbers in the same direction.
function exclusionOf(columns, changes) {
  const terms = changes.map((change) => termOf(columns.find((c) => c.name === change.column), change));
  const last = terms.pop();
  return terms.length === 0 ? last[1] : `${terms.map((t) => t[0]).join(" and ")} => ${last[1]}`;
}
