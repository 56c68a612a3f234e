#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the Python package costs beside the C calls inside it: python_overhead.py [ROWS]

Runs with the package installed (make python): build/python-venv/bin/python bench/python_overhead.py
Each line is a ratio of two times of the same run: the whole Python call by the C call within it."""
import sys
import time
from pathlib import Path

import pandas as pd

from otherwise import CircuitClassifier, Explainer, _native

ROOT = Path(__file__).resolve().parent.parent


class Timed:
    """The library, with the time spent in one function."""

    def __init__(self, library, name):
        self.library, self.name, self.seconds = library, name, 0.0

    def __getattr__(self, attribute):
        value = getattr(self.library, attribute)
        if attribute != self.name:
            return value

        def run(*arguments):
            began = time.perf_counter()
            try:
                return value(*arguments)
            finally:
                self.seconds += time.perf_counter() - began
        return run


def measure(what, module, function, work, limit):
    """One line: the time of work() by that of the library's function within it."""
    module.lib = Timed(_native.lib, function)
    began = time.perf_counter()
    work()
    whole = time.perf_counter() - began
    print(f"{what:48} {whole:8.3f} s  {whole / module.lib.seconds:5.2f} x the C call "
          f"(limit {limit})")
    module.lib = _native.lib


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 10000
    table = pd.read_csv(ROOT / "data" / "credit.csv")
    X, y = table.drop(columns="risk"), table["risk"]
    from otherwise import _explainer, _model

    measure("training on the 1000 applicants", _model, "ow_model_train",
            lambda: CircuitClassifier().fit(X, y), 1.15)
    model = CircuitClassifier().fit(X, y)
    many = pd.concat([X] * (n // len(X) + 1), ignore_index=True)[:n]
    explainer = Explainer(model)
    measure(f"explaining {n} rows, frame to frame", _explainer, "ow_explainer_explain",
            lambda: explainer.explain(many, target="good").frame(), 1.25)
    row = X[model.predict(X) == "bad"][:1]
    explainer.explain(row, target="good")
    began = time.perf_counter()
    for _ in range(20):
        explainer.explain(row, target="good")
    print(f"{'explaining one row, warm':48} {(time.perf_counter() - began) / 20 * 1e3:8.2f} ms "
          "(limit 2 ms)")


if __name__ == "__main__":
    main()
