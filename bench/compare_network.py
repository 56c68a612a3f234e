#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The network of `train --classifier mlp` beside scikit-learn's MLPClassifier of the same size, on Adult.

    compare_network.py --program PROGRAM --data FOLDER [--hidden 64,64] [--seeds 3] [--held-out]

Both learn from adult.data without fnlwgt and are judged on adult.test; FOLDER holds adult/.  With --held-out adult.test is left out: for
each seed another third of adult.data is judged, by networks that learned from the rest.  scikit-learn gets one-hot categories and
standardised numbers, Adam and early stopping.  Prints accuracies and seconds for each seed and their means; exit 1 if ours is more than
0.005 below.
"""
import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
from sklearn.compose import make_column_transformer
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier
from sklearn.preprocessing import OneHotEncoder, StandardScaler

NAMES = ["age", "workclass", "fnlwgt", "education", "education_num", "marital", "occupation", "relationship",
         "race", "sex", "gain", "loss", "hours", "country", "income"]
NUMBERS = ["age", "education_num", "gain", "loss", "hours"]
DROPPED = "fnlwgt"
MOST_BEHIND = 0.005


def read_rows(path):
    """Rows as lists of texts; the test file has a comment first and a full stop behind each label."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = [[cell.strip().rstrip(".") if i == 14 else cell.strip() for i, cell in enumerate(row)]
                for row in csv.reader(file)]
    keep = [i for i, name in enumerate(NAMES) if name != DROPPED]
    return [[row[i] for i in keep] for row in rows if len(row) == len(NAMES)]


def write_rows(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([name for name in NAMES if name != DROPPED])
        writer.writerows(rows)


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"otherwise {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def score_ours(program, folder, hidden, seed, labels):
    """Accuracy and seconds, of which the circuit takes a few."""
    began = time.monotonic()
    run(program, "train", folder / "train.csv", "--label", "income", "--classifier", "mlp", "--hidden", hidden,
        "--test-share", "0", "--seed", seed, "--epochs", "1", "-o", folder / "model.ow", "--quiet")
    seconds = time.monotonic() - began
    lines = run(program, "predict", folder / "model.ow", folder / "test.csv", "--json", "--quiet").splitlines()
    classes = [json.loads(line)["class"] for line in lines]
    return float(np.mean(np.array(classes) == labels)), seconds


def score_theirs(train, test, hidden, seed):
    names = [name for name in NAMES if name != DROPPED]
    numbers = [names.index(name) for name in NUMBERS]
    others = [i for i in range(len(names) - 1) if i not in numbers]
    encode = make_column_transformer((StandardScaler(), numbers), (OneHotEncoder(handle_unknown="ignore"), others))
    began = time.monotonic()
    x, y = encode.fit_transform(train[:, :-1]), train[:, -1]
    network = MLPClassifier(tuple(map(int, hidden.split(","))), early_stopping=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(x, y)
    seconds = time.monotonic() - began
    return float(network.score(encode.transform(test[:, :-1]), test[:, -1])), seconds


def divide(rows, seed):
    """Two thirds and one third, drawn by the seed."""
    rows = rows[:]
    random.Random(seed).shuffle(rows)
    cut = len(rows) * 2 // 3
    return rows[:cut], rows[cut:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--hidden", default="64,64")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--held-out", action="store_true", help="judge on thirds of adult.data")
    arguments = parser.parse_args()
    known = read_rows(arguments.data / "adult" / "adult.data")
    published = read_rows(arguments.data / "adult" / "adult.test")
    ours, theirs = [], []
    print("seed  rows learned, judged  otherwise  seconds  scikit-learn  seconds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for seed in range(arguments.seeds):
            train, test = divide(known, seed) if arguments.held_out else (known, published)
            write_rows(folder / "train.csv", train)
            write_rows(folder / "test.csv", test)
            train, test = np.array(train, dtype=object), np.array(test, dtype=object)
            ours.append(score_ours(arguments.program, folder, arguments.hidden, seed, test[:, -1]))
            theirs.append(score_theirs(train, test, arguments.hidden, seed))
            print(f"{seed:4}  {len(train):12}  {len(test):6}  {ours[-1][0]:9.4f}  {ours[-1][1]:7.1f}"
                  f"  {theirs[-1][0]:12.4f}  {theirs[-1][1]:7.1f}", flush=True)
    mine, other = (float(np.mean([score for score, _ in scores])) for scores in (ours, theirs))
    print(f"mean  {mine:31.4f}           {other:12.4f}   difference {mine - other:+.4f}")
    return 0 if mine >= other - MOST_BEHIND else 1


if __name__ == "__main__":
    sys.exit(main())
