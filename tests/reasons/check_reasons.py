#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes reasons a second time, from what predict says of rows in which cells are left empty.

    check_reasons.py --program PROGRAM --data FOLDER
"""
import argparse
import csv
import itertools
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path


class Failed(Exception):
    """A reason is another one."""


def run(program, folder, *words):
    done = subprocess.run([str(program), *words, "--quiet"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"{words}: {done.returncode}\n{done.stderr}")
    return done.stdout


def write(path, titles, lines):
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(titles)
        out.writerows(lines)


def make_table(folder, n=1500):
    """Four columns with effects of known size, two without any."""
    draw = random.Random(3)
    effects = {"a": 2.5, "b": -2.0, "c": 1.5, "d": -1.2, "e": 0.0, "f": 0.0}
    lines = []
    for _ in range(n):
        row = [round(draw.gauss(0, 1), 2) for _ in effects]
        odds = sum(x * w for x, w in zip(row, effects.values()))
        lines.append(row + ["yes" if draw.random() < 1 / (1 + math.exp(-odds)) else "no"])
    write(folder / "known.csv", [*effects, "says"], lines)
    # Every effect at work: each of the four 1.5 deviations off, against "yes".
    query = [-1.5 if w > 0 else 1.5 if w < 0 else 0.1 for w in effects.values()]
    write(folder / "queries.csv", list(effects), [query, [0.5, 0.5, "", -1, 2, -2], [2, -2, 1, -1, 0, 0]])
    return list(effects), [query, [0.5, 0.5, "", -1, 2, -2], [2, -2, 1, -1, 0, 0]]


def shapley(program, folder, titles, row, target):
    """By all orders of the columns that have a value."""
    known = [j for j, value in enumerate(row) if value != ""]
    subsets = [s for k in range(len(known) + 1) for s in itertools.combinations(known, k)]
    write(folder / "subsets.csv", titles, [[row[j] if j in s else "" for j in range(len(row))] for s in subsets])
    v = {}
    for s, line in zip(subsets, run(program, folder, "predict", "known.ow", "subsets.csv", "--json").splitlines()):
        proba = json.loads(line)["proba"]
        v[s] = math.log(proba[target]) - math.log(sum(p for name, p in proba.items() if name != target))
    values = dict.fromkeys(range(len(row)), 0.0)
    orders = list(itertools.permutations(known))
    for order in orders:
        for i, j in enumerate(order):
            values[j] += (v[tuple(sorted(order[:i + 1]))] - v[tuple(sorted(order[:i]))]) / len(orders)
    return values, v[tuple(known)], v[()]


def check_sum(said, what):
    total = sum(r["value"] for r in said["reasons"])
    want = said["log_odds"] - said["log_odds_of_any_row"]
    if not math.isclose(total, want, abs_tol=1e-9):
        raise Failed(f"{what}: reasons sum to {total} instead of {want}")


def check_known(program, folder):
    titles, queries = make_table(folder)
    run(program, folder, "train", "known.csv", "--label", "says", "-o", "known.ow")
    lines = run(program, folder, "reasons", "known.ow", "queries.csv", "--target", "yes", "--json").splitlines()
    for row, line in zip(queries, lines):
        said = json.loads(line)
        check_sum(said, row)
        values, every, none = shapley(program, folder, titles, row, "yes")
        # Rows of one call share vector lanes, which may change last digits.
        for name, got, want in (("the row", said["log_odds"], every), ("any row", said["log_odds_of_any_row"], none)):
            if abs(got - want) > 1e-4:
                raise Failed(f"{row}: log-odds of {name} {got} instead of {want}")
        for r in said["reasons"]:
            (name, _), = r["values"].items()
            if abs(r["value"] - values[titles.index(name)]) > 1e-4:
                raise Failed(f"{row}: {name} {r['value']} instead of {values[titles.index(name)]}")
        if not said["exact"]:
            raise Failed("six columns are not exact")
    first = [next(iter(r["values"])) for r in json.loads(lines[0])["reasons"]]
    if set(first[:4]) != set("abcd"):
        raise Failed(f"the four reasons against yes are {first[:4]}")


def check_other_classifier(program, folder):
    """A network decides: columns are drawn, the error is told, and the sum is still that of the log-odds."""
    run(program, folder, "train", "known.csv", "--label", "says", "--classifier", "mlp", "-o", "network.ow")
    words = ("reasons", "network.ow", "queries.csv", "--target", "yes", "--json")
    told = run(program, folder, *words)
    if told != run(program, folder, *words, "--threads", "1"):
        raise Failed("another number of threads draws other reasons")
    for line in told.splitlines():
        said = json.loads(line)
        check_sum(said, "a network")
        errors = [r["error"] for r in said["reasons"] if r["value"] != 0.0]
        if said["exact"] or not all(0.0 < error < 0.5 for error in errors):
            raise Failed(f"errors of drawn reasons: {errors}")
    first = [next(iter(r["values"])) for r in json.loads(told.splitlines()[0])["reasons"]]
    if set(first[:4]) != set("abcd"):
        raise Failed(f"a network's four reasons against yes are {first[:4]}")


def check_drawn(program, data, folder):
    """Twenty columns: the sum is exact, the same seed gives the same bytes, another one values within the errors."""
    table = str((data / "credit.csv").resolve())
    run(program, folder, "train", table, "--label", "risk", "-o", "credit.ow")
    words = ("reasons", "credit.ow", table, "--row", "1-5", "--target", "good", "--json")
    told = run(program, folder, *words)
    if told != run(program, folder, *words, "--threads", "1"):
        raise Failed("another number of threads gives other reasons")
    for line, other in zip(told.splitlines(), run(program, folder, *words, "--seed", "9").splitlines()):
        said, again = json.loads(line), json.loads(other)
        check_sum(said, f"row {said['row']}")
        if said["exact"] or max(r["error"] for r in said["reasons"]) > 0.1:
            raise Failed(f"row {said['row']}: exact, or errors too large")
        values = {tuple(r["values"]): r for r in again["reasons"]}
        for r in said["reasons"]:
            o = values[tuple(r["values"])]
            if abs(r["value"] - o["value"]) > 6 * math.hypot(r["error"], o["error"]) + 1e-6:
                raise Failed(f"row {said['row']}: {r} and {o}")
    (folder / "texts.json").write_text(json.dumps({"duration": "The loan runs long"}))
    text = run(program, folder, "reasons", "credit.ow", table, "--row", "2", "--target", "good", "--reasons", "texts.json")
    if "The loan runs long: duration 48" not in text:
        raise Failed(f"the user's text is not there: {text}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--data", required=True, type=Path)
    given = parser.parse_args()
    program = given.program.resolve()
    with tempfile.TemporaryDirectory(prefix="ow-reasons-") as name:
        try:
            check_known(program, Path(name))
            check_other_classifier(program, Path(name))
            check_drawn(program, given.data, Path(name))
        except Failed as failure:
            print(failure, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
