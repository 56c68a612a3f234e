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
SMALL = ("--unlock", "all", "--repetitions", 2, "--inputs", 2, "--epochs", 2, "-o", "m.ow")
# Wrong uses of train, and what it says.
WRONG = (
    (("paid", "grade", "--model", "logistic.onnx"), "logistic.onnx has one input of 3 columns; the table has 4 columns"),
    (("paid", "grade,income", "--model", "network.onnx"), 'network.onnx has an input "income", the table has no such column'),
    (("paid", "grade", "--model", "no.onnx"), "no.onnx: onnxruntime cannot read the file"),
    (("paid", "grade,town", "--model", "logistic.onnx", "--model-classes", "yes,no"), "name its classes in its own order"),
    (("grade", "paid", "--model", "boosting.onnx", "--model-classes", "low,high,middle"), "name its classes in its own order"),
    (("paid", "grade,town", "--model", "linear.onnx"), "a model that predicts a number needs a limit"),
    (("grade", "paid,town", "--model", "logistic.onnx"), "logistic.onnx gives 2 numbers for 1 row, expected 3 for each row"),
    (("paid", "grade", "--model", "network.onnx", "--onnxruntime", "/"), "/ is no onnxruntime library, nor a folder with one"),
    (("paid", "grade", "--model", "network.onnx", "--original", "nobody"), 'there is no column "nobody"'),
)


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


def start(program, folder, *arguments):
    return subprocess.run([program, *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "VIRTUAL_ENV": str(run.environment)})


def run(program, folder, *arguments):
    result = start(program, folder, *arguments)
    if result.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, arguments))}: {result.stderr}")
    return result.stdout


def complaints(program, folder):
    """How many of the wrong uses are not told by their sentence."""
    (pathlib.Path(folder) / "no.onnx").write_text("income,debt\n1,2\n", encoding="utf-8")
    failures = 0
    for (label, drop, *words), sentence in WRONG:
        said = start(program, folder, "train", "rows.csv", "--label", label, "--drop", drop, *words, *SMALL).stderr
        if sentence not in " ".join(said.split()):
            print(f"{' '.join(words)}: {said}, expected: {sentence}")
            failures += 1
    return failures


def compared_with_original(program, folder):
    """Decisions of the original beside the rows, two of them changed: both are told."""
    folder = pathlib.Path(folder)
    rows = list(csv.reader((folder / "rows.csv").read_text(encoding="utf-8").splitlines()))
    proba = [float(line.split(",")[1]) for line in (folder / "network.proba.csv").read_text(encoding="utf-8").splitlines()]
    decided = ["yes" if p > 0.5 else "no" for p in proba]
    for changes, sentence in (((), "decides all 240 rows as column"), ((6, 99), "decides 2 of 240 rows otherwise than column \"sk\": rows 7, 100")):
        said = [{"yes": "no", "no": "yes"}[d] if i in changes else d for i, d in enumerate(decided)]
        lines = [[*rows[0], "sk"], *([*row, word] for row, word in zip(rows[1:], said, strict=True))]
        (folder / "original.csv").write_text("".join(",".join(line) + "\n" for line in lines), encoding="utf-8")
        told = start(program, folder, "train", "original.csv", "--label", "paid", "--drop", "grade", "--model", "network.onnx",
                     "--original", "sk", *SMALL).stderr
        if sentence not in " ".join(told.split()):
            print(f"--original: {told}, expected: {sentence}")
            return 1
    return 0


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
        failures += complaints(program, folder) + compared_with_original(program, folder)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
