#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How good circuits of different structures are on the same rows, table by table.

    compare_structures.py PROGRAM [--base SETTING] [--with SETTING]... [--seeds N] [--most-rows N] [TABLE.csv LABEL]...

A SETTING is a list of options of `train` in quotes, such as "--structure tree --inputs 4".  For every table and seed the program holds
out 30 % of the rows and learns from the others with each setting; the figures are those of the rows held out.  A line says what
a setting has more than the base: log S, log-loss and accuracy, and the time in relation to the base's.  At the end
stand the means over all tables, the tables whose log S falls by more than 0.3, and how often each structure was chosen.

write_tables.py FOLDER --arguments prints tables and labels as they are wanted here.
"""
import argparse
import collections
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

WORSE = 0.3  # nats of log S


def measure(program, path, label, setting, seed):
    """The scores of the rows held out, the structure, and the seconds that training took."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.process_time(), time.time()
        done = subprocess.run([program, "train", path, "--label", label, "--test-share", "0.3", "--seed", str(seed), "--quiet",
                               "--json", "-o", f"{folder}/model.ow", *shlex.split(setting)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{path}: {done.stderr.strip()}", file=sys.stderr)
        return None
    report = json.loads(done.stdout)
    return report["training"]["test"], report["circuit"], time.time() - began[1]


def mean(numbers):
    return sum(numbers) / max(1, len(numbers))


def difference(base, other):
    """log S, log-loss and accuracy of the other less those of the base; the relation of the times."""
    scores = [[[run[0][key] for run in runs] for key in ("log_density", "log_loss", "accuracy")] for runs in (base, other)]
    seconds = [sum(run[2] for run in runs) for runs in (base, other)]
    return [mean(b) - mean(a) for a, b in zip(*scores)] + [seconds[1] / seconds[0]]


def kind(runs):
    return " ".join(sorted({run[1].get("regions", "random") for run in runs}))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("tables", nargs="*", metavar="TABLE LABEL")
    parser.add_argument("--base", default="--structure random", metavar="SETTING")
    parser.add_argument("--with", dest="others", action="append", metavar="SETTING")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--most-rows", type=int, default=10**9, help="leave larger tables out")
    arguments = parser.parse_intermixed_args()
    if len(arguments.tables) % 2 != 0:
        parser.error("each TABLE needs its LABEL")
    others = arguments.others or ["--structure auto"]
    gains = collections.defaultdict(dict)
    chosen = collections.defaultdict(collections.Counter)
    for number, setting in enumerate(others):
        print(f"({number + 1}) {setting}")
    print(f"{'table':24} {'rows':>6} {'log S':>8} {'loss':>7} {'acc.':>6}   then for each setting: more log S, log-loss, accuracy; time")
    for path, label in zip(arguments.tables[::2], arguments.tables[1::2]):
        with open(path, encoding="utf-8") as file:
            n_rows = sum(1 for _ in file) - 1
        if n_rows > arguments.most_rows:
            continue
        runs = [[measure(arguments.program, path, label, setting, seed) for seed in range(1, arguments.seeds + 1)]
                for setting in (arguments.base, *others)]
        if any(run is None for several in runs for run in several):
            continue
        name, base = pathlib.Path(path).stem, runs[0]
        line = (f"{name:24} {n_rows:>6} {mean([run[0]['log_density'] for run in base]):8.3f} "
                f"{mean([run[0]['log_loss'] for run in base]):7.4f} {mean([run[0]['accuracy'] for run in base]):6.3f}")
        for setting, other in zip(others, runs[1:]):
            gains[setting][name] = difference(base, other)
            chosen[setting][kind(other)] += 1
            line += "   {:+7.3f} {:+7.4f} {:+6.3f} {:4.1f} x ".format(*gains[setting][name]) + kind(other)
        print(line, flush=True)
    for setting in others:
        of = list(gains[setting].values())
        means = [mean(column) for column in zip(*of)]
        worse = [name for name, gain in gains[setting].items() if gain[0] < -WORSE]
        print(f"{setting}: {len(of)} tables, log S {means[0]:+.3f}, log-loss {means[1]:+.4f}, accuracy {means[2]:+.4f}, "
              f"time {means[3]:.2f} x; chosen: {dict(chosen[setting])}; log S lower by more than {WORSE}: "
              + (" ".join(worse) or "none"))


if __name__ == "__main__":
    main()
