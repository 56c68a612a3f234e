#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers for models that are only known by asking them: check_callables.py [--rows N] [--only one-column,linear,xgboost]

    python/run_tests.sh build/release gcc -k nothing   # builds the package in build/release/python
    pip install numpy pandas scikit-learn xgboost-cpu cffi
    PYTHONPATH=build/release/python bench/check_callables.py

Tables of 20 to 150 columns are made with a fixed seed: numbers that depend on each other, whole numbers and categories; the label
depends on six of them.  Explained by guided, through the Python package, without telling it what the models are:

    by one column     a function that looks at a single column, on which nothing else depends; each kind of column once, with
                      probabilities of 0 and 1 and with smooth ones
    linear, xgboost   scikit-learn's logistic regression, and 100 trees of XGBoost behind a function

Each is explained twice: with answers as dense as a quarter of the real rows of the class are not (the default), and as the least
dense real row; a row that is itself less dense than asked needs more than one change.  Printed: the floor, rows asked about, share with an answer, share of the answers that the model itself decides for the target, share that is as
dense as asked, mean changes and what enumeration says that is possible at least, the most changes of a row, rows of the largest call
of the model and of the mean one, and rows explained in a second.

Enumeration looks at each row whose answer has two changes or more: every column, with all its values (of a number that a model of several columns
reads, 64 of them) inside the class's 1 to 99 %, is changed alone, the model decides, and the circuit tells the density.  Where none
passes, at least two changes are needed; whether two are enough is not tried.
"""
import argparse
import time

import numpy
import pandas
from otherwise import Explainer
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

LEVELS = ["red", "green", "blue", "white"]


def make_table(n_rows, n_columns, seed):
    """Every third column is a number, a whole number or a category; two numbers of three follow a common factor."""
    random = numpy.random.default_rng(seed)
    factor, columns = random.normal(size=(n_rows, 5)), {}
    for j in range(n_columns - 3):
        noise = random.normal(size=n_rows)
        number = noise if j % 9 == 0 else 0.7 * factor[:, j % 5] + 0.7 * noise
        if j % 3 == 0:
            columns[f"number{j}"] = numpy.round(50 + 10 * number, 2)
        elif j % 3 == 1:
            columns[f"count{j}"] = numpy.floor(numpy.exp(1.5 + 0.6 * number)).astype(int)
        else:
            columns[f"kind{j}"] = numpy.array(LEVELS)[numpy.digitize(number, [-0.8, 0.0, 0.8])]
    # On these nothing depends.
    columns["free_number"] = numpy.round(random.gamma(4.0, 10.0, size=n_rows), 1)
    columns["free_count"] = random.poisson(4.0, size=n_rows)
    columns["free_kind"] = random.choice(LEVELS, size=n_rows)
    table = pandas.DataFrame(columns)
    score = (table["number0"] - 50) / 10 + (table["count1"] - 5) / 4 + (table["kind2"] == "red") - (table["kind5"] == "white")
    score += (table["number3"] - 50) / 15 - (table["count4"] > 6)
    return table, (score + random.normal(size=n_rows) > 0.3).astype(int).to_numpy()


class Asked:
    """A model as a function that counts what it is asked."""

    def __init__(self, function):
        self.function, self.calls, self.rows, self.largest = function, 0, 0, 0

    def __call__(self, table):
        self.calls, self.rows, self.largest = self.calls + 1, self.rows + len(table), max(self.largest, len(table))
        return self.function(table)


class Singles:
    """Whether one change is enough, by trying all of them."""

    def __init__(self, explainer, table, function, column):
        self.model, self.function = explainer.model, function
        reached = table[function(table) >= 0.5]
        self.values = {c: self.candidates(table[c], reached[c], c == column) for c in table if column in (None, c)}
        self.target = [str(name) for name in self.model.classes].index("1")
        # Of the rows that the circuit itself gives the class, the densities and their percentiles among real rows.
        classes, log_class, percentile = self.model.predict_values(self.model.read(table), "classes", "log_class", "percentile")
        self.known = log_class[classes == self.target, self.target], percentile[classes == self.target]

    @staticmethod
    def candidates(values, reached, is_alone):
        seen = numpy.sort(values.unique())
        if values.dtype.kind in "if":
            low, high = reached.quantile([0.01, 0.99])
            seen = seen[(seen >= low) & (seen <= high)]
        return seen if is_alone or len(seen) <= 64 else seen[numpy.linspace(0, len(seen) - 1, 64).astype(int)]

    def passes(self, query, floor):
        parts = [query.loc[query.index.repeat(len(values))].assign(**{c: values}) for c, values in self.values.items()]
        rows = pandas.concat(parts, ignore_index=True).astype(query.dtypes.to_dict())
        rows = rows[self.function(rows) >= 0.5]
        if len(rows) == 0:
            return False
        densities, percentiles = self.known
        least = densities[percentiles < max(100 * floor, 1e-9)].max(initial=-numpy.inf)
        return bool((self.model.predict_values(self.model.read(rows), "log_class")[0][:, self.target] > least).any())


def explain(what, table, function, most, column=None):
    asked = Asked(function)
    explainer = Explainer(asked, table, threads=1)
    queries = table[function(table) < 0.5].tail(most)
    singles = Singles(explainer, table, function, column)
    for floor in (0.25, 0.0):
        report(f"{what:34} {floor:5.2f}", explainer, asked, queries, floor, singles)


def report(what, explainer, asked, queries, floor, singles):
    function = asked.function
    asked.calls = asked.rows = asked.largest = 0
    began = time.perf_counter()
    outcomes = explainer.explain(queries, target=1, min_density=floor)
    seconds = time.perf_counter() - began
    answers = [outcome.answers[0] for outcome in outcomes if outcome.status == "found"]
    given = [queries.iloc[i:i + 1] for i, outcome in enumerate(outcomes) if outcome.status == "found"]
    frame = outcomes.frame()[list(queries.columns)].astype(queries.dtypes.to_dict())
    changes = [len(answer.changes) for answer in answers]
    least = [min(n, 2) - (n > 1 and singles.passes(query, floor)) for n, query in zip(changes, given)]
    print(f"{what} {len(queries):5} {len(answers) / len(queries):6.2f} {(function(frame) >= 0.5).mean():6.2f} "
          f"{numpy.mean([a.dense for a in answers]):6.2f} {numpy.mean(changes):8.3f} {numpy.mean(least):6.3f} {max(changes):5} "
          f"{asked.largest:8} {asked.rows / asked.calls:6.0f} {len(queries) / seconds:7.1f}", flush=True)


def single(name, values, smooth):
    """Looks at one column alone: above the third quarter of its values, or one of its levels."""
    if values.dtype.kind in "if":
        limit, spread = values.quantile(0.75), values.std()
        if smooth:
            return lambda table: 1 / (1 + numpy.exp(-4 * (table[name].to_numpy() - limit) / spread))
        return lambda table: (table[name].to_numpy() > limit).astype(float)
    inside, outside = (0.9, 0.2) if smooth else (1.0, 0.0)
    return lambda table: numpy.where(table[name].astype(str).to_numpy() == "green", inside, outside)


def linear(table, label):
    numbers = [c for c in table if table[c].dtype.kind in "if"]
    model = make_pipeline(make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"),
                                                                               [c for c in table if c not in numbers])),
                          LogisticRegression(C=0.1, max_iter=1000))
    model.fit(table, label)
    return lambda rows: model.predict_proba(rows)[:, 1]


def trees(table, label):
    import xgboost
    kinds = {c: pandas.CategoricalDtype(LEVELS) for c in table if table[c].dtype.kind not in "if"}
    model = xgboost.XGBClassifier(n_estimators=100, max_depth=4, learning_rate=0.1, n_jobs=1, enable_categorical=True)
    model.fit(table.astype(kinds), label)
    return lambda rows: model.predict_proba(rows.astype(kinds))[:, 1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--columns", default="20,60,150")
    parser.add_argument("--only", default="one-column,linear,xgboost")
    options = parser.parse_args()
    print(f"{'model':34} {'floor':>5} {'rows':>5} {'found':>6} {'valid':>6} {'dense':>6} {'changes':>8} {'least':>6} {'most':>5} {'largest':>8} {'mean':>6} "
          f"{'rows/s':>7}")
    for n_columns in map(int, options.columns.split(",")):
        table, label = make_table(3000, n_columns, n_columns)
        for name in ("free_number", "free_count", "free_kind") if "one-column" in options.only else ():
            for smooth in (False, True):
                explain(f"{n_columns} columns: {'smooth' if smooth else 'hard'} {name}", table,
                        single(name, table[name], smooth), options.rows, name)
        for name, make in (("linear", linear), ("xgboost", trees)):
            if name in options.only:
                explain(f"{n_columns} columns: {name}", table, make(table, label), options.rows)


if __name__ == "__main__":
    main()
