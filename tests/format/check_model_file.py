#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program and a reader that knows only doc/format.md compute the same densities from a model file.

    check_model_file.py --program PROGRAM --data FOLDER CASE

trains a model as CASE says, lets the program predict some rows, computes the same from the file alone and
compares: log S(x given c), log S(x), P(c given x) and the density percentile.
"""
import argparse
import bisect
import csv
import json
import math
import subprocess
import sys
import tempfile
from pathlib import Path

from read_model import Model

# The program works with 32-bit floats; a percentile may then be off by the rows within that distance.
TOLERANCE = 1e-4
# Rows with gaps are compared with 2000 samples, one by one.
FEW_PARAMETERS = 200

CASES = {
    "auto_per_class": ["credit.csv", "--label", "risk"],
    "auto_shared_depth_2": ["credit.csv", "--label", "risk", "--circuit", "shared", "--depth", "2",
                            "--sums", "5", "--prior", "uniform"],
    "auto_per_class_depth_2": ["credit.csv", "--label", "risk", "--depth", "2"],
    "auto_depth_0": ["credit.csv", "--label", "risk", "--depth", "0"],
    "gaussian_per_class_depth_2": ["credit.csv", "--label", "risk", "--leaf", "gaussian", "--depth", "2",
                                   "--repetitions", "3", "--inputs", "4", "--sums", "3"],
    "gaussian_shared_learned": ["credit.csv", "--label", "risk", "--leaf", "gaussian", "--circuit",
                                "shared", "--variance", "learned", "--repetitions", "3", "--inputs", "4"],
    "gaussian_split_groups": ["credit.csv", "--label", "risk", "--leaf", "gaussian", "--split-groups",
                              "--repetitions", "2", "--inputs", "3"],
    "adam": ["credit.csv", "--label", "risk", "--learner", "adam", "--discriminative", "0.9"],
    "log1p": ["credit.csv", "--label", "risk", "--scaling", "log1p"],
    "minmax": ["credit.csv", "--label", "risk", "--scaling", "minmax", "--circuit", "shared"],
    "odd_columns": ["odd.csv", "--label", "kind"],
    "trees": ["credit.csv", "--label", "risk", "--structure", "tree", "--repetitions", "2", "--inputs", "3"],
    "trees_shared": ["credit.csv", "--label", "risk", "--structure", "tree", "--circuit", "shared", "--inputs", "4"],
    "trees_one_hot": ["credit.csv", "--label", "risk", "--structure", "tree", "--leaf", "gaussian", "--inputs", "3"],
    "trees_split_groups": ["credit.csv", "--label", "risk", "--structure", "tree", "--leaf", "gaussian",
                           "--split-groups", "--inputs", "3"],
    "trees_odd_columns": ["odd.csv", "--label", "kind", "--structure", "tree", "--classifier", "mlp"],
    "sheets": ["loans.csv", "--label", "decision", "--structure", "tree", "--inputs", "3"],
    "network": ["credit.csv", "--label", "risk", "--classifier", "mlp", "--hidden", "16,8"],
    "network_one_hot": ["credit.csv", "--label", "risk", "--classifier", "mlp", "--leaf", "gaussian", "--hidden",
                        "12", "--repetitions", "2", "--inputs", "3"],
    "network_odd_columns": ["odd.csv", "--label", "kind", "--classifier", "mlp"],
    "images": ["images.idx", "--labels", "labels.txt", "--repetitions", "2", "--inputs", "3"],
}


def odd_rows():
    """Point masses, gaps, whole and broken numbers, awkward names, three classes."""
    rows = [["a,b", "Größe", "gain", "share", "kind"]]
    for i in range(240):
        kind = ("one", "two", "three")[i % 3]
        gain = 0 if i % 4 else 100 + i * 37 % 1900
        share = "" if i % 11 == 0 else f"{(i * 29 % 97) / 97 + 0.3 * (i % 3):.3f}"
        rows.append([f"x{i % 5}" if i % 13 else "?", 20 + i * 7 % 41 + 5 * (i % 3), gain, share, kind])
    return rows


def loan_rows():
    """A payment that follows from an amount and a term of few values, and a burden that follows from payment and income."""
    rows = [["amount", "term", "payment", "income", "burden", "decision"]]
    for i in range(400):
        amount, term = 1000 * math.exp(i * 37 % 101 / 40), (12, 24, 36, 60)[i * 7 % 4]
        payment, income = 1.07 * amount / term, 900 * math.exp(i * 53 % 89 / 60)
        burden = 100 * payment / income
        rows.append([f"{amount:.2f}", term, f"{payment:.2f}", f"{income:.1f}", f"{burden:.1f}",
                     "yes" if burden < 10 + i * 29 % 31 else "no"])
    return rows


def write_data(folder):
    with open(folder / "loans.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(loan_rows())
    with open(folder / "odd.csv", "w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(odd_rows())
    pixels = bytes((r * 31 + i * i * 17 + 90 * (r % 2)) % 256 for r in range(60) for i in range(12))
    (folder / "images.idx").write_bytes(bytes([0, 0, 8, 3, 0, 0, 0, 60, 0, 0, 0, 3, 0, 0, 0, 4]) + pixels)
    (folder / "labels.txt").write_text("".join(f"{'odd' if r % 2 else 'even'}\n" for r in range(60)))


def rows_for(case, data):
    """Some rows of the data as {column: text}, with further gaps knocked into every other one."""
    if case == "images":
        content = data.read_bytes()[16:]
        rows = [{f"x{i}": str(content[12 * r + i]) for i in range(12)} for r in range(12)]
    else:
        with open(data, newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))[:24]
    for number, row in enumerate(rows):
        for place, name in enumerate(row):
            if number % 2 and (number * 5 + place * 3) % 7 == 0:
                row[name] = ""
    return rows


def write_rows(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def run(program, *arguments):
    done = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"otherwise {' '.join(map(str, arguments))} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def differs(got, want):
    return not abs(got - want) <= TOLERANCE * max(1.0, abs(want))


def densities_to_compare(model, x, c):
    """The log-densities, ascending, that the percentile of row x in class c refers to; None where they would take too
    long."""
    gaps = [math.isnan(value) for value in x]
    if not any(gaps):
        return model.sorted_densities(c)
    if len(model.tensor("circuit.leaf")) > FEW_PARAMETERS:
        return None
    marginals = ([math.nan if gap else value for value, gap in zip(sample, gaps)]
                 for sample in model.samples(c))
    return sorted(model.log_class_encoded(marginal)[c] for marginal in marginals)


def check_percentile(model, log_class, best, x, got):
    densities = densities_to_compare(model, x, best)
    if densities is None:
        return 0.0 <= got <= 100.0
    slack = TOLERANCE * max(1.0, abs(log_class[best]))
    low = 100.0 * bisect.bisect_left(densities, log_class[best] - slack) / len(densities)
    high = 100.0 * bisect.bisect_left(densities, log_class[best] + slack) / len(densities)
    return low - 1e-9 <= got <= high + 1e-9


def check_row(model, row, got):
    """A list of what the program says otherwise than the file."""
    log_class = model.log_class(row)
    posterior = model.decide(row, log_class)
    best = max(range(model.C), key=lambda c: posterior[c])
    wrong = []
    for c, name in enumerate(model.classes):
        if differs(got["log_density_by_class"][name], log_class[c]):
            wrong.append(f"log S(x given {name}): {got['log_density_by_class'][name]}, file {log_class[c]}")
        if abs(got["proba"][name] - posterior[c]) > 1e-3:
            wrong.append(f"P({name} given x): {got['proba'][name]}, file {posterior[c]}")
    if differs(got["log_density"], model.log_density(log_class)):
        wrong.append(f"log S(x): {got['log_density']}, file {model.log_density(log_class)}")
    ranked = sorted(posterior)
    if got["class"] != model.classes[best] and ranked[-1] - ranked[-2] > 1e-3:
        wrong.append(f"class {got['class']}, file {model.classes[best]}")
    if not check_percentile(model, log_class, best, model.encode(row), got["density_percentile"]):
        wrong.append(f"percentile {got['density_percentile']}")
    return wrong


def check_rest(model):
    """What no density depends on."""
    counts = model.tensor("classes.counts", model.C, 2)
    model.tensor("classes.samples", sum(counts[1::2]), model.d)
    model.tensor("classes.confusion", model.C, model.C)
    limits = model.tensor("classes.limits")
    assert len(limits) in (0, 2 * model.C * len(model.columns))
    assert all(low <= high for low, high in zip(limits[0::2], limits[1::2]))
    assert all(margin >= 0 for margin in model.tensor("classes.robust_margin", model.C))
    if "replicas.leaf" in model.tensors:  # as many times the circuit's own
        for name in ("region_start", "region_columns", "shift", "leaf", "log_weight"):
            n, n_own = len(model.tensor(f"replicas.{name}")), len(model.tensor(f"circuit.{name}"))
            assert n % n_own == 0 and 2 <= n // n_own <= 64, name
    figures = model.tensor("columns.figures", len(model.columns), 5)
    assert sum(figures[3::5]) == len(model.tensor("columns.quantiles"))
    assert sum(figures[4::5]) == len(model.tensor("columns.seen"))
    for c in range(model.C):
        assert list(model.sorted_densities(c)) == sorted(model.sorted_densities(c))
    assert math.isclose(math.fsum(map(math.exp, model.tensor("circuit.log_prior"))), 1.0)
    assert sum(counts[0::2]) == model.training["train"]["rows"]
    assert sum(model.tensor("classes.confusion")) == model.training["unseen"]["rows"]
    assert ("circuit_test" in model.training) == (model.hidden is not None)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("case", choices=CASES)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        data, *options = CASES[arguments.case]
        data = arguments.data / data if data == "credit.csv" else folder / data
        options = [str(folder / o) if o == "labels.txt" else o for o in options]
        model_path, rows_path = folder / "model.ow", folder / "rows.csv"
        run(arguments.program, "train", data, *options, "--epochs", "3", "-o", model_path, "--quiet")
        rows = rows_for(arguments.case, data)
        write_rows(rows_path, rows)
        lines = run(arguments.program, "predict", model_path, rows_path, "--json", "--quiet").splitlines()
        model = Model(model_path)
        check_rest(model)
        assert len(lines) == len(rows)
        failures = 0
        for number, (row, line) in enumerate(zip(rows, lines), 1):
            for sentence in check_row(model, row, json.loads(line)):
                print(f"{arguments.case}, row {number}: {sentence}")
                failures += 1
    print(f"{arguments.case}: {len(rows)} rows, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
