#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A column of 10,000 levels in 30,000 rows: what training costs on one thread, and what the column does to accuracy.

    check_many_levels.py PROGRAM [--rows N] [--levels N]

The table is made by a seed; half of the rows have one of the common levels, as merchants do, and the label does not
depend on them.  Prints processor seconds and the accuracy on rows held out, with the column and without it.
"""
import argparse
import json
import random
import resource
import subprocess
import tempfile
from pathlib import Path


def write_tables(folder, n_rows, n_levels):
    rng = random.Random("many levels")
    with (folder / "with.csv").open("w") as with_it, (folder / "without.csv").open("w") as without:
        names = "income,debt,rate,term,region,purpose"
        print(f"{names},merchant,decision", file=with_it)
        print(f"{names},decision", file=without)
        for _ in range(n_rows):
            income, debt, rate = rng.lognormvariate(10.5, .4), rng.lognormvariate(9, .7), rng.uniform(2, 14)
            term = rng.choice((12, 24, 36, 48, 60))
            level = rng.randrange(n_levels) if rng.random() < .5 else int(n_levels * rng.random() ** 4)
            score = income / 1e4 - debt / 6e3 - rate / 4 + term / 30 + rng.gauss(0, 1.5)
            row = f"{income:.2f},{debt:.2f},{rate:.1f},{term},{rng.choice('NSEW')},{rng.choice(('car', 'home', 'other'))}"
            decision = "yes" if score > .5 else "no"
            print(f"{row},M{level:05d},{decision}", file=with_it)
            print(f"{row},{decision}", file=without)


def train(program, table):
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run([program, "train", table, "--label", "decision", "--threads", "1", "--quiet",
                           "--json", "-o", str(Path(table).with_suffix(".ow"))],
                          capture_output=True, text=True, check=True)
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before
    return seconds, json.loads(done.stdout)["training"]["test"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=30000)
    parser.add_argument("--levels", type=int, default=10000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ow-levels-") as folder:
        write_tables(Path(folder), options.rows, options.levels)
        for name in ("with", "without"):
            seconds, held_out = train(options.program, f"{folder}/{name}.csv")
            error = (held_out["accuracy"] * (1 - held_out["accuracy"]) / held_out["rows"]) ** .5
            print(f"{name:8} the column: {seconds:5.2f} s of processor time, accuracy {held_out['accuracy']:.4f} "
                  f"(standard error {error:.4f})", flush=True)


if __name__ == "__main__":
    main()
