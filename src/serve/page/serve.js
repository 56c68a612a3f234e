// SPDX-License-Identifier: MIT
// The page of `otherwise serve`: a list of rows, and one row with its answers.
"use strict";

const COSTS = [["very easy", 0.25], ["easy", 0.5], ["ordinary", 1], ["hard", 2], ["very hard", 4]];
const PER_PAGE = 25;
const PLANS = 4;

let about = null; // what /api/about says
let list = {from: 0, total: 0};
let row = null; // {number, title, original, values}
let wanted = emptyPreferences();
let stars = [];
let result = null; // the last answers
let plan = 0; // the tab that is open
let running = {}; // requests under way, by kind

function emptyPreferences() {
  return {target: null, answers: PLANS, immutable: [], range: {}, allow: {}, monotone: {}, cost: {}, rules: [],
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
    make("td", {textContent: r.class}),
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

function showStars() {
  $("starred").hidden = stars.length === 0;
  $("stars").replaceChildren(...stars.map((star, i) => make("li", {},
    rowLink(star.row), ` ${star.class}: ${changesInWords(star.changes)} `,
    make("button", {type: "button", textContent: "Remove", ariaLabel: `Remove the star of row ${star.row}`,
      onclick: () => { stars.splice(i, 1); showStars(); keepState(); }}))));
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
  for (const kind of ["predict", "explain"]) running[kind]?.abort();
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
  if (about.has_reasons) latest("reasons", (signal) => post("/api/reasons", question, signal)).then((said) => said && showReasons(said));
  $("answers").setAttribute("aria-busy", "true");
  latest("explain", (signal) => post("/api/explain", {...question, preferences: wanted}, signal))
    .then((document) => document && showAnswers(document.results[0]));
}

function showVerdict(said) {
  const edits = Object.keys(row.values).filter(isEdited).length;
  $("verdict").replaceChildren(
    make("p", {}, "The model says ", make("strong", {textContent: said.class}),
      edits > 0 ? ` with ${edits} ${edits === 1 ? "value" : "values"} edited.` : " of this row."),
    meter("Probability", said.proba[said.class], percent(said.proba[said.class])), typicality(said.density_percentile));
}

// What each column contributes: a bar to the left speaks against what the model says, one to the right for it.
function showReasons(said) {
  const largest = Math.max(...said.reasons.map((r) => Math.abs(r.value)), 1e-9);
  const chosen = said.reasons.filter((r) => Math.abs(r.value) > 0.05 * largest).sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, 8);
  const bar = (value) => svg("svg", {class: "reason", viewBox: "-100 0 200 10", preserveAspectRatio: "none", "aria-hidden": "true"},
    svg("rect", {x: Math.min(0, (100 * value) / largest), y: 0, width: (100 * Math.abs(value)) / largest, height: 10,
      class: value > 0 ? "for" : "against"}));
  $("why").hidden = false;
  $("why-note").textContent = `What each column adds to the log-odds of ${said.class}, beside the ${said.log_odds_of_any_row.toFixed(2)} ` +
    `of any row; together they are ${said.log_odds.toFixed(2)}. A reason is not advice: above is what would change the decision.`;
  $("reasons").tHead.replaceChildren(make("tr", {}, ...["Column", "Adds", `Against or for ${said.class}`].map((textContent) =>
    make("th", {scope: "col", textContent}))));
  $("reasons").tBodies[0].replaceChildren(...chosen.map((r) => make("tr", {},
    make("th", {scope: "row", textContent: Object.entries(r.values).map(([name, value]) => `${name} ${shown(value)}`).join(", ")}),
    make("td", {className: "number", textContent: (r.value > 0 ? "+" : "") + r.value.toFixed(2)}), make("td", {}, bar(r.value)))));
}

function setValue(column, value) {
  row.values[column.name] = value;
  const field = $("form").querySelector(`[data-column="${CSS.escape(column.name)}"]`);
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
}

// A column: its control, and what is possible.
function makeField(column, i) {
  const id = `value-${i}`, value = row.values[column.name];
  const control = isNumber(column) ? numberControl(column, id, value)
    : column.levels ? levelControl(column, id, value) : textControl(column, id, value);
  const undo = make("button", {type: "button", className: "undo", textContent: "Undo", hidden: !isEdited(column.name),
    ariaLabel: `Undo the edit of ${column.name}`,
    onclick: () => { row.values[column.name] = row.original[column.name]; refreshField(column); follow(); }});
  return make("div", {className: `field${isEdited(column.name) ? " edited" : ""}`, attr: {"data-column": column.name}},
    make("label", {htmlFor: id, textContent: column.name}), make("div", {className: "control"}, control, undo), makePossible(column, i));
}

function refreshField(column) {
  const i = about.columns.indexOf(column);
  const old = $("form").querySelector(`[data-column="${CSS.escape(column.name)}"]`);
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
    const summary = $("form").querySelector(`[data-column="${CSS.escape(column.name)}"] summary`);
    if (summary) summary.textContent = possibleInWords(column);
  }
  showExcluded();
  keepState();
  if (row) follow();
}

function possibleInWords(column) {
  const name = column.name, words = [];
  if (column.immutable) return "Possible: nothing, the schema locks it";
  if (wanted.immutable.includes(name)) return "Possible: nothing, locked by you";
  if (wanted.range[name]) words.push(`${wanted.range[name][0] ?? "any"} to ${wanted.range[name][1] ?? "any"}`);
  if (wanted.allow[name]) words.push(wanted.allow[name].join(" or "));
  if (wanted.monotone[name]) words.push(`only ${wanted.monotone[name]}`);
  if (wanted.cost[name]) words.push(COSTS.find((c) => c[1] === wanted.cost[name])?.[0] ?? `cost ${wanted.cost[name]}`);
  if (column.follows) words.push("follows other columns");
  return `Possible: ${words.join(", ") || "any change"}`;
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
  $("most").replaceChildren(new Option("any number of", ""), ...[1, 2, 3, 4, 5].map((n) => new Option(n, n)));
  $("proba").replaceChildren(new Option("that it decides", 0), ...[0.6, 0.7, 0.8, 0.9].map((p) => new Option(percent(p), p)));
  $("target").addEventListener("input", () => { wanted.target = $("target").value.slice(1) || null; preferencesChanged(); });
  $("most").addEventListener("input", () => { wanted.max_changes = Number($("most").value) || null; preferencesChanged(); });
  $("proba").addEventListener("input", () => { wanted.prob = [Number($("proba").value), 1]; preferencesChanged(); });
  $("wishes").addEventListener("submit", (event) => event.preventDefault());
  $("form").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", () => { row.values = {...row.original}; showForm(); follow(); });
  $("forget").addEventListener("click", () => setPreferences(emptyPreferences()));
  $("save").addEventListener("click", savePreferences);
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

// ---- Answers ----

// The different plans, each with a title.
function plansOf(found) {
  const answers = found.counterfactuals.filter((answer) => answer.valid);
  const plans = answers.slice(0, 1).map((answer) => ["Least", answer]);
  const surer = found.surer?.counterfactual;
  if (found.surer?.status === "found" && surer) plans.push(["Surer", surer]);
  answers.slice(1).forEach((answer, i) => plans.push([`Another ${i + 1}`, answer]));
  return plans;
}

function showAnswers(found) {
  result = found;
  $("answers").setAttribute("aria-busy", "false");
  const had = document.activeElement?.id;
  if (found.status === "already-target") {
    $("answers").replaceChildren(make("p", {textContent: `The model says ${found.query.class} already: nothing has to change.`}));
    return;
  }
  const plans = plansOf(found);
  if (found.status !== "found" || plans.length === 0) {
    $("answers").replaceChildren(inTheWay(found));
    return;
  }
  plan = Math.min(plan, plans.length);
  const titles = [...plans.map(([title]) => title), ...(plans.length > 1 ? ["Compare"] : [])];
  plan = Math.min(plan, titles.length - 1);
  const tabs = titles.map((title, i) => make("button", {type: "button", role: "tab", id: `tab-${i}`, textContent: title,
    ariaSelected: String(i === plan), tabIndex: i === plan ? 0 : -1, attr: {"aria-controls": "plan"}, onclick: () => openPlan(i)}));
  const tablist = make("div", {role: "tablist", ariaLabel: "Plans", className: "tabs"}, ...tabs);
  tablist.addEventListener("keydown", (event) => {
    const step = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (step) openPlan((plan + step + tabs.length) % tabs.length, true);
  });
  const panel = make("div", {role: "tabpanel", id: "plan", tabIndex: 0, attr: {"aria-labelledby": `tab-${plan}`}},
    plan < plans.length ? showPlan(plans[plan][1]) : comparePlans(plans));
  $("answers").replaceChildren(tablist, panel);
  if (had?.startsWith("tab-")) $(`tab-${plan}`).focus();
}

function openPlan(i, focus = false) {
  plan = i;
  showAnswers(result);
  if (focus) $(`tab-${i}`).focus();
}

function changesTable(changes) {
  return make("table", {className: "changes"},
    make("thead", {}, make("tr", {}, ...["Column", "Now", "Then"].map((t) => make("th", {scope: "col", textContent: t})))),
    make("tbody", {}, ...changes.map((c) => make("tr", {}, make("th", {scope: "row", textContent: c.column}),
      make("td", {textContent: shown(c.from)}),
      make("td", {textContent: c.enough !== undefined && c.enough !== c.to ? `${shown(c.to)} (${shown(c.enough)} is enough)` : shown(c.to)})))));
}

function showPlan(answer) {
  const doubtful = answer.changes.map((c) => c.column).filter((name) => about.columns.find((c) => c.name === name).doubtful);
  return make("div", {},
    make("p", {}, "The model would say ", make("strong", {textContent: answer.class}), " if:"), changesTable(answer.changes),
    meter("Probability", answer.proba[answer.class], percent(answer.proba[answer.class])), typicality(answer.density_percentile),
    doubtful.length > 0 ? make("p", {className: "note", textContent: `Can ${doubtful.join(" and ")} be changed? If not, lock it.`}) : null,
    make("div", {className: "bar"},
      make("button", {type: "button", textContent: "Take these values", onclick: () => {
        row.values = {...row.values, ...answer.values}; showForm(); follow(); }}),
      make("button", {type: "button", textContent: "Not like this", onclick: () => {
        wanted.rules.push(exclusionOf(about.columns, answer.changes)); preferencesChanged(); }}),
      make("button", {type: "button", textContent: "Star", onclick: () => {
        stars.push({row: row.number, class: answer.class, changes: answer.changes}); showStars(); keepState(); }})));
}

// All plans beside each other: a line for each column that one of them changes.
function comparePlans(plans) {
  const names = about.columns.map((c) => c.name).filter((name) => plans.some(([, a]) => a.changes.some((c) => c.column === name)));
  const cell = (answer, name) => answer.changes.find((c) => c.column === name);
  const line = (title, texts) => make("tr", {}, make("th", {scope: "row", textContent: title}),
    ...texts.map((textContent) => make("td", {textContent})));
  return make("div", {className: "scroll", role: "region", ariaLabel: "Plans side by side", tabIndex: 0}, make("table", {},
    make("thead", {}, make("tr", {}, make("td"), make("th", {scope: "col", textContent: "Now"}),
      ...plans.map(([title]) => make("th", {scope: "col", textContent: title})))),
    make("tbody", {}, ...names.map((name) => line(name, [shown(row.values[name]),
      ...plans.map(([, a]) => (cell(a, name) ? shown(cell(a, name).to) : "as now"))])),
    line("Probability", [percent(result.query.proba[result.target]), ...plans.map(([, a]) => percent(a.proba[result.target]))]))));
}

// Why there is no answer, and the button that lifts what is in the way.
function inTheWay(found) {
  const words = {"constraints-infeasible": "What is possible leaves no answer", "not-flipped": "No change was found that is enough",
    "density-unreachable": "No answer is as typical as real rows are", "time-limit": "There was no time to look"};
  const panel = make("div", {className: "none"}, make("p", {},
    `${words[found.reason] ?? "None was found"}${found.impossible ? ": this is proved" : ""}.`));
  if (!found.blocking) return panel;
  panel.append(make("p", {}, "In the way: ", make("strong", {textContent: found.blocking})));
  const lift = liftOf(found.blocking);
  panel.append(lift ? make("button", {type: "button", textContent: "Lift it", id: "lift", onclick: lift})
    : make("p", {className: "note", textContent: "The model's schema says so; it cannot be lifted here."}));
  return panel;
}

// What to do about "immutable age", "range amount=:500", "max-changes 1"; null: it is not the page's.
function liftOf(blocking) {
  const [kind, ...rest] = blocking.split(" "), text = rest.join(" ");
  const named = (names) => names.find((name) => text === name || text.startsWith(`${name}=`));
  const drop = (key) => {
    const name = named(Object.keys(wanted[key]).sort((a, b) => b.length - a.length));
    return name === undefined ? null : () => { delete wanted[key][name]; setPreferences(wanted); };
  };
  if (kind === "immutable" && wanted.immutable.includes(text))
    return () => { wanted.immutable = wanted.immutable.filter((name) => name !== text); setPreferences(wanted); };
  if (["range", "allow", "monotone"].includes(kind)) return drop(kind);
  if (kind === "rule" && wanted.rules.includes(text))
    return () => setPreferences({...wanted, rules: wanted.rules.filter((rule) => rule !== text)});
  if (kind === "max-changes") return () => setPreferences({...wanted, max_changes: null});
  if (kind === "prob") return () => setPreferences({...wanted, prob: [0, 1]});
  return null;
}

// ---- Saving ----

function savePreferences() {
  const link = make("a", {href: URL.createObjectURL(new Blob([JSON.stringify(wanted, null, 1)], {type: "application/json"})),
    download: "preferences.json"});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  $("saved").textContent = "Saved as preferences.json, for explain --preferences";
}

async function loadPreferences() {
  const file = $("load").files[0];
  if (!file) return;
  try {
    setPreferences(JSON.parse(await file.text()));
    $("saved").textContent = `${file.name} is loaded`;
  } catch (error) {
    trouble(`${file.name}: ${error.message}`);
  }
  $("load").value = "";
}

let keeping = Promise.resolve();
// Stars and preferences, where the server keeps them; one request after the other, so that the last one counts.
function keepState() {
  if (!about.keeps_state) return;
  const document = {stars: structuredClone(stars), preferences: structuredClone(wanted)};
  keeping = keeping.then(() => post("/api/state", document, undefined, "PUT")).catch((error) => trouble(error.message));
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
  showStars();
  if (state.preferences) setPreferences(state.preferences);
  window.addEventListener("popstate", go);
  $("back").addEventListener("click", stayHere);
  await loadList();
  go();
}

begin().catch((error) => trouble(error.message));
