// SPDX-License-Identifier: MIT
// The page of `otherwise serve`: a list of rows, and one row with its answers.
"use strict";

const COSTS = [["very easy", 0.25], ["easy", 0.5], ["ordinary", 1], ["hard", 2], ["very hard", 4]];
const PER_PAGE = 25;
const PLANS = 4;
const PATIENCE = 200; // milliseconds that the other plans wait for the cheapest

let about = null; // what /api/about says
let list = {from: 0, total: 0};
let row = null; // {number, title, original, values}
let wanted = emptyPreferences();
let stars = [];
let corrections = []; // changes that should not change the decision, for train --corrections
let result = null; // the last answers
let cheapest = null; // the last answer of the search for the cheapest; null or undefined: none
let turns = 0; // edits and wishes that were followed
let plan = 0; // the tab that is open
let running = {}; // requests under way, by kind

function emptyPreferences() {
  return {target: null, answers: PLANS, steps: true, immutable: [], range: {}, allow: {}, monotone: {}, cost: {}, rules: [],
    max_changes: null, prob: [0, 1]};
}

function trouble(sentence) {
  $("trouble").hidden = !sentence;
  $("trouble").textContent = sentence || "";
}

// A newer request of a kind takes the place of the older one, which the server then stops.
async function latest(kind, begin) {
  running[kind]?.abort();
  const own = running[kind] = new AbortController();
  try {
    const document = await begin(own.signal);
    if (running[kind] === own) trouble(null);
    return running[kind] === own ? document : null;
  } catch (error) {
    if (error.name === "AbortError") return null;
    trouble(error.message);
    $("answers").setAttribute("aria-busy", "false");
    return null;
  }
}

// ---- The list ----

async function loadList() {
  const query = new URLSearchParams({from: list.from, count: PER_PAGE, search: $("search").value.trim(),
    class: $("by-class").value, sort: $("sort").value, order: $("down").checked ? "down" : "up"});
  const document = await latest("list", (signal) => ask(`/api/rows?${query}`, {signal}));
  if (document === null) return;
  list = {from: document.from, total: document.total};
  showList(document.rows);
}

function showList(rows) {
  const last = Math.min(list.from + PER_PAGE, list.total);
  $("found").textContent = list.total === 0 ? "No row fits" : `Rows ${list.from + 1} to ${last} of ${list.total}`;
  $("before").disabled = list.from === 0;
  $("after").disabled = last >= list.total;
  $("rows").tBodies[0].replaceChildren(...rows.map((r) => make("tr", {},
    make("th", {scope: "row"}, rowLink(r.row)),
    about.id ? make("td", {textContent: shown(r.id)}) : null,
    make("td", {}, badge(r.class)),
    make("td", {className: "number", textContent: percent(r.proba)}),
    make("td", {className: "number", textContent: r.density_percentile === null ? "" : r.density_percentile.toFixed(0)}),
    ...about.columns.map((c) => make("td", {className: isNumber(c) ? "number" : "", textContent: shown(r.values[c.name])})))));
}

// Addresses of views are addresses: they can be kept, and opened in another tab.
const rowLink = (number) => make("a", {href: `/?row=${number}`, textContent: `Row ${number}`, onclick: stayHere});

function stayHere(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, "", event.currentTarget.href);
  go();
}

function prepareList() {
  const title = (textContent, className = "") => make("th", {scope: "col", textContent, className});
  $("rows").tHead.replaceChildren(make("tr", {}, title("Row"), about.id ? title(about.id) : null, title("Decision"),
    title("Probability", "number"), title("Typicality", "number"),
    ...about.columns.map((c) => title(c.name, isNumber(c) ? "number" : ""))));
  $("by-class").replaceChildren(new Option("all", ""), ...about.classes.map((name) => new Option(name, name)));
  $("sort").replaceChildren(new Option("row", "row"), new Option("decision", "class"), new Option("probability", "proba"),
    new Option("typicality", "density_percentile"), ...about.columns.map((c) => new Option(c.name, `column:${c.name}`)));
  const again = () => { list.from = 0; loadList(); };
  for (const id of ["search", "by-class", "sort", "down"]) $(id).addEventListener("input", again);
  $("filter").addEventListener("submit", (event) => event.preventDefault());
  $("before").addEventListener("click", () => { list.from = Math.max(0, list.from - PER_PAGE); loadList(); });
  $("after").addEventListener("click", () => { list.from += PER_PAGE; loadList(); });
}

// A list of answers that were kept, each with a button that removes it.
function showKept(section, list, entries, words) {
  $(section).hidden = entries.length === 0;
  $(list).replaceChildren(...entries.map((entry, i) => make("li", {}, rowLink(entry.row), ` ${words(entry)} `,
    make("button", {type: "button", className: "quiet", textContent: "Remove", ariaLabel: `Remove the entry of row ${entry.row}`,
      onclick: () => { entries.splice(i, 1); showAllKept(); keepState(); }}))));
}

function showAllKept() {
  showKept("starred", "stars", stars, (star) => `${star.accepted ? "accepted, " : ""}${star.class}: ${changesInWords(star.changes)}`);
  showKept("corrected", "corrections", corrections, (c) =>
    `stays ${c.class} although ${Object.entries(c.changes).map(([name, to]) => `${name} ${shown(c.values[name])} → ${shown(to)}`).join(", ")}`);
}

const changesInWords = (changes) =>
  changes.map((c) => `${c.column} ${shown(c.from)} → ${shown(c.to)}`).join(", ");

// ---- One row ----

async function openRow(number) {
  $("answers").replaceChildren();
  $("answers").setAttribute("aria-busy", "true");
  const document = await latest("row", (signal) => ask(`/api/rows/${number}`, {signal}));
  if (document === null) return;
  const title = document.id ? `Row ${number}: ${document.id}` : `Row ${number}`;
  row = {number, title, original: document.values, values: {...document.values}};
  $("row-title").textContent = title;
  window.document.title = `${title} - otherwise`;
  $("list").hidden = true;
  $("row").hidden = false;
  showForm();
  $("row-title").focus();
  follow();
}

function closeRow() {
  row = null;
  for (const kind of ["predict", "explain", "cheapest", "reasons"]) running[kind]?.abort();
  document.title = "otherwise";
  const was = !$("row").hidden;
  $("row").hidden = true;
  $("list").hidden = false;
  if (was) $("list-title").focus();
}

const isEdited = (name) => row.values[name] !== row.original[name];

// Everything that follows an edit or a preference.
function follow() {
  const values = Object.fromEntries(Object.entries(row.values).filter(([name]) => isEdited(name)));
  const question = {row: row.number, values};
  latest("predict", (signal) => post("/api/predict", question, signal)).then((said) => said && showVerdict(said));
  $("answers").setAttribute("aria-busy", "true");
  running.reasons?.abort();
  // The cheapest plan is a search of its own; of a probability that every answer has, no surer one is looked for.
  const cheap = {...wanted, prefer: "cheapest", answers: 1, prob: [wanted.prob[0] || 1e-9, wanted.prob[1]]};
  const cheapestCome = latest("cheapest", (signal) => post("/api/explain", {...question, preferences: cheap}, signal))
    .then((document) => document?.results[0].counterfactuals[0] ?? null);
  const turn = ++turns;
  latest("explain", (signal) => post("/api/explain", {...question, preferences: wanted}, signal))
    .then(async (document) => {
      if (document === null) return null;
      // Where a model is slow, the others are shown first.
      const answer = await Promise.race([cheapestCome, new Promise((done) => setTimeout(done, PATIENCE))]);
      if (turn !== turns) return null;
      showAnswers(document.results[0], answer);
      if (answer === undefined) cheapestCome.then((late) => late && turn === turns && showAnswers(result, late));
      // Reasons change nothing about the answers, and wait until these are there.
      return latest("reasons", (signal) => post("/api/reasons", question, signal)).then((said) => said && showReasons(said));
    });
}

function showVerdict(said) {
  const edits = Object.keys(row.values).filter(isEdited).length;
  const sure = said.proba[said.class];
  $("verdict").replaceChildren(
    make("p", {className: "says"}, "The model says ", badge(said.class),
      edits > 0 ? ` with ${edits} ${edits === 1 ? "value" : "values"} edited` : " of this row"),
    meter("Probability", sure, percent(sure)), typicality(said.density_percentile));
  $("reset").disabled = edits === 0;
}

// What each column contributes: a bar to the left speaks against what the model says, one to the right for it.
function showReasons(said) {
  const largest = Math.max(...said.reasons.map((r) => Math.abs(r.value)), 1e-9);
  const chosen = said.reasons.filter((r) => Math.abs(r.value) > 0.05 * largest).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 8);
  const bar = (value) => svg("svg", {class: "reason", viewBox: "-100 0 200 10", preserveAspectRatio: "none", "aria-hidden": "true"},
    svg("rect", {x: Math.min(0, (100 * value) / largest), y: 0, width: (100 * Math.abs(value)) / largest, height: 10,
      class: value > 0 ? "for" : "against"}));
  $("why").hidden = false;
  $("why-note").textContent = `What each column adds to the log-odds of ${said.class}: a row of which nothing is known has ` +
    `${said.log_odds_of_any_row.toFixed(2)}, this one ${said.log_odds.toFixed(2)}` +
    `${said.exact ? "" : `, to within ${Math.max(...said.reasons.map((r) => r.error)).toPrecision(1)}`}. Reasons are no advice: what would change the decision stands above.`;
  $("reasons").tHead.replaceChildren(make("tr", {}, ...["Column", "Adds", `Against or for ${said.class}`].map((textContent) =>
    make("th", {scope: "col", textContent}))));
  $("reasons").tBodies[0].replaceChildren(...chosen.map((r) => make("tr", {},
    make("th", {scope: "row", title: r.locked ? "locked" : "", textContent: Object.entries(r.values).map(([name, value]) => `${name} ${shown(value)}`).join(", ")}),
    make("td", {className: "number", textContent: (r.value > 0 ? "+" : "") + r.value.toFixed(2)}), make("td", {}, bar(r.value)))));
}

function setValue(column, value) {
  row.values[column.name] = value;
  const field = fieldOf(column);
  field.classList.toggle("edited", isEdited(column.name));
  field.querySelector(".undo").hidden = !isEdited(column.name);
  follow();
}

function showForm() {
  const open = [...$("form").querySelectorAll("details[open]")].map((d) => d.parentElement.dataset.column);
  $("form").replaceChildren(...about.columns.map((column, i) => {
    const field = makeField(column, i);
    field.querySelector("details").open = open.includes(column.name);
    return field;
  }));
  filterForm();
}

// Of many columns those whose name is searched for, or that can change.
function filterForm() {
  const text = $("find-column").value.trim().toLowerCase(), open = $("only-open").checked;
  for (const column of about.columns) {
    const isLocked = column.immutable || wanted.immutable.includes(column.name);
    fieldOf(column).hidden = !column.name.toLowerCase().includes(text) || (open && isLocked);
  }
}

const fieldOf = (column) => $("form").querySelector(`[data-column="${CSS.escape(column.name)}"]`);

// A column: its control, and what is possible.
function makeField(column, i) {
  const id = `value-${i}`, value = row.values[column.name];
  const control = isNumber(column) ? numberControl(column, id, value)
    : column.levels ? levelControl(column, id, value) : textControl(column, id, value);
  const undo = make("button", {type: "button", className: "undo", textContent: "Undo", hidden: !isEdited(column.name),
    ariaLabel: `Undo the edit of ${column.name}`,
    onclick: () => { row.values[column.name] = row.original[column.name]; refreshField(column); follow(); }});
  return make("div", {className: `field${isEdited(column.name) ? " edited" : ""}${column.immutable || wanted.immutable.includes(column.name) ? " locked" : ""}`, attr: {"data-column": column.name}},
    make("label", {htmlFor: id, textContent: column.name}), make("div", {className: "control"}, control, undo), makePossible(column, i));
}

function refreshField(column) {
  const i = about.columns.indexOf(column);
  const old = fieldOf(column);
  const field = makeField(column, i);
  field.querySelector("details").open = old.querySelector("details").open;
  old.replaceWith(field);
}

function numberControl(column, id, value) {
  const number = make("input", {type: "number", id, step: "any", value: value ?? "", placeholder: "missing"});
  const slider = make("input", {type: "range", min: column.low, max: column.high, step: stepOf(column),
    value: value ?? (column.low + column.high) / 2, ariaLabel: `${column.name}, slider`});
  slider.classList.toggle("unset", value === null);
  slider.addEventListener("input", () => {
    number.value = slider.value;
    slider.classList.remove("unset");
    setValue(column, Number(slider.value));
  });
  number.addEventListener("input", () => {
    const next = number.value === "" ? null : Number(number.value);
    slider.classList.toggle("unset", next === null);
    if (next !== null) slider.value = next;
    setValue(column, next);
  });
  return make("div", {className: "slider"}, make("div", {className: "track"}, densityPicture(column), slider), number);
}

function levelControl(column, id, value) {
  const select = make("select", {id}, new Option("missing", "", false, value === null),
    ...column.levels.map((level, k) => new Option(`${level} (${column.counts[k]})`, `=${level}`, false, level === value)));
  select.addEventListener("input", () => setValue(column, select.value === "" ? null : select.value.slice(1)));
  return select;
}

function textControl(column, id, value) {
  const input = make("input", {type: "text", id, value: value ?? "", placeholder: "missing"});
  input.addEventListener("change", () => setValue(column, input.value === "" ? null : input.value));
  return input;
}

// ---- What is possible ----

function setPreference(kind, name, value) {
  if (value === null || value === undefined) delete wanted[kind][name];
  else wanted[kind][name] = value;
  preferencesChanged();
}

function preferencesChanged() {
  for (const column of about.columns) {
    const field = fieldOf(column);
    if (!field) continue;
    field.querySelector("summary").textContent = possibleInWords(column);
    field.classList.toggle("locked", column.immutable || wanted.immutable.includes(column.name));
  }
  showExcluded();
  keepState();
  if (row) follow();
}

function possibleInWords(column) {
  const name = column.name, words = [];
  if (column.immutable) return "Locked: nobody can change it";
  if (wanted.immutable.includes(name)) return "Locked by you";
  if (wanted.range[name]) words.push(`${wanted.range[name][0] ?? "any"} to ${wanted.range[name][1] ?? "any"}`);
  if (wanted.allow[name]) words.push(wanted.allow[name].join(" or "));
  if (wanted.monotone[name]) words.push(`only ${wanted.monotone[name]}`);
  if (wanted.cost[name]) words.push(COSTS.find((c) => c[1] === wanted.cost[name])?.[0] ?? `cost ${wanted.cost[name]}`);
  if (column.follows) words.push("follows other columns");
  return words.length > 0 ? `Possible: ${words.join(", ")}` : "Any change is possible";
}

function makePossible(column, i) {
  const name = column.name, prefix = `possible-${i}`;
  const body = make("div", {className: "possible"});
  const details = make("details", {}, make("summary", {textContent: possibleInWords(column)}), body);
  if (column.immutable) {
    body.append(make("p", {className: "note", textContent: "The model's schema says that nobody can change this column; train with --unlock to allow it."}));
    return details;
  }
  body.append(make("label", {className: "check"}, make("input", {type: "checkbox", checked: wanted.immutable.includes(name),
    onchange: (event) => {
      wanted.immutable = wanted.immutable.filter((other) => other !== name);
      if (event.target.checked) wanted.immutable.push(name);
      preferencesChanged();
    }}), ` ${name} must stay as it is`));
  body.append(make("label", {}, "To change it is ", make("select", {ariaLabel: `How hard it is to change ${name}`,
    oninput: (event) => setPreference("cost", name, Number(event.target.value) === 1 ? null : Number(event.target.value))},
  ...COSTS.map(([words, cost]) => new Option(words, cost, false, cost === (wanted.cost[name] ?? 1))))));
  if (column.levels) body.append(allowedLevels(column));
  else if (isNumber(column)) body.append(allowedRange(column, prefix));
  if (column.type !== "categorical") body.append(make("label", {}, "Direction ", make("select", {ariaLabel: `Direction of ${name}`,
    oninput: (event) => setPreference("monotone", name, event.target.value || null)},
  ...[["any", ""], ["only up", "up"], ["only down", "down"]].map(([words, way]) =>
    new Option(words, way, false, way === (wanted.monotone[name] ?? ""))))));
  return details;
}

function allowedRange(column, prefix) {
  const [low, high] = wanted.range[column.name] ?? [null, null];
  const ends = [low, high].map((end, k) => make("input", {type: "number", step: "any", value: end ?? "",
    placeholder: k === 0 ? column.low : column.high, id: `${prefix}-${k}`}));
  const read = (input) => (input.value === "" ? null : Number(input.value));
  for (const input of ends) input.addEventListener("input", () => {
    const range = ends.map(read);
    setPreference("range", column.name, range[0] === null && range[1] === null ? null : range);
  });
  return make("div", {}, make("label", {}, "from ", ends[0]), make("label", {}, " to ", ends[1]));
}

function allowedLevels(column) {
  const allowed = wanted.allow[column.name];
  const boxes = column.levels.map((level) => make("input", {type: "checkbox", checked: !allowed || allowed.includes(level)}));
  for (const box of boxes) box.addEventListener("change", () => {
    const chosen = column.levels.filter((_, k) => boxes[k].checked);
    setPreference("allow", column.name, chosen.length === column.levels.length || chosen.length === 0 ? null : chosen);
  });
  return make("fieldset", {}, make("legend", {textContent: "May become"}),
    ...column.levels.map((level, k) => make("label", {className: "check"}, boxes[k], ` ${level}`)));
}

function prepareWishes() {
  $("target").replaceChildren(new Option("any other", ""), ...about.classes.map((name) => new Option(name, `=${name}`)));
  $("most").replaceChildren(new Option("any", ""), ...[1, 2, 3, 4, 5].map((n) => new Option(n, n)));
  $("proba").replaceChildren(new Option("any", 0), ...[0.6, 0.7, 0.8, 0.9].map((p) => new Option(percent(p), p)));
  $("target").addEventListener("input", () => { wanted.target = $("target").value.slice(1) || null; preferencesChanged(); });
  $("most").addEventListener("input", () => { wanted.max_changes = Number($("most").value) || null; preferencesChanged(); });
  $("proba").addEventListener("input", () => { wanted.prob = [Number($("proba").value), 1]; preferencesChanged(); });
  $("wishes").addEventListener("submit", (event) => event.preventDefault());
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", () => { row.values = {...row.original}; showForm(); follow(); });
  $("forget").addEventListener("click", () => setPreferences(emptyPreferences()));
  $("column-tools").hidden = about.columns.length <= 8;
  $("find-column").addEventListener("input", filterForm);
  $("only-open").addEventListener("input", filterForm);
  $("save").addEventListener("click", () => save("preferences.json", wanted, "for explain --preferences, serve and Python"));
  $("save-corrections").addEventListener("click", () =>
    save("corrections.json", {corrections}, "for train --corrections"));
  $("load").addEventListener("change", loadPreferences);
}

function setPreferences(preferences) {
  wanted = {...emptyPreferences(), ...preferences};
  $("target").value = wanted.target === null ? "" : `=${wanted.target}`;
  $("most").value = wanted.max_changes ?? "";
  $("proba").value = wanted.prob[0];
  if (row) showForm();
  preferencesChanged();
}

function showExcluded() {
  $("excluded").hidden = wanted.rules.length === 0;
  $("excluded").replaceChildren(...wanted.rules.map((rule, i) => make("li", {}, `Not like this: ${rule} `,
    make("button", {type: "button", textContent: "Allow again", ariaLabel: `Allow again: ${rule}`,
      onclick: () => { wanted.rules.splice(i, 1); preferencesChanged(); }}))));
}

// ---- Beginning ----

function go() {
  const number = Number(new URLSearchParams(location.search).get("row"));
  if (number > 0) openRow(number);
  else closeRow();
}

async function begin() {
  about = await ask("/api/about");
  $("about").textContent = `${about.table}: ${about.rows} rows; what would have to be different for another decision?`;
  prepareList();
  prepareWishes();
  const state = await ask("/api/state");
  stars = state.stars ?? [];
  corrections = state.corrections ?? [];
  showAllKept();
  if (state.preferences) setPreferences(state.preferences);
  window.addEventListener("popstate", go);
  $("back").addEventListener("click", stayHere);
  await loadList();
  go();
}

begin().catch((error) => trouble(error.message));
