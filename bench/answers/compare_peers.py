#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Explainer beside dice-ml and NICE, on models of four packages with the same queries.

    python bench/answers/compare_peers.py [TABLE] [--rows N] [--data DIR] [--models pipeline,xgboost,lightgbm,torch]

Runs in an environment with the Python package and dice-ml 0.12, nicex 0.2.3, xgboost, lightgbm, torch and scikit-learn.  TABLE is credit (the
default), adult, or a table of write_tables.py.  It is divided 70/30; each model is trained on the larger part, and up to N rows of the
smaller part that it does not give the target are explained.  The columns that the package locks (age, sex, ...) are locked: dice-ml is told to leave
them alone (features_to_vary), NICE has no such option.  A line for each tool:

    ms        processor time for a row, without what is made once for a model;  once: that, in seconds
    found     share of the queries with an answer that the model itself calls the target, all the rest is of these answers
    changes   columns changed, in the mean;  Gower: mean distance, numbers by the range of the training rows
    locked    share that change a locked column;  beyond: share with a changed number outside the class's 1 to 99 %
    LOF       share that are outliers to scikit-learn's LOF on training rows of the class;  near: mean Gower distance to the nearest of them
    rules     share that break a rule of the table that the query keeps (judges.py)
    forest    share that a random forest, trained on the labels, calls the target

The judges know nothing of circuits.  Answers are what each tool gives by its own defaults, one for each query."""
import argparse
import os
import time
import warnings

import numpy
import pandas
from judges import Judges
from peers import Dice, Nice
from tables import read_table

from otherwise import Explainer


class Decider:
    """A model over the table as it is: texts and numbers."""

    def __init__(self, train, columns, label, target):
        self.columns, self.target = columns, target
        self.words = [c for c in columns if not pandas.api.types.is_numeric_dtype(train[c])]
        self.numbers = [c for c in columns if c not in self.words]
        self.levels = {c: sorted(train[c].unique()) for c in self.words}
        self.classes_ = numpy.array([0, 1])
        self.fit(self.rows(train), (train[label] == target).to_numpy().astype(int))

    def rows(self, frame):
        """The columns that the model has, with their dtypes: some tools return everything as texts."""
        frame = pandas.DataFrame(frame)[self.columns]
        return frame.assign(**{c: pandas.to_numeric(frame[c]) for c in self.numbers},
                            **{c: frame[c].astype(str) for c in self.words})

    def predict_proba(self, frame):
        return self.proba(self.rows(frame))

    def predict(self, frame):
        return self.predict_proba(frame).argmax(axis=1)

    def explainer(self, train):
        return Explainer(self.model, self.given(train), classes=self.classes_)

    def given(self, frame):
        """The table as this model itself takes it."""
        return self.rows(frame)


class Pipeline(Decider):
    def fit(self, X, y):
        from sklearn.compose import make_column_transformer
        from sklearn.ensemble import HistGradientBoostingClassifier
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder
        one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
        self.model = make_pipeline(make_column_transformer((one_hot, self.words), remainder="passthrough"),
                                   HistGradientBoostingClassifier(max_iter=100, random_state=0)).fit(X, y)

    def proba(self, X):
        return self.model.predict_proba(X)


class Trees(Decider):
    """XGBoost and LightGBM: texts are categories."""

    def given(self, frame):
        rows = self.rows(frame)
        return rows.assign(**{c: pandas.Categorical(rows[c], categories=self.levels[c]) for c in self.words})

    def proba(self, X):
        return self.model.predict_proba(self.given(X))


class XGBoost(Trees):
    def fit(self, X, y):
        import xgboost
        self.model = xgboost.XGBClassifier(n_estimators=100, max_depth=4, enable_categorical=True, random_state=0, n_jobs=1)
        self.model.fit(self.given(X), y)


class LightGBM(Trees):
    def fit(self, X, y):
        import lightgbm
        self.model = lightgbm.LGBMClassifier(n_estimators=100, num_leaves=15, random_state=0, n_jobs=1, verbose=-1)
        self.model.fit(self.given(X), y)


class Torch(Decider):
    """A network of two layers over one-hot words and standardised numbers."""

    def fit(self, X, y):
        import torch
        torch.manual_seed(0)
        torch.set_num_threads(1)
        self.mean, self.deviation = X[self.numbers].mean(), X[self.numbers].std() + 1e-9
        rows, labels = self.tensor(X), torch.tensor(y)
        self.module = torch.nn.Sequential(torch.nn.Linear(rows.shape[1], 32), torch.nn.ReLU(), torch.nn.Linear(32, 2))
        steps = torch.optim.Adam(self.module.parameters(), lr=0.01, weight_decay=1e-3)
        for _ in range(200):
            steps.zero_grad()
            torch.nn.functional.cross_entropy(self.module(rows), labels).backward()
            steps.step()
        self.model = self.proba

    def tensor(self, X):
        import torch
        parts = [((X[self.numbers] - self.mean) / self.deviation).to_numpy(dtype=numpy.float32)]
        parts += [X[c].to_numpy()[:, None] == numpy.array(self.levels[c])[None, :] for c in self.words]
        return torch.tensor(numpy.hstack(parts).astype(numpy.float32))

    def proba(self, X):
        return self.module(self.tensor(X)).softmax(dim=1).detach().numpy().astype(float)


MODELS = {"pipeline": Pipeline, "xgboost": XGBoost, "lightgbm": LightGBM, "torch": Torch}


# ---- The tools: each returns seconds for what is made once, seconds for the rows, and a frame with NaN where there is no answer ----

def by_otherwise(decider, train, queries, locked):
    began = time.process_time()
    explainer = decider.explainer(train)
    explainer.explain(decider.given(queries[:1]), target=1)
    ready = time.process_time()
    found = explainer.explain(decider.given(queries), target=1)
    frame, positions = found.frame(), found.positions()
    done = time.process_time()
    answers = pandas.DataFrame(numpy.nan, index=range(len(queries)), columns=decider.columns, dtype=object)
    answers.iloc[positions] = frame.astype(object).to_numpy()
    return ready - began, done - ready, answers


def by_dice(decider, train, queries, locked, method):
    began = time.process_time()
    dice = Dice(method, decider, decider.rows(train), decider.predict(train), decider.numbers)
    ready = time.process_time()
    answers = dice.answers(decider.rows(queries), locked)
    return ready - began, time.process_time() - ready, answers


def by_nice(decider, train, queries, locked):
    began = time.process_time()
    nice = Nice(decider.predict_proba, decider.rows(train), decider.predict(train), decider.numbers)
    ready = time.process_time()
    answers = nice.answers(decider.rows(queries))
    return ready - began, time.process_time() - ready, answers


TOOLS = {"otherwise": by_otherwise, "DiCE genetic": lambda *a: by_dice(*a, "genetic"),
         "DiCE random": lambda *a: by_dice(*a, "random"), "NICE": by_nice}


def show(name, decider, judges, queries, locked, once, seconds, answers):
    has = answers.notna().all(axis=1).to_numpy()
    valid = numpy.zeros(len(queries), dtype=bool)
    if has.any():
        valid[has] = decider.predict(answers[has]) == 1
    line = {"once": once, "ms": 1000 * seconds / len(queries), "found": valid.mean()}
    if valid.any():
        a, q = decider.rows(answers[valid]).reset_index(drop=True), queries[valid].reset_index(drop=True)
        changed = judges.changed(q, a)
        line.update({"changes": sum(m.astype(float) for m in changed.values()).mean(), "Gower": judges.gower(q, a).mean(),
                     "locked": numpy.any([changed[c] for c in locked], axis=0).mean() if locked else 0.0, "beyond": judges.beyond(q, a),
                     "LOF": judges.outliers(a), "near": judges.nearest(a), "rules": judges.broken(q, a), "forest": judges.agrees(a)})
    print(f"  {name:13s}" + " ".join(f"{key} {value:.3g}" for key, value in line.items()), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", nargs="?", default="credit")
    parser.add_argument("--rows", type=int, default=50, help="most rows to explain")
    parser.add_argument("--data", default=os.environ.get("OTHERWISE_DATA"), help="folder that has adult/adult.data")
    parser.add_argument("--models", default=",".join(MODELS))
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    table = read_table(args.table, args.data)
    train, test = table.divided(0)
    types = [{"name": c, "type": "continuous" if pandas.api.types.is_numeric_dtype(train[c]) else "categorical"} for c in table.columns]
    judges = Judges(table, train, {"columns": types}, {})
    for name in args.models.split(","):
        decider = MODELS[name](train, table.columns, table.label, table.target)
        queries = test[decider.predict(test) == 0].head(args.rows).reset_index(drop=True)
        locked = decider.explainer(train).model.locked
        print(f"{table.name}, {name}: accuracy {(decider.predict(test) == (test[table.label] == table.target)).mean():.3f}, "
              f"{len(queries)} queries, locked {', '.join(locked)}", flush=True)
        for tool, work in TOOLS.items():
            show(tool, decider, judges, queries, locked, *work(decider, train, queries, locked))


if __name__ == "__main__":
    main()
