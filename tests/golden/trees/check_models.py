#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what libotherwise predicts with what make_models.py wrote.

    check_models.py --library LIBRARY FOLDER

Probabilities within 1e-6, other predictions and scores within 1e-5 of their size, and the same classes in every row.
"""
import argparse
import gzip
import sys
from pathlib import Path

from library import Library

MOST_IN_PROBABILITY, MOST_IN_SCORE = 1e-6, 1e-5


def read_rows(path):
    lines = path.read_text(encoding="ascii").splitlines()[1:]
    return [[float(cell) if cell else float("nan") for cell in line.split(",")] for line in lines]


def class_of(row):
    """The predicted class: the second of two where its probability is above one half, else the first of the largest."""
    return int(row[0] > 0.5) if len(row) == 1 else row.index(max(row))


def check(library, path, rows):
    """The largest differences of scores and predictions, and in how many rows the class differs."""
    model_path = next(p for p in path.parent.glob(path.name.replace(".expected.gz", ".*.gz")) if p != path)
    expected = [list(map(float, line.split())) for line in gzip.decompress(path.read_bytes()).decode("ascii").splitlines()]
    model = library.load(model_path)
    n, scores, predictions = model.n_scores, model.score(rows), model.predict(rows)
    if model.is_binary:
        predictions = [row[1:] for row in predictions]
    if "logitraw" in path.name:  # XGBoost gives no probabilities there
        predictions = scores
    model.free()
    is_proba = all(0.0 <= x <= 1.0 for row in expected for x in row[n:])
    worst = [0.0, 0.0]
    for got_s, got_p, want in zip(scores, predictions, expected):
        for k, (got, wanted) in enumerate([(got_s, want[:n]), (got_p, want[n:])]):
            for a, b in zip(got, wanted, strict=True):
                worst[k] = max(worst[k], abs(a - b) / (1.0 if k == 1 and is_proba else max(1.0, abs(b))))
    n_other = sum(class_of(a) != class_of(b[n:]) for a, b in zip(predictions, expected, strict=True)) if is_proba else 0
    good = worst[0] <= MOST_IN_SCORE and worst[1] <= (MOST_IN_PROBABILITY if is_proba else MOST_IN_SCORE) and n_other == 0
    print(f"{'good' if good else 'BAD '}  {path.name.removesuffix('.expected.gz'):40} {len(expected)} rows; largest difference of a "
          f"score {worst[0]:.1e}, of a prediction {worst[1]:.1e}; other classes {n_other}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("folder", type=Path)
    arguments = parser.parse_args()
    library, rows = Library(arguments.library.resolve()), read_rows(arguments.folder / "rows.csv")
    paths = sorted(arguments.folder.glob("*.expected.gz"))
    if not paths:
        sys.exit(f"no models in {arguments.folder}")
    return 0 if all([check(library, path, rows) for path in paths]) else 1


if __name__ == "__main__":
    sys.exit(main())
