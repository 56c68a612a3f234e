#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether answers of `--prefer robust` outlive another training.

    tools/check_robust.py credit adult [--data DIR] [--program P] [--rows N] [--circuits N] [--structure S]
    tools/check_robust.py TABLE.csv LABEL [TABLE.csv LABEL ...]

Divides each table 70/30, trains on the larger part and explains rows of the smaller part that are not predicted the target (the
most frequent class but for credit and adult), with --prefer robust and with --prefer least.  Then circuits are learned from
bootstrap samples of the training rows, each with a seed of its own, and asked what they say of the answers.  Printed:

    kept      share of robust answers that keep their class, in the mean over the circuits; `least` the same of the least answers
    forest    share of robust answers that a random forest gives the class, over the same of unseen rows of the class (scikit-learn)
    changes   mean number of changes of robust answers, and over that of the least answers to the same rows
    found     rows with a robust answer, of those with a least one; others get an answer that says it is not robust, and do not count

The circuits are made here from samples that training does not see."""

import argparse
import collections
import csv
import math
import os
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_guided  # noqa: E402  (how tables are divided)
import check_least  # noqa: E402  (credit and adult)


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else math.nan


def classes_of(check, model, rows):
    """What the model says of each row of a file; gaps and unknown levels are as predict takes them."""
    lines = check.run("predict", model, rows, "--json").splitlines()
    return [line.split('"class":"', 1)[1].split('"', 1)[0] for line in lines]


def answers_to(check, columns, queries, target, words, name):
    """The answers that reached the target, written to a file: {row: (changes, row of text)}."""
    document = check.explain("m.ow", "rows.csv", "--target", target, *words)
    found = {}
    for result, answer in check_guided.answers_of(document):
        if result["status"] == "found" and answer is not None and answer.get("robust", True):
            row = dict(queries[result["row"] - 1])
            for change in answer["changes"]:
                row[change["column"]] = str(change["to"])
            found[result["row"]] = (len(answer["changes"]), row)
    check_guided.write_csv(check.folder / name, columns, [row for _, row in found.values()])
    return found


def kept_shares(check, train, columns, label, target, n_circuits, structure):
    """Of robust and least answers, the share of each bootstrap circuit's decisions for the target."""
    draw, robust, least = random.Random(4), [], []
    for b in range(n_circuits):
        sample = [train[draw.randrange(len(train))] for _ in train]
        check_guided.write_csv(check.folder / "sample.csv", columns + [label], sample)
        check.run("train", "sample.csv", "--label", label, "-o", "b.ow", "--test-share", 0, "--seed", 1000 + b, "--quiet", "--structure",
                  structure)
        robust.append(mean(c == target for c in classes_of(check, "b.ow", "robust.csv")))
        least.append(mean(c == target for c in classes_of(check, "b.ow", "least.csv")))
    return mean(robust), mean(least)


def check_table(check, rows, label, target, columns, words, args):
    train, test = check_guided.split(rows, label, 0)
    check_guided.write_csv(check.folder / "train.csv", columns + [label], train)
    check_guided.write_csv(check.folder / "test.csv", columns + [label], test)
    check.run("train", "train.csv", "--label", label, "-o", "m.ow", "--test-share", 0, "--quiet", "--structure", args.structure)
    said = classes_of(check, "m.ow", "test.csv")
    queries = [row for row, c in zip(test, said) if c != target][:args.rows]
    if not queries:
        return None
    check_guided.write_csv(check.folder / "rows.csv", columns + [label], queries)
    robust = answers_to(check, columns, queries, target, [*words, "--prefer", "robust"], "robust.csv")
    least = answers_to(check, columns, queries, target, words, "least.csv")
    kept, kept_least = kept_shares(check, train, columns, label, target, args.circuits, args.structure)
    says = check_guided.forest(train, label, target, columns)
    share = math.nan
    if says is not None:
        share = says([row for _, row in robust.values()]) / says([row for row in test if row[label] == target])
    both = [row for row in robust if row in least]
    changes = mean(robust[row][0] for row in both)
    return kept, kept_least, share, changes, changes / mean(least[row][0] for row in both), len(robust), len(least)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="+", metavar="SET", help="credit, adult, or a CSV file and the name of its label")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--data", default=os.environ.get("OTHERWISE_DATA"), help="folder that has adult/adult.data")
    parser.add_argument("--rows", type=int, default=60, help="most rows to explain")
    parser.add_argument("--circuits", type=int, default=10, help="bootstrap circuits")
    parser.add_argument("--structure", default="auto", choices=("random", "tree", "auto"), help="of all circuits, as train has it")
    args = parser.parse_args()
    words = list(args.words)
    print(f"{'table':24s} {'kept':>7s} {'least':>7s} {'forest':>7s} {'changes':>8s} {'ratio':>6s} {'found':>9s}")
    with tempfile.TemporaryDirectory() as folder:
        check = check_guided.Check(args.program, folder)
        while words:
            name, asked = words.pop(0), []
            if name in check_least.SETS:
                label, target, drop, rules = check_least.SETS[name]
                rows = check_least.read_set(name, args.data)
                asked = [word for key, value in rules.items() for word in (f"--{key}", value)]
            else:
                label, drop = words.pop(0), ()
                with open(name, newline="") as file:
                    rows = [row for row in csv.DictReader(file) if row[label].strip() not in ("", "NA")]
                target = collections.Counter(row[label] for row in rows).most_common(1)[0][0]
            columns = [c for c in rows[0] if c != label and c not in drop]
            f = check_table(check, rows, label, target, columns, asked, args)
            if f is None:
                print(f"{pathlib.Path(name).stem:24s} the model says {target} of every unseen row", flush=True)
                continue
            print(f"{pathlib.Path(name).stem:24s} {f[0]:7.3f} {f[1]:7.3f} {f[2]:7.3f} {f[3]:8.2f} {f[4]:6.2f} {f[5]:4d}/{f[6]:<4d}",
                  flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
