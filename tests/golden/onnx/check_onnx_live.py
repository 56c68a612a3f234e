#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models that scikit-learn trains and skl2onnx exports, here and now: the program decides as onnxruntime does in Python.

    check_onnx_live.py --program P --folder F

F keeps a virtual environment with the packages; where they cannot be had, the script says so and ends with 77."""
import argparse
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

PACKAGES = ("numpy", "pandas", "scikit-learn", "skl2onnx", "onnx", "onnxruntime")
HERE = pathlib.Path(__file__).resolve().parent
# Label, and the columns that the model does not read.
MODELS = {"logistic": ("paid", "grade,town"), "forest": ("paid", "grade,town"), "boosting": ("grade", "paid"),
          "network": ("paid", "grade")}


def environment(folder):
    python, done = folder / "bin" / "python", folder / "done"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        result = subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *PACKAGES],
                                capture_output=True, text=True, check=False)
        if result.returncode != 0:
            print("skipped: onnxruntime and skl2onnx cannot be installed here", file=sys.stderr)
            sys.exit(77)
        done.touch()
    return python


def run(program, folder, *arguments):
    result = subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False,
                            env={**os.environ, "VIRTUAL_ENV": str(run.environment)})
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, arguments))}: {result.stderr}")
    return result.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    options = parser.parse_args()
    program, run.environment = pathlib.Path(options.program).resolve(), options.folder.resolve()
    python = environment(options.folder)
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, HERE / "write_models.py", folder], check=True)
        for name, (label, drop) in MODELS.items():
            run(program, folder, "train", "rows.csv", "--label", label, "--drop", drop, "--model", f"{name}.onnx", "--unlock", "all",
                "--repetitions", 2, "--inputs", 2, "--epochs", 2, "-o", f"{name}.ow")
            text = run(program, folder, "predict", f"{name}.ow", "rows.csv", "--format", "csv")
            predicted = [row["predicted"] for row in csv.DictReader(text.splitlines())]
            with open(pathlib.Path(folder) / f"{name}.proba.csv", encoding="utf-8") as file:
                proba = [[float(p) for p in line.split(",")] for line in file]
            classes = sorted(set(predicted))
            wanted = [classes[p.index(max(p))] for p in proba]
            wrong = sum(a != b for a, b in zip(predicted, wanted, strict=True))
            print(f"{name}: {len(wanted)} rows, {wrong} decided otherwise than onnxruntime in Python")
            failures += wrong
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
