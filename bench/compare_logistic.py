#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Circuits with default settings beside logistic regression, on the same rows.

    compare_logistic.py PROGRAM [--seeds N] [TABLE LABEL]

For every seed the rows are divided by class, 30 % to test; the program learns from the one part and predicts the other.
Logistic regression (scikit-learn, which has to be installed: python3-sklearn) sees numbers standardised and categories
one-hot, "?" being a category of its own.  Without a TABLE: data/credit.csv, and adult/adult.data in the folder that
OTHERWISE_DATA names, without its column of weights.
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
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADULT = ("age workclass fnlwgt education education-num marital-status occupation relationship race sex "
         "capital-gain capital-loss hours-per-week native-country income").split()


def tables(arguments):
    """(name, rows, label) of each table to compare on."""
    if arguments.table:
        rows = pandas.read_csv(arguments.table, skipinitialspace=True, keep_default_na=False)
        return [(pathlib.Path(arguments.table).name, rows, arguments.label)]
    found = [("credit", pandas.read_csv(ROOT / "data" / "credit.csv"), "risk")]
    adult = pathlib.Path(os.environ.get("OTHERWISE_DATA", "."), "adult", "adult.data")
    if adult.exists():
        rows = pandas.read_csv(adult, names=ADULT, skipinitialspace=True, keep_default_na=False)
        found.append(("adult", rows.drop(columns="fnlwgt"), "income"))
    else:
        print(f"{adult} is not there and left out")
    return found


def by_circuit(program, train, test, label, seed):
    """Probabilities of the classes, in the order of their names, for each test row."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("train.csv", "test.csv", "model.ow")]
        train.to_csv(paths[0], index=False)
        test.drop(columns=label).to_csv(paths[1], index=False)
        subprocess.run([program, "train", paths[0], "--label", label, "--test-share", "0", "--seed", str(seed),
                        "--quiet", "-o", paths[2]], check=True, stdout=subprocess.DEVNULL)
        lines = subprocess.run([program, "predict", paths[2], paths[1], "--json", "--quiet"], check=True,
                               capture_output=True, text=True).stdout.splitlines()
    rows = [json.loads(line)["proba"] for line in lines]
    return numpy.array([[row[name] for name in sorted(row)] for row in rows])


def by_regression(train, test, label):
    columns = train.drop(columns=label)
    numbers = list(columns.select_dtypes("number"))
    encode = ColumnTransformer([
        ("numbers", StandardScaler(), numbers),
        ("levels", OneHotEncoder(handle_unknown="ignore"), [name for name in columns if name not in numbers])])
    model = make_pipeline(encode, LogisticRegression(max_iter=3000)).fit(columns, train[label])
    return model.predict_proba(test.drop(columns=label))


def scores(answers, proba):
    classes = sorted(set(answers))
    called = numpy.array(classes)[proba.argmax(axis=1)]
    return (called == answers).mean(), log_loss(answers, proba.clip(1e-12, 1), labels=classes)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("table", nargs="?")
    parser.add_argument("label", nargs="?")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()

    print(f"{'table':14} {'seed':>4}  {'accuracy':>8} {'logistic':>8}  {'log-loss':>8} {'logistic':>8} {'ratio':>6}")
    for name, rows, label in tables(arguments):
        figures = []
        for seed in range(1, arguments.seeds + 1):
            train, test = train_test_split(rows, test_size=0.3, stratify=rows[label], random_state=seed)
            answers = test[label].to_numpy()
            ours = scores(answers, by_circuit(arguments.program, train, test, label, seed))
            theirs = scores(answers, by_regression(train, test, label))
            figures.append((ours[0], theirs[0], ours[1], theirs[1]))
            show(name, seed, figures[-1])
        show(name, "mean", numpy.mean(figures, axis=0))


def show(name, seed, row):
    print(f"{name:14} {seed:>4}  {row[0]:8.4f} {row[1]:8.4f}  {row[2]:8.4f} {row[3]:8.4f} {row[2] / row[3]:6.3f}",
          flush=True)


if __name__ == "__main__":
    main()
