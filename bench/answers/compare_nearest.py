#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""guided beside `nearest` on tables of 20 to 60 numbers.

    bench/answers/compare_nearest.py [TABLE ...] [--program P] [--rows N]

The ten tables of tables.py (NUMBERS), or those named.  Each is divided 70/30; a model is trained on the larger part (locks off), and up to N rows of the smaller part
that are not predicted the most frequent class are explained by guided as it comes, by `nearest` with the training rows as a
background, and by `nearest` with sparse=yes.  Printed for each table, over the rows that all of them answer:

    columns   of the table, and how many of them are numbers
    changes   columns changed, in the mean, by guided (columns that follow others aside; `all` counts them), nearest and nearest with sparse
    Gower     mean distance, numbers by the range of the training rows, of the same three
    floor     share of guided's answers that reach the density floor

A table where guided does not have fewer changes and a smaller distance than nearest, or where less than 95 % reach the floor, is marked, and
makes the exit code 1.  The packages are installed into build/answers-python."""
import argparse
import sys
import tempfile

import answers_environment

answers_environment.enter()

import numpy  # noqa: E402

from answers import frame_of_answers  # noqa: E402
from judges import Judges  # noqa: E402
from tables import Program, tables_of_numbers  # noqa: E402


def compare(program, table, args):
    train, test = table.divided(0)
    schema, codes = program.train(table, train)
    judges = Judges(table, train, schema, codes)
    wrong = numpy.array([row["class"] != table.target for row in program.classes(test)])
    queries = test[wrong].head(args.rows).reset_index(drop=True)
    near = ["--method", "nearest", "--background", "train.csv"]
    given = [frame_of_answers(program, table, queries, *words)
             for words in ([], near, [*near, "--set", "sparse=yes"])]
    both = numpy.logical_and.reduce([g.has for g in given])
    changes = [float(sum(m.astype(float) for m in judges.changed(queries[both], g.frame[both]).values()).mean()) for g in given]
    gower = [float(judges.gower(queries[both], g.frame[both]).mean()) for g in given]
    counted, floor = float(given[0].changes[both].mean()), float(given[0].dense.mean())
    good = counted < changes[1] and gower[0] < gower[1] and floor >= 0.95
    print(f"{table.name:16s} {len(table.columns):7d} {len(judges.numbers):7d} {int(both.sum()):6d} {counted:8.2f} {changes[0]:8.2f} {changes[1]:8.2f} "
          f"{changes[2]:8.2f} {gower[0]:8.4f} {gower[1]:8.4f} {gower[2]:8.4f} {floor:7.3f}{'' if good else '  MISSED'}", flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--rows", type=int, default=50, help="most rows to explain")
    args = parser.parse_args()
    print(f"{'':47s} changes {'':25s} Gower\n{'table':16s} {'columns':>7s} {'numbers':>7s} {'rows':>6s} {'guided':>8s} {'all':>8s} {'nearest':>8s} {'sparse':>8s} "
          f"{'guided':>8s} {'nearest':>8s} {'sparse':>8s} {'floor':>7s}")
    n_good = n = 0
    for table in tables_of_numbers():
        if args.tables and table.name not in args.tables:
            continue
        with tempfile.TemporaryDirectory() as folder:
            n_good += compare(Program(args.program, folder), table, args)
            n += 1
    print(f"{n_good} of {n} tables reach all aims")
    return 0 if n_good == n else 1


if __name__ == "__main__":
    sys.exit(main())
