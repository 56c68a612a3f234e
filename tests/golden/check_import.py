#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`otherwise import` and `predict --json` give the known answers of a circuit.

    check_import.py --program PROGRAM [--backend NAME] CIRCUIT.json

Compares log S(x given c), log S(x) and P(c given x) of every case at its point x, at the two steps u and x_prime, and of its
marginals, with the values that stand in the file (README.md there).
"""
import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

# Relative to max(1, |value|): what 32-bit floats can give; the circuit with weights down to 1e-248 asks for more.
TOLERANCES = {"g_d40_D1_underflow32": 1e-3}
USUAL_TOLERANCE = 1e-4


def queries_of(case):
    """[(what it is, row, log S given c, log S, posterior or None)]; a missing value is None."""
    marginal = [x if seen else None for x, seen in zip(case["x"], case["observed"])]
    return [
        ("x", case["x"], case["log_S_given_y"], case["log_S"], case["posterior"]),
        ("u", case["u"], case["log_S_given_y_at_u"], case["log_S_at_u"], None),
        ("x_prime", case["x_prime"], case["log_S_given_y_at_x_prime"], case["log_S_at_x_prime"],
         case["posterior_at_x_prime"]),
        ("marginal", marginal, case["marginal_log_S_given_y"], case["marginal_log_S"], None),
    ]


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"otherwise {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def predict(program, circuit, rows, backend):
    with tempfile.TemporaryDirectory() as name:
        model, table = Path(name) / "model.ow", Path(name) / "rows.csv"
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([f"x{i}" for i in range(len(rows[0]))])
            writer.writerows([["" if x is None else repr(x) for x in row] for row in rows])
        run(program, "import", circuit, "-o", model)
        return [json.loads(line) for line in
                run(program, "predict", model, table, "--json", "--backend", backend).splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("circuit", type=Path)
    arguments = parser.parse_args()
    document = json.loads(arguments.circuit.read_text(encoding="utf-8"))
    tolerance = TOLERANCES.get(arguments.circuit.stem, USUAL_TOLERANCE)
    queries = [(number, *query) for number, case in enumerate(document["cases"]) for query in queries_of(case)]
    answers = predict(arguments.program, arguments.circuit, [query[2] for query in queries],
                      arguments.backend)
    assert len(answers) == len(queries), f"{len(answers)} answers to {len(queries)} rows"

    n_compared, failures = 0, 0

    def compare(what, got, want, scale):
        nonlocal n_compared, failures
        n_compared += 1
        if got is None or not math.isfinite(got) or abs(got - want) > tolerance * scale:
            print(f"{what}: {got}, expected {want}")
            failures += 1

    for (case, what, _, log_class, log_density, posterior), answer in zip(queries, answers):
        for c, want in enumerate(log_class):
            compare(f"case {case}, {what}: log S given {c}", answer["log_density_by_class"][str(c)], want,
                    max(1.0, abs(want)))
        compare(f"case {case}, {what}: log S", answer["log_density"], log_density, max(1.0, abs(log_density)))
        for c, want in enumerate(posterior or []):
            # An error e in the two log-densities is one of e P (1 - P) in the posterior.
            scale = 1.0 + 2.0 * max(abs(l) for l in log_class) * want * (1.0 - want)
            compare(f"case {case}, {what}: P({c} given x)", answer["proba"][str(c)], want, scale)
    print(f"{arguments.circuit.stem}: {n_compared} values, {failures} differ")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
