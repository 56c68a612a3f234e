#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often `otherwise audit` tells of differences that are not there, and whether its intervals cover.

    check_audit.py PROGRAM TABLE:LABEL:TARGET [--simulations 1000] [--rows 300] [--seed 0] [--differences]

Learns a model of the whole table once.  Each simulation draws rows from the table with replacement and gives them two columns of
groups by chance, which the model does not know: no group differs, and every mark is wrong.  Marked runs are to be 5 % or
fewer.  The interval of the share of refused rows is to hold the table's own share in 95 % of the groups.  With --differences refused
rows are of the first groups more often than others, so that each group's share is known and another one; intervals are to hold
it in 95 % of the groups, and marks are right.
"""
import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

GROUPS = {"first": ["a", "b", "c"], "second": ["x", "y", "z", "w"]}


def run(program, folder, *words):
    done = subprocess.run([str(program), *words, "--quiet"], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{words}: {done.returncode}\n{done.stderr}")
    return done.stdout


def chances(names, is_refused, differ):
    """How probable the groups are for a row, up to a factor: alike, or for refused rows falling from the first to the last."""
    return [2 ** -k if differ and is_refused else 1 for k in range(len(names))]


def share_of(group, share, differ):
    """The true share of refused rows in a group, by Bayes' rule; its columns are drawn on their own given the decision."""
    weights = []
    for is_refused, weight in ((True, share), (False, 1 - share)):
        for column, value in group.items():
            of = chances(GROUPS[column], is_refused, differ)
            weight *= of[GROUPS[column].index(value)] / sum(of)
        weights.append(weight)
    return weights[0] / sum(weights)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("table")
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--differences", action="store_true")
    given = parser.parse_args()
    path, label, target = given.table.rsplit(":", 2)
    program, draw = given.program.resolve(), random.Random(given.seed)
    with open(path, newline="", encoding="utf-8") as file:
        titles, *lines = list(csv.reader(file))
    with tempfile.TemporaryDirectory(prefix="ow-audit-") as name:
        folder = Path(name)
        run(program, folder, "train", str(Path(path).resolve()), "--label", label, "-o", "model.ow")
        said = run(program, folder, "predict", "model.ow", str(Path(path).resolve()), "--json").splitlines()
        refused = [json.loads(line)["class"] != target for line in said]
        true_share = sum(refused) / len(refused)
        n_marked = n_groups = n_covered = 0
        for i in range(given.simulations):
            with open(folder / "drawn.csv", "w", newline="", encoding="utf-8") as file:
                out = csv.writer(file)
                out.writerow(titles + list(GROUPS))
                for _ in range(given.rows):
                    k = draw.randrange(len(lines))
                    out.writerow(lines[k] + [draw.choices(names, chances(names, refused[k], given.differences))[0]
                                             for names in GROUPS.values()])
            document = json.loads(run(program, folder, "audit", "model.ow", "drawn.csv", "--by", ",".join(GROUPS), "--target", target,
                                      "--format", "json"))
            ps = [p for g in document["groups"] for p in (g["refused"]["p"], g["way"]["p"], g["effort_p"])]
            n_marked += min(ps) < 0.05
            for g in document["groups"]:
                n_groups += 1
                n_covered += g["refused"]["low"] <= share_of(g["group"], true_share, given.differences) <= g["refused"]["high"]
            if (i + 1) % 100 == 0:
                print(f"{i + 1} simulations: {n_marked} with a mark ({100 * n_marked / (i + 1):.1f} %), "
                      f"{n_covered} of {n_groups} intervals cover ({100 * n_covered / n_groups:.1f} %)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
