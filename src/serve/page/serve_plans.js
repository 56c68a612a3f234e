// SPDX-License-Identifier: MIT
// Answers as plans: tabs, comparison, what is in the way, and what people make of them.
"use strict";

// How much a change asks for: a number's share of its column's range, 1 for a level, times how hard it is said to be.
function costOfChange(change) {
  const column = about.columns.find((c) => c.name === change.column);
  const hard = wanted.cost[column.name] ?? 1;
  const index = (value) => column.levels.indexOf(value);
  const isRange = isNumber(column) && change.from !== null && change.to !== null && column.high > column.low;
  const share = isRange ? Math.abs(change.to - change.from) / (column.high - column.low) : 1;
  const up = isNumber(column) ? change.to > change.from : column.levels && index(change.to) > index(change.from);
  return share * (typeof hard === "number" ? hard : (up ? hard.up : hard.down) ?? 1);
}

const costOf = (answer) => answer.changes.reduce((sum, change) => sum + costOfChange(change), 0);

const isSame = (a, b) => JSON.stringify(a.changes) === JSON.stringify(b.changes);

// The different plans, each with a title: the least, a surer one, the cheapest, further ones.
function plansOf(found) {
  const answers = found.counterfactuals.filter((answer) => answer.valid);
  const plans = answers.slice(0, 1).map((answer) => ["Least", answer]);
  const surer = found.surer?.counterfactual;
  if (found.surer?.status === "found" && surer) plans.push(["Surer", surer]);
  answers.slice(1).sort((a, b) => costOf(a) - costOf(b)).forEach((answer) => plans.push([null, answer]));
  if (cheapest?.valid && !plans.some(([, answer]) => isSame(answer, cheapest))) plans.push([null, cheapest]);
  const best = plans.reduce((least, plan) => (costOf(plan[1]) < costOf(least[1]) - 1e-12 ? plan : least), plans[0]);
  if (best) best[0] = best[0] === null ? "Cheapest" : `${best[0]}, cheapest`;
  plans.sort((a, b) => (b[0] !== null) - (a[0] !== null));
  let n = 0;
  return plans.map(([title, answer]) => [title ?? `Other ${++n}`, answer]);
}

function showAnswers(found, cheap) {
  result = found;
  cheapest = cheap;
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
  showAnswers(result, cheapest);
  if (focus) $(`tab-${i}`).focus();
}

// How far a number has to go, in words; null where that is the value itself or not known.
function isEnough(change) {
  if (change.enough_for_class === change.from && change.from !== undefined) return "only to be typical";
  if (change.enough_for_class !== undefined) return `${shown(change.enough_for_class)} is enough, but less typical`;
  return change.enough !== undefined && change.enough !== change.to ? `${shown(change.enough)} is enough` : null;
}

function changesTable(changes) {
  return make("table", {className: "changes"},
    make("thead", {}, make("tr", {}, ...["Column", "Now", "Then"].map((t) => make("th", {scope: "col", textContent: t})))),
    make("tbody", {}, ...changes.map((c) => make("tr", {}, make("th", {scope: "row", textContent: c.column}),
      make("td", {className: "from", textContent: shown(c.from)}),
      make("td", {}, make("span", {className: "to", textContent: shown(c.to)}),
        isEnough(c) ? make("small", {textContent: ` ${isEnough(c)}`}) : null)))));
}

// The steps of a path in order: what each of them changes.
function stepsOf(answer) {
  const path = answer.path ?? [];
  if (path.length < 3) return null;
  const steps = path.slice(1).map((to, k) => about.columns.map((c) => c.name).filter((name) => to[name] !== path[k][name])
    .map((name) => `${name} ${shown(to[name])}`).join(", "));
  return make("details", {className: "steps"}, make("summary", {textContent: "In this order"}),
    make("ol", {}, ...steps.map((textContent) => make("li", {textContent}))),
    answer.path_dense === false ? make("p", {className: "note", textContent: "Not every row on the way is as typical as rows are."}) : null);
}

function keep(answer, accepted) {
  stars.push({row: row.number, class: answer.class, changes: answer.changes, ...(accepted ? {accepted} : {})});
  showAllKept();
  keepState();
  $("saved").textContent = accepted ? "Accepted: it stands in the list, below the rows" : "Starred: it stands in the list, below the rows";
}

// The row stays what it is although these values change.
function correct(answer) {
  corrections.push({row: row.number, values: {...row.values}, class: result.query.class,
    changes: Object.fromEntries(answer.changes.map((c) => [c.column, c.to]))});
  showAllKept();
  keepState();
  $("saved").textContent = "Noted as a correction: it stands in the list, below the rows";
}

function showPlan(answer) {
  const doubtful = answer.changes.map((c) => c.column).filter((name) => about.columns.find((c) => c.name === name).doubtful);
  const action = (textContent, title, onclick, className = "") => make("button", {type: "button", textContent, title, onclick, className});
  return make("div", {},
    make("p", {className: "says"}, "The model would say ", badge(answer.class), " if"), changesTable(answer.changes), stepsOf(answer),
    make("div", {className: "meters"}, meter("Probability", answer.proba[answer.class], percent(answer.proba[answer.class])),
      typicality(answer.density_percentile)),
    make("p", {className: "note"}, `Effort ${costOf(answer).toFixed(2)}: each change as a share of its column's range, a level as 1, times how hard you say it is.`),
    doubtful.length > 0 ? make("p", {className: "note", textContent: `Can ${doubtful.join(" and ")} be changed? If not, lock it.`}) : null,
    make("div", {className: "bar"},
      action("Accept", "Keep this plan as the one that was agreed on", () => keep(answer, true), "main"),
      action("Star", "Keep this plan to come back to it", () => keep(answer, false)),
      action("Take these values", "Put them into the row", () => { row.values = {...row.values, ...answer.values}; showForm(); follow(); }),
      action("Not like this", "Exclude this kind of answer", () => { wanted.rules.push(exclusionOf(about.columns, answer.changes)); preferencesChanged(); }),
      action("This should not change the decision", "Keep it as a correction, which train --corrections learns from", () => correct(answer))));
}

// All plans beside each other: a line for each column that one of them changes.
function comparePlans(plans) {
  const names = about.columns.map((c) => c.name).filter((name) => plans.some(([, a]) => a.changes.some((c) => c.column === name)));
  const cell = (answer, name) => answer.changes.find((c) => c.column === name);
  const line = (title, now, texts) => make("tr", {}, make("th", {scope: "row", textContent: title}), make("td", {className: "from", textContent: now}),
    ...texts.map((text) => make("td", {}, text === null ? make("span", {className: "from", textContent: "as now"}) : text)));
  const to = (textContent) => make("span", {className: "to", textContent});
  return make("div", {className: "scroll", role: "region", ariaLabel: "Plans side by side", tabIndex: 0}, make("table", {},
    make("thead", {}, make("tr", {}, make("td"), make("th", {scope: "col", textContent: "Now"}),
      ...plans.map(([title]) => make("th", {scope: "col", textContent: title})))),
    make("tbody", {}, ...names.map((name) => line(name, shown(row.values[name]),
      plans.map(([, a]) => (cell(a, name) ? to(shown(cell(a, name).to)) : null)))),
    line("Probability", percent(result.query.proba[result.target]), plans.map(([, a]) => percent(a.proba[result.target]))),
    line("Typicality", shown(result.query.density_percentile?.toFixed(0)), plans.map(([, a]) => shown(a.density_percentile?.toFixed(0)))),
    line("Effort", "", plans.map(([, a]) => costOf(a).toFixed(2))))));
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

function save(name, document, use) {
  const link = make("a", {href: URL.createObjectURL(new Blob([JSON.stringify(document, null, 1)], {type: "application/json"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  $("saved").textContent = `Saved as ${name}, ${use}`;
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
  const document = {stars: structuredClone(stars), corrections: structuredClone(corrections), preferences: structuredClone(wanted)};
  keeping = keeping.then(() => post("/api/state", document, undefined, "PUT")).catch((error) => trouble(error.message));
}
