#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How often answers break what nearly all rows of a table keep to, by the structure of the circuit.

    bench/answers/check_structures.py TABLE.csv --label NAME --relation "Y ~ A B" [--relation ...] [--target CLASS] [--rows N]
                                      [--method M] [--structures random,tree] [--program P]

A relation is a line log Y = c + a log A + b log B + ... fitted to the rows; 99.5 % of them lie within its band.  Models are trained with each structure
and explain rows with the schema's relations switched off (explain --no-relations): what keeps answers to them is the density alone.  Printed for each: answers, mean changes, the share
outside each band, and of those that break one at least.  Rows that are outside themselves are not asked about.
"""
import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile

SHARE = 0.995


def solve(matrix, right):
    """Gaussian elimination with pivoting."""
    n = len(right)
    rows = [list(row) + [b] for row, b in zip(matrix, right)]
    for i in range(n):
        best = max(range(i, n), key=lambda r, i=i: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[i])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


class Relation:
    def __init__(self, text, rows):
        self.y, right = (part.strip() for part in text.split("~"))
        self.xs = right.split()
        usable = [row for row in rows if self.logs(row) is not None]
        points = [self.logs(row) for row in usable]
        size = len(self.xs) + 1
        matrix = [[sum(p[0][i] * p[0][j] for p in points) for j in range(size)] for i in range(size)]
        self.line = solve(matrix, [sum(p[0][i] * p[1] for p in points) for i in range(size)])
        off = sorted(abs(self.residual(row)) for row in usable)
        self.band = off[min(len(off) - 1, math.ceil(SHARE * len(off)) - 1)]

    def logs(self, row):
        try:
            values = [float(row[name]) for name in (*self.xs, self.y)]
        except (TypeError, ValueError):
            return None
        if any(value <= 0 for value in values):
            return None
        logs = [math.log(value) for value in values]
        return [1.0] + logs[:-1], logs[-1]

    def residual(self, row):
        x, y = self.logs(row)
        return y - sum(a * b for a, b in zip(self.line, x))

    def broken(self, row):
        return self.logs(row) is not None and abs(self.residual(row)) > self.band * (1 + 1e-9)


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(done.stderr)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table")
    parser.add_argument("--label", required=True)
    parser.add_argument("--relation", action="append", required=True)
    parser.add_argument("--target")
    parser.add_argument("--rows", type=int, default=400)
    parser.add_argument("--method", default="guided")
    parser.add_argument("--structures", default="random,tree")
    parser.add_argument("--program", default="build/release/otherwise")
    args = parser.parse_args()
    with open(args.table, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    relations = [Relation(text, rows) for text in args.relation]
    for relation in relations:
        print(f"{relation.y} ~ {' '.join(relation.xs)}: within {100 * (math.exp(relation.band) - 1):.2f} % for {100 * SHARE} % of the rows")
    target = ["--target", args.target] if args.target else []
    for structure in args.structures.split(","):
        with tempfile.TemporaryDirectory() as folder:
            model = f"{folder}/m.ow"
            run(args.program, "train", args.table, "--label", args.label, "--structure", structure, "-o", model, "--quiet")
            found = json.loads(run(args.program, "explain", model, args.table, "--method", args.method, "--format", "json", "--no-relations", "--surer", "off",
                                   "--background", args.table, "--row", f"1-{min(args.rows, len(rows))}", "--quiet", *target))["results"]
        answers = [r for r in found if r["status"] == "found" and not any(x.broken(r["query"]["values"]) for x in relations)]
        values = [r["counterfactuals"][0]["values"] for r in answers]
        n = max(1, len(values))
        changes = sum(len(r["counterfactuals"][0]["changes"]) for r in answers) / n
        each = " ".join(f"{sum(map(x.broken, values)) / n:.4f}" for x in relations)
        some = sum(any(x.broken(v) for x in relations) for v in values) / n
        print(f"{structure:8} {len(values):5} answers, {changes:.2f} changes; broken: {each}; any {some:.4f}", flush=True)


if __name__ == "__main__":
    main()
