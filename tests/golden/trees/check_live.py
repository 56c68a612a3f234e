#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains models with several versions of XGBoost and LightGBM, here and now, and compares 10,000 predictions of each.

    check_live.py --library LIBRARY --folder FOLDER [--rows 10000] [--sets old,middle,new]

The packages come from PyPI into virtual environments below FOLDER, which are kept; where they cannot be had, this says so and passes.
"""
import argparse
import os
import subprocess
import sys
from pathlib import Path

import environment

HERE = Path(__file__).resolve().parent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", required=True, type=Path)
    parser.add_argument("--folder", required=True, type=Path)
    parser.add_argument("--rows", type=int, default=10000)
    parser.add_argument("--sets", default=",".join(environment.SETS))
    arguments = parser.parse_args()
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}
    good = True
    for name in arguments.sets.split(","):
        python = environment.make(arguments.folder, name)
        if python is None:
            continue
        models = arguments.folder / f"models_{name}"
        made = subprocess.run([python, "-B", "-W", "ignore", HERE / "make_models.py", models, "--rows", str(arguments.rows), "--training",
                               "20000", "--iterations", "40"], env=one_thread, capture_output=True, text=True, check=False)
        if made.returncode != 0:
            print(made.stdout[-2000:], made.stderr[-2000:])
            good = False
            continue
        good &= subprocess.run([sys.executable, "-B", HERE / "check_models.py", "--library", arguments.library, models],
                               check=False).returncode == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
