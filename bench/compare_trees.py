#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Predictions of tree models: our library beside XGBoost's inplace_predict and LightGBM's Booster.predict, in one run.

    compare_trees.py --library build/release/libotherwise.so [--folder FOLDER] [--rows 100000] [--runs 5]

The packages come from PyPI into a virtual environment below FOLDER (build/tree_packages), which is kept.  Models of 300 trees are trained
on German credit (data/credit.csv, categories as categories; XGBoost with depth 6, LightGBM with 31 leaves) and on 20,000 made-up rows
of 20 numbers; then the rows to predict are drawn with repetition and shaken a little.  One thread, a float array in memory for the
packages, a double array for us; processor seconds, the best of the runs.  Also the largest difference of a probability.
"""
import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests" / "golden" / "trees"))

LABEL = "class"


def best(runs, function):
    seconds = []
    for _ in range(runs):
        began = time.process_time()
        function()
        seconds.append(time.process_time() - began)
    return min(seconds)


def credit():
    """German credit as a table with pandas' categories, and the classes as 0 and 1."""
    import pandas as pd
    table = pd.read_csv(HERE.parent / "data" / "credit.csv")
    label = LABEL if LABEL in table else table.columns[-1]
    target = pd.factorize(table[label], sort=True)[0]
    table = table.drop(columns=label)
    for name in table:
        if not pd.api.types.is_numeric_dtype(table[name]):
            table[name] = table[name].astype("category")
    return table, target


def made_up():
    import numpy as np
    import pandas as pd
    random = np.random.default_rng(1)
    x = random.normal(size=(20000, 20))
    x[:, 10:] = np.round(3 * x[:, 10:])
    pull = x[:, 0] * x[:, 1] + x[:, 2] + 0.5 * x[:, 11] - x[:, 15] + random.normal(size=len(x))
    return pd.DataFrame(x, columns=[f"c{i}" for i in range(20)]), (pull > 0).astype(int)


def draw_rows(table, n):
    """Rows as the packages see them: numbers shaken by a percent, categories as codes."""
    import numpy as np
    import pandas as pd
    random = np.random.default_rng(2)
    which = random.integers(0, len(table), n)
    columns = []
    for name in table:
        if isinstance(table[name].dtype, pd.CategoricalDtype):
            columns.append(table[name].cat.codes.to_numpy()[which].astype(float))
        else:
            values = table[name].to_numpy(dtype=float)
            columns.append(values[which] * (1 + 0.01 * random.normal(size=n)))
    return np.ascontiguousarray(np.stack(columns, axis=1))


def models(folder, name, table, target):
    """Trains and saves: (what, path, the package's function of a float array)."""
    import lightgbm as lgb
    import xgboost as xgb
    path = folder / f"{name}.json"
    booster = xgb.train({"objective": "binary:logistic", "max_depth": 6, "eta": 0.1, "tree_method": "hist", "nthread": 1},
                        xgb.DMatrix(table, target, enable_categorical=True), 300)
    booster.save_model(path)
    plain = xgb.Booster(model_file=path)
    plain.set_param({"nthread": 1})
    yield "XGBoost", path, plain.inplace_predict
    path = folder / f"{name}.txt"
    forest = lgb.train({"objective": "binary", "num_leaves": 31, "verbosity": -1, "num_threads": 1}, lgb.Dataset(table, target), 300)
    forest.save_model(path)
    plain = lgb.Booster(model_file=path)
    plain.pandas_categorical = None
    yield "LightGBM", path, lambda x: plain.predict(x, num_threads=1)


def compare(library, folder, name, table, target, n_rows, runs):
    import numpy as np
    from library import DOUBLES
    rows = draw_rows(table, n_rows)
    floats = rows.astype(np.float32)
    rows = floats.astype(float)
    ratios = []
    for package, path, predict in models(folder, name, table, target):
        model, out = library.load(path), np.empty((n_rows, 2))
        given, filled = rows.ctypes.data_as(DOUBLES), out.ctypes.data_as(DOUBLES)
        ours = best(runs, lambda: model.fill(library.c.ow_trees_predict, n_rows, given, filled))
        theirs = best(runs, lambda: predict(floats))
        off = float(np.abs(out[:, 1] - predict(floats)).max())
        ratios.append(theirs / ours)
        print(f"{name:8} {package:8} {theirs / n_rows * 1e9:9.0f} ns a row; ours {ours / n_rows * 1e9:6.0f} ns, {ratios[-1]:5.1f} times as "
              f"fast; largest difference {off:.1e}")
        model.free()
    return ratios


def inside(arguments):
    """What runs in the environment that has the packages."""
    from library import Library
    library = Library(arguments.library.resolve())
    ratios = []
    for name, make in (("credit", credit), ("made up", made_up)):
        ratios += compare(library, arguments.folder, name, *make(), arguments.rows, arguments.runs)
    return 0 if min(ratios) >= 3 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--folder", type=Path, default=HERE.parent / "build" / "tree_packages")
    parser.add_argument("--rows", type=int, default=100000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--inside", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inside:
        return inside(arguments)
    import environment
    arguments.folder.mkdir(parents=True, exist_ok=True)
    python = environment.make(arguments.folder, "new")
    if python is None:
        return 0
    command = [python, "-B", "-W", "ignore", __file__, "--inside", "--library", arguments.library, "--folder", arguments.folder,
               "--rows", str(arguments.rows), "--runs", str(arguments.runs)]
    return subprocess.run(command, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
