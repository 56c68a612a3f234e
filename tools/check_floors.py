#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether density floors and percentiles are those of rows that were not learned from.

    tools/check_floors.py credit adult [--data DIR] [--program P] [--splits N]
    tools/check_floors.py TABLE.csv LABEL [TABLE.csv LABEL ...]

Divides each table 70/30, trains on the larger part and looks at the rows of the smaller part by their class.  If floors are
right, a quarter of them lies below q25.  Printed for each table, over all classes with at least 20 unseen rows, weighted by
their rows and averaged over the divisions; of credit and adult the target class only:

    stored    share of unseen rows without gaps below q25 of the log-densities that the model file holds, which percentiles are ranks in
    floor     share below the floor that explain takes for q25 without a background: of the samples in the model file
    frozen    the same given what cannot change: the columns that are named for credit and adult, otherwise every fourth one
    q5, q50   as floor, for these quantiles
    seconds   of training

Densities are computed here, from the model file (tools/least_referee.py)."""

import argparse
import csv
import math
import os
import pathlib
import sys
import tempfile
import time

import numpy

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_guided  # noqa: E402  (how tables are divided)
import check_least  # noqa: E402  (credit and adult)
from least_referee import Referee  # noqa: E402

MOST_ROWS = 3000  # unseen ones of a class


def share_below(figures, reference, quantile):
    return float((figures < numpy.quantile(reference, quantile)).mean())


def look_at_class(referee, rows, t, frozen):
    """Shares of unseen rows of class t, encoded, that lie below what the model says."""
    circuit, there = referee.circuit, numpy.ones(referee.circuit.d, dtype=bool)
    log_density = circuit.log_class(rows)[:, t]
    whole = ~numpy.isnan(rows).any(axis=1)
    stored = numpy.array(circuit.model.sorted_densities(t), dtype=float)
    samples = numpy.array(circuit.model.samples(t), dtype=float)
    drawn = circuit.log_class(samples)[:, t]
    mask = referee.mask(frozen)
    given = referee.given_frozen(rows, mask, there, t)
    given_samples = referee.given_frozen(samples, mask, there, t)
    if not whole.any():
        return None
    return numpy.array([share_below(log_density[whole], stored, 0.25),
                        share_below(log_density[whole], drawn, 0.25), share_below(given[whole], given_samples, 0.25),
                        share_below(log_density[whole], drawn, 0.05), share_below(log_density[whole], drawn, 0.5)])


def look_at_division(check, rows, label, target, columns, frozen, seed, options):
    train, test = check_guided.split(rows, label, seed)
    check_guided.write_csv(check.folder / "train.csv", columns + [label], train)
    began = time.monotonic()
    check.run("train", "train.csv", "--label", label, "-o", "m.ow", "--test-share", 0, "--seed", seed, "--quiet", "--unlock", "all", *options)
    seconds = time.monotonic() - began
    referee = Referee(check.folder / "m.ow", train)
    total, weight = numpy.zeros(5), 0
    for t, name in enumerate(referee.classes):
        unseen = [row for row in test if row[label].strip() == name and (target is None or name == target)][:MOST_ROWS]
        if len(unseen) < 20:
            continue
        encoded = [encode(referee, row) for row in unseen]
        shares = look_at_class(referee, numpy.array([e for e in encoded if e is not None]), t, frozen)
        if shares is not None:
            total += len(unseen) * shares
            weight += len(unseen)
    return numpy.append(total / weight if weight else numpy.full(5, math.nan), seconds)


def encode(referee, row):
    """None where a level was not seen in training."""
    cells = {name: referee.value(name, row[name]) for name in referee.columns}
    for name, column in referee.columns.items():
        if "levels" in column and cells[name] is not None and cells[name] not in column["levels"]:
            return None
    return referee.encode(cells)


def read_table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="+", metavar="SET", help="credit, adult, or a CSV file and the name of its label")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--data", default=os.environ.get("OTHERWISE_DATA"), help="folder that has adult/adult.data")
    parser.add_argument("--splits", type=int, default=3, help="how many divisions")
    parser.add_argument("--train", nargs="*", default=[], metavar="WORD", help="further words for train")
    args = parser.parse_args()
    words, everything = list(args.words), []
    print(f"{'table':24s} {'stored':>7s} {'floor':>7s} {'frozen':>7s} {'q5':>7s} {'q50':>7s} {'seconds':>8s}")
    with tempfile.TemporaryDirectory() as folder:
        check = check_guided.Check(args.program, folder)
        while words:
            name = words.pop(0)
            if name in check_least.SETS:
                label, target, drop, rules = check_least.SETS[name]
                rows, frozen = check_least.read_set(name, args.data), rules["immutable"].split(",")
            else:
                label, target, drop, rows = words.pop(0), None, (), read_table(name)
                frozen = [c for c in rows[0] if c != label][::4]
            rows = [row for row in rows if row[label].strip() not in ("", "NA")]
            columns = [c for c in rows[0] if c != label and c not in drop]
            figures = numpy.array([look_at_division(check, rows, label, target, columns, frozen, seed, args.train)
                                   for seed in range(args.splits)])
            mean = figures.mean(axis=0)
            everything.append(mean)
            print(f"{pathlib.Path(name).stem:24s} " + " ".join(f"{x:7.3f}" for x in mean[:5]) + f" {mean[5]:8.2f}",
                  flush=True)
    mean = numpy.nanmean(numpy.array(everything), axis=0)
    print(f"{'mean':24s} " + " ".join(f"{x:7.3f}" for x in mean[:5]) + f" {mean[5]:8.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
