#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the Python package costs beside the C calls inside it: python_overhead.py [ROWS] [--adult FILE] [--arrow MEGABYTES]

Runs with the package installed (make python): build/python-venv/bin/python bench/python_overhead.py
Ratios are of processor time of the calling thread, which works through the C call together with the library's other threads: what they would be of
wall time on idle processors, and the same on busy ones.  --adult trains on adult.data from pandas, and by the program (--program) from the file; processor time of
all threads.  --arrow explains nothing but trains on an Arrow table of so many megabytes, and tells the memory beyond the table."""
import argparse
import os
import re
import resource
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import pandas as pd

from otherwise import CircuitClassifier, Explainer, _explainer, _native

ROOT = Path(__file__).resolve().parent.parent
ADULT = ("age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,capital_gain,capital_loss,"
         "hours_per_week,native_country,income").split(",")


class Timed:
    """The library, with the time spent in one function."""

    def __init__(self, library, name):
        self.library, self.name, self.seconds = library, name, 0.0

    def __getattr__(self, attribute):
        value = getattr(self.library, attribute)
        if attribute != self.name:
            return value

        def run(*arguments):
            began = time.thread_time()
            try:
                return value(*arguments)
            finally:
                self.seconds += time.thread_time() - began
        return run


def explaining(n):
    table = pd.read_csv(ROOT / "data" / "credit.csv")
    X, y = table.drop(columns="risk"), table["risk"]
    model = CircuitClassifier().fit(X, y)
    explainer = Explainer(model)
    many = pd.concat([X] * (n // len(X) + 1), ignore_index=True)[:n]
    explainer.explain(many[:100], target="good")
    _explainer.lib = Timed(_native.lib, "ow_explainer_explain")
    began = time.thread_time()
    explainer.explain(many, target="good").frame()
    whole, inside = time.thread_time() - began, _explainer.lib.seconds
    _explainer.lib = _native.lib
    print(f"explaining {n} rows, frame to frame: {whole:.3f} s, {whole / inside:.2f} x the C call (limit 1.25)")
    row = X[model.predict(X) == "bad"][:1]
    for what, work in (("explaining one row, warm", lambda: explainer.explain(row, target="good")),
                       ("the same with frame()", lambda: explainer.explain(row, target="good").frame())):
        times = []
        for _ in range(50):
            began = time.process_time()
            work()
            times.append(time.process_time() - began)
        print(f"{what}: {sorted(times)[25] * 1e3:.2f} ms of processor (limit 2 ms)")


def training(path, program):
    table = pd.read_csv(path, names=ADULT, skipinitialspace=True, na_values="?")
    with tempfile.TemporaryDirectory() as folder:
        table.to_csv(f"{folder}/adult.csv", index=False)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([program, "train", "adult.csv", "--label", "income", "-o", "a.ow", "--quiet"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    theirs = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    began = time.process_time()
    CircuitClassifier(test_share=0.2).fit(table.drop(columns="income"), table["income"])
    ours = time.process_time() - began
    print(f"training on Adult from pandas: {ours:.2f} s of processor, {ours / theirs:.2f} x the program's (limit 1.15)")


def resident():
    """Peak and current resident memory in megabytes."""
    status = Path("/proc/self/status").read_text()
    return [int(re.search(rf"{word}:\s+(\d+)", status)[1]) / 1024 for word in ("VmHWM", "VmRSS")]


def arrow(megabytes):
    import numpy as np
    import pyarrow as pa

    n = megabytes * 1_000_000 // (8 * 20)
    draw = np.random.default_rng(0)
    columns = {f"c{j}": draw.normal(size=n) for j in range(20)}
    y = np.where(columns["c0"] + columns["c1"] > 0, "yes", "no")
    table = pa.table(columns)
    del columns
    Path("/proc/self/clear_refs").write_text("5")
    before = resident()[1]
    model = CircuitClassifier(repetitions=1, inputs=1, epochs=1).fit(table, y).model_
    beyond = (resident()[0] - before) * 1.048576
    report = _native.lib.ow_model_report(model._pointer)
    stored = report.stored_in_memory / 1e6   # as `otherwise train -v` prints it
    print(f"an Arrow table of {table.nbytes / 1e6:.0f} MB, {n} rows: {beyond:.0f} MB at most beyond the table; rows stored in memory {stored:.0f} MB, "
          f"in files {report.stored_in_files / 1e6:.0f} MB (limit {stored + 100:.0f} MB)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="?", type=int, default=10000)
    parser.add_argument("--adult", metavar="FILE")
    parser.add_argument("--arrow", type=int, metavar="MEGABYTES")
    parser.add_argument("--program", default=str(ROOT / "build" / "release" / "otherwise"))
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if args.arrow is not None:
        arrow(args.arrow)
        return
    explaining(args.rows)
    if args.adult is not None:
        training(args.adult, os.path.abspath(args.program))


if __name__ == "__main__":
    main()
