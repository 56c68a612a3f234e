#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Circuits with default settings beside logistic regression, on the same rows.

    compare_logistic.py PROGRAM [--seeds N] [--density] [TABLE.csv LABEL]...

For every seed the rows are divided by class, 30 % to test; the program learns from the one part and predicts the other.
Logistic regression (scikit-learn, C = 1; python3-sklearn has to be installed) sees numbers standardised, missing ones as the
median, and categories one-hot, a missing one being a category of its own.  Rows without a class are left out.

Without a TABLE: data/credit.csv, and adult/adult.data in the folder that OTHERWISE_DATA names, without its column of weights.
--density adds the mean log S(x) of training and test rows.  A line ends with a mark where accuracy is more than 0.025 below
(A; 0.01 from 5000 training rows on) or log-loss more than 1.15 times (L; 1.05) that of logistic regression.  Below the mean of four
seeds or more stand the differences to logistic regression and their standard errors.
"""
import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import numpy
import pandas
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADULT = ("age workclass fnlwgt education education-num marital-status occupation relationship race sex "
         "capital-gain capital-loss hours-per-week native-country income").split()
MANY_ROWS = 5000


def read(path, **options):
    return pandas.read_csv(path, skipinitialspace=True, na_values=["?"], **options)


def tables(arguments):
    """(name, rows, label) of each table to compare on."""
    for path, label in zip(arguments.tables[::2], arguments.tables[1::2]):
        yield pathlib.Path(path).stem, read(path), label
    if arguments.tables:
        return
    yield "credit", read(ROOT / "data" / "credit.csv"), "risk"
    adult = pathlib.Path(os.environ.get("OTHERWISE_DATA", "."), "adult", "adult.data")
    if adult.exists():
        yield "adult", read(adult, names=ADULT).drop(columns="fnlwgt"), "income"
    else:
        print(f"{adult} is not there and left out")


def predict(program, model, rows, folder):
    """Probabilities of the classes, in the order of their names, for each row; and the mean log-density."""
    path = os.path.join(folder, "rows.csv")
    rows.to_csv(path, index=False)
    lines = subprocess.run([program, "predict", model, path, "--json", "--quiet"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    rows = [json.loads(line) for line in lines]
    proba = [row["proba"] for row in rows]
    return (numpy.array([[row[name] for name in sorted(row)] for row in proba]),
            numpy.mean([row["log_density"] for row in rows]))


def by_circuit(program, train, test, label, seed, density):
    """Probabilities for the test rows, and the mean log-densities of training and test rows."""
    with tempfile.TemporaryDirectory() as folder:
        path, model = (os.path.join(folder, name) for name in ("train.csv", "model.ow"))
        train.to_csv(path, index=False)
        subprocess.run([program, "train", path, "--label", label, "--test-share", "0", "--seed", str(seed), "--quiet",
                        "-o", model], check=True, stdout=subprocess.DEVNULL)
        known = predict(program, model, train.drop(columns=label), folder)[1] if density else numpy.nan
        proba, fresh = predict(program, model, test.drop(columns=label), folder)
    return proba, known, fresh


def by_regression(train, test, label):
    columns = train.drop(columns=label)
    numbers = list(columns.select_dtypes("number"))
    levels = [name for name in columns if name not in numbers]
    encode = ColumnTransformer([
        ("numbers", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numbers),
        ("levels", make_pipeline(SimpleImputer(strategy="constant", fill_value="missing"),
                                 OneHotEncoder(handle_unknown="ignore")), levels)])
    as_objects = {name: object for name in levels}
    model = make_pipeline(encode, LogisticRegression(max_iter=3000))
    model.fit(columns.astype(as_objects), train[label])
    return model.predict_proba(test.drop(columns=label).astype(as_objects))


def scores(answers, proba):
    classes = sorted(set(answers))
    called = numpy.array(classes)[proba.argmax(axis=1)]
    return (called == answers).mean(), log_loss(answers, proba.clip(1e-12, 1), labels=classes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("tables", nargs="*", metavar="TABLE LABEL")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--density", action="store_true")
    arguments = parser.parse_intermixed_args()
    if len(arguments.tables) % 2 != 0:
        parser.error("each TABLE needs its LABEL")

    print(f"{'table':14} {'rows':>6} {'seed':>4}  {'accuracy':>8} {'logistic':>8}  {'log-loss':>8} {'logistic':>8} {'ratio':>6}"
          + (f"  {'log S':>8} {'(test)':>8}" if arguments.density else ""))
    for name, rows, label in tables(arguments):
        figures = []
        rows = rows[rows[label].notna()].astype({label: str})
        for column in rows.select_dtypes(bool):
            rows[column] = rows[column].astype(str)
        if pandas.to_numeric(rows[label], errors="coerce").notna().any():
            rows[label] = "class " + rows[label]  # a class is a name for both, whatever it looks like
        for seed in range(1, arguments.seeds + 1):
            train, test = train_test_split(rows, test_size=0.3, stratify=rows[label], random_state=seed)
            answers = test[label].to_numpy()
            proba, known, fresh = by_circuit(arguments.program, train, test, label, seed, arguments.density)
            ours, theirs = scores(answers, proba), scores(answers, by_regression(train, test, label))
            figures.append((ours[0], theirs[0], ours[1], theirs[1], known, fresh))
            show(name, len(rows), seed, figures[-1], arguments.density)
        show(name, len(rows), "mean", numpy.mean(figures, axis=0), arguments.density, len(train) >= MANY_ROWS)
        if arguments.seeds > 3:
            show_errors(numpy.array(figures))


def show(name, n_rows, seed, row, density, many=None):
    marks = ""
    if many is not None:
        marks += " A" if row[0] < row[1] - (0.01 if many else 0.025) else ""
        marks += " L" if row[2] > row[3] * (1.05 if many else 1.15) else ""
    print(f"{name:14} {n_rows:>6} {seed:>4}  {row[0]:8.4f} {row[1]:8.4f}  {row[2]:8.4f} {row[3]:8.4f} {row[2] / row[3]:6.3f}"
          + (f"  {row[4]:8.2f} {row[5]:8.2f}" if density else "") + marks, flush=True)


def show_errors(figures):
    """What seeds differ by, not divisions: test rows of different seeds are partly the same, so that the true error is a little larger."""
    accuracy, loss = figures[:, 0] - figures[:, 1], figures[:, 2] - figures[:, 3]
    error = numpy.sqrt(len(figures))
    print(f"{'':14} accuracy {accuracy.mean():+.4f} +- {accuracy.std(ddof=1) / error:.4f}, "
          f"log-loss {loss.mean():+.4f} +- {loss.std(ddof=1) / error:.4f}", flush=True)


if __name__ == "__main__":
    main()
