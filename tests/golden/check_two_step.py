#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`otherwise explain --method two-step` takes the known steps of a circuit.

    check_two_step.py --program PROGRAM [--backend NAME] CIRCUIT.json

Compares u and x' (`intermediate` and `encoded` in the JSON), with the gradient of log S and with that of S itself, of every case whose
y is the class that the circuit predicts, with the values that stand in the file (README.md there).
"""
import argparse
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from check_import import TOLERANCES, USUAL_TOLERANCE


def run(program, *arguments):
    """What the program prints; 1 says only that some rows have no counterfactual."""
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"otherwise {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def explain(arguments, document, folder, gradient):
    """{number of the case: its result}; the cases of each target are asked for together."""
    model, results = folder / "model.ow", {}
    cases = document["cases"]
    run(arguments.program, "import", arguments.circuit, "-o", model)
    for target in sorted({case["y_target"] for case in cases}):
        numbers = [n for n, case in enumerate(cases) if case["y_target"] == target]
        table = folder / f"rows{target}.csv"
        with open(table, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([f"x{i}" for i in range(document["d"])])
            writer.writerows([[repr(x) for x in cases[n]["x"]] for n in numbers])
        text = run(arguments.program, "explain", model, table, "--target", target, "--method", "two-step",
                   "--set", f"class-step={document['eps1']}", "--set", f"density-step={document['eps2']}",
                   "--set", f"density-gradient={gradient}", "--format", "json", "--backend", arguments.backend)
        results.update(zip(numbers, json.loads(text)["results"]))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--backend", default="cpu")
    parser.add_argument("circuit", type=Path)
    arguments = parser.parse_args()
    document = json.loads(arguments.circuit.read_text(encoding="utf-8"))
    tolerance = TOLERANCES.get(arguments.circuit.stem, USUAL_TOLERANCE)
    n_compared, failures = 0, 0
    with tempfile.TemporaryDirectory() as name:
        for gradient, x_prime in (("log", "x_prime"), ("raw", "x_prime_raw")):
            for number, result in explain(arguments, document, Path(name), gradient).items():
                case = document["cases"][number]
                if result["query"]["class"] != str(case["y"]):
                    continue
                answer = result["counterfactuals"][0]
                for field, wanted in (("intermediate", "u"), ("encoded", x_prime)):
                    for j, (got, want) in enumerate(zip(answer[field], case[wanted])):
                        n_compared += 1
                        if got is None or not math.isclose(got, want, rel_tol=tolerance, abs_tol=tolerance):
                            print(f"case {number}, {gradient}: {field}[{j}] is {got}, expected {want}")
                            failures += 1
    print(f"{arguments.circuit.stem}: {n_compared} numbers, {failures} differ")
    return 1 if failures or n_compared == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
