#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers of models of random halves beside those of the structure that `train` chooses, on tables of 20 to 60 numbers.

    bench/answers/compare_on_numbers.py [TABLE ...] [--program P] [--rows N] [--structures random,auto] [--most-rows N]

The ten tables of tables.py (NUMBERS), or those named.  Each is divided 70/30; a model of each structure is trained on the larger part (locks off), and up to N
rows of the smaller part that none of the models predicts the most frequent class are explained by guided as it comes, with the density floor of the
model at hand.  Tables of more than --most-rows rows are thinned to so many.  Printed, over the rows that all of them answer:

    changes   columns changed, in the mean (columns that follow others aside)
    floor     share of the answers that reach the density floor
    LOF       share of the answers that the local outlier factor, fitted to the training rows of the class, takes for one of them
    near      share of the answers that are as near to a training row of the class as 95 % of the unseen rows of the class are (Gower)
    seconds   processor time of explaining a row

None of these judges looks at a circuit.  The packages are installed into build/answers-python."""
import argparse
import resource
import tempfile

import answers_environment

answers_environment.enter()

import numpy  # noqa: E402

from answers import frame_of_answers  # noqa: E402
from judges import Judges  # noqa: E402
from tables import Program, tables_of_numbers  # noqa: E402

NEAR = 0.95


def distances(judges, rows):
    """Gower distance of each row to the nearest training row of the class."""
    return numpy.array([0.5 * numpy.abs(judges.real - x).sum(axis=1).min() for x in judges.gower_space(rows)]) / len(judges.columns)


def child_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compare(args, table):
    if len(table.frame) > args.most_rows:
        table.frame = table.frame.sample(args.most_rows, random_state=0).reset_index(drop=True)
    train, test = table.divided(0)
    structures = args.structures.split(",")
    wrong, kinds, judges, programs = numpy.ones(len(test), dtype=bool), {}, None, {}
    for structure in structures:
        folder = tempfile.TemporaryDirectory()
        program = Program(args.program, folder.name)
        schema, codes = program.train(table, train, "--structure", structure)
        judges = judges or Judges(table, train, schema, codes)
        wrong &= numpy.array([row["class"] != table.target for row in program.classes(test)])
        kinds[structure], programs[structure] = schema["circuit"].get("regions", "random"), (program, folder)
    queries = test[wrong].head(args.rows).reset_index(drop=True)
    given, seconds = {}, {}
    for structure in structures:
        before = child_seconds()
        given[structure] = frame_of_answers(programs[structure][0], table, queries)
        seconds[structure] = (child_seconds() - before) / max(1, len(queries))
    both = numpy.logical_and.reduce([g.has for g in given.values()])
    reach = numpy.quantile(distances(judges, test[test[table.label] == table.target]), NEAR)
    for structure in structures:
        g, rows = given[structure], given[structure].frame[both]
        print(f"{table.name:16s} {len(table.columns):7d} {structure:8s} {kinds[structure]:8s} {int(both.sum()):4d} {g.changes[both].mean():8.2f} {g.dense[both].mean():6.3f} "
              f"{1 - judges.outliers(rows):6.3f} {(distances(judges, rows) <= reach).mean():6.3f} {seconds[structure]:8.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--rows", type=int, default=40, help="most rows to explain")
    parser.add_argument("--most-rows", type=int, default=10**9)
    parser.add_argument("--structures", default="random,auto")
    args = parser.parse_args()
    print(f"{'table':16s} {'columns':>7s} {'asked':8s} {'is':8s} {'rows':>4s} {'changes':>8s} {'floor':>6s} {'LOF':>6s} {'near':>6s} {'seconds':>8s}")
    for table in tables_of_numbers():
        if not args.tables or table.name in args.tables:
            compare(args, table)


if __name__ == "__main__":
    main()
