#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""guided beside NICE, with the same classifier and the same queries.

    bench/answers/compare_nice.py [TABLE ...] [--program P] [--data DIR] [--rows N] [--classifier mlp]

Tables are credit, adult and those of bench/write_tables.py by name; without any, credit, adult (where --data or $OTHERWISE_DATA has
adult/adult.data) and the eight of tables.py.  Each is divided 70/30; a model is trained on the larger part, and up to N rows of the smaller part that are not
predicted the target (the most frequent class, but for credit and adult) are explained: by NICE (the package nicex, `sparsity`, which asks the
model of otherwise about every candidate), by guided with --min-density q0 and by guided as it comes.  Nothing is locked.  Only rows that all of them answer
are compared.  For each table, a line for each:

    changes   columns changed, in the mean; for guided linked and dependent columns that move along do not count; `all` counts them
    Gower     mean distance, numbers by the range of the training rows
    floor     share of queries with an answer that reaches the density floor
    LOF       share of answers that are outliers to scikit-learn's LOF on training rows of the class
    rules     share that break a rule of the table (A => B, x <= y, in 99.5 % of the training rows) that the query keeps
    beyond    share with a changed number outside the class's 1 to 99 %;  code: on a code for a missing value
    forest    share that a random forest calls the class;  near: mean Gower distance to the nearest row of the class
    needed    changes that are proved to be needed for the class and the floor, in the mean (of more than three, three)

The first two lines are unseen rows of the class and how many rules were found.  Words behind a table say which aims it misses.  The packages
are installed into build/answers-python."""
import argparse
import os
import sys
import tempfile

import answers_environment

answers_environment.enter()

import numpy  # noqa: E402

from answers import frame_of_answers, nice_answers  # noqa: E402
from judges import Judges  # noqa: E402
from tables import COMPARED, Program, read_table  # noqa: E402


def figures(judges, queries, answers, changes, floor):
    changed = sum(m.astype(float) for m in judges.changed(queries, answers).values())
    return {"changes": float((changed if changes is None else changes).mean()), "all": float(changed.mean()),
            "Gower": float(judges.gower(queries, answers).mean()), "floor": floor, "LOF": judges.outliers(answers),
            "rules": judges.broken(queries, answers), "beyond": judges.beyond(queries, answers), "code": judges.on_code(queries, answers),
            "forest": judges.agrees(answers), "near": judges.nearest(answers)}


def show(name, line):
    print(f"  {name:10s} " + " ".join(f"{key} {value:.3f}" for key, value in line.items()), flush=True)


def misses(nice, free, floor):
    """Which aims are missed."""
    said = []
    for key in ("changes", "Gower"):
        if free[key] > nice[key] + 1e-9:
            said.append(f"q0: {key}")
    if floor["changes"] > 1.5 * nice["changes"] + 1e-9:
        said.append("changes above 1.5 times" + (", as is what is needed" if floor["needed"] > 1.5 * nice["changes"] else ""))
    if floor["floor"] < 0.95:
        said.append("floor")
    for key in ("LOF", "rules"):
        if floor[key] > nice[key] + 1e-9:
            said.append(key)
    said += [key for key in ("beyond", "code") if floor[key] > 0]
    return said


def compare(program, table, args):
    train, test = table.divided(args.seed)
    schema, codes = program.train(table, train, *(["--classifier", "mlp"] if args.classifier == "mlp" else []))
    judges = Judges(table, train, schema, codes)
    said = program.classes(test)
    classes = sorted(said[0]["proba"])
    wrong = numpy.array([row["class"] != table.target for row in said])
    queries = test[wrong].head(args.rows).reset_index(drop=True)
    unseen = test[test[table.label] == table.target].head(500).reset_index(drop=True)
    print(f"{table.name}: {len(train)} rows, {len(table.columns)} columns, {len(queries)} queries, {judges.n_rules} rules")
    show("unseen", {"LOF": judges.outliers(unseen), "rules": float(judges.broken_each(unseen).any(axis=0).mean()) if judges.n_rules else 0.0,
                    "forest": judges.agrees(unseen), "near": judges.nearest(unseen)})
    nice = nice_answers(program, table, train, queries, judges, classes)
    free = frame_of_answers(program, table, queries, "--min-density", "q0")
    dense = frame_of_answers(program, table, queries, *(["--min-density", args.min_density] if args.min_density else []))
    both = free.has & dense.has
    nice_line = figures(judges, queries[both], nice[both], None, float("nan"))
    free_line = figures(judges, queries[both], free.frame[both], free.changes[both], float("nan"))
    dense_line = figures(judges, queries[both], dense.frame[both], dense.changes[both], float(dense.dense.mean()))
    dense_line["needed"] = float(dense.needed[both].mean())
    for name, line in (("NICE", nice_line), ("guided q0", free_line), ("guided", dense_line)):
        show(name, line)
    said = misses(nice_line, free_line, dense_line)
    if not both.all():
        said.append(f"{int((~both).sum())} queries without an answer")
    print(f"  {'missed: ' + '; '.join(said) if said else 'all aims reached'}", flush=True)
    return not said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--data", default=os.environ.get("OTHERWISE_DATA"), help="folder that has adult/adult.data")
    parser.add_argument("--rows", type=int, default=100, help="most rows to explain")
    parser.add_argument("--seed", type=int, default=0, help="of the division")
    parser.add_argument("--min-density", metavar="qN", help="another floor than explain's own")
    parser.add_argument("--classifier", choices=["circuit", "mlp"], default="circuit")
    args = parser.parse_args()
    names = args.tables or ["credit", *(["adult"] if args.data else []), *COMPARED]
    n_good = 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            n_good += compare(Program(args.program, folder), read_table(name, args.data), args)
    print(f"{n_good} of {len(names)} tables reach all aims")
    return 0 if n_good == len(names) else 1


if __name__ == "__main__":
    sys.exit(main())
