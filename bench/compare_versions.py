#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Two versions of the program on the same tables: what each makes of the columns, and how well each then learns.

    compare_versions.py OLD NEW [--rows N] [--seeds N] [--new-train WORDS] [TABLE.csv LABEL]...

For every table the schemas that both infer are compared, column by column: type, format, levels, whether it takes part in
the model at all, and whether the newer version locks it.  Then both learn from the same 70 % of N rows (drawn by the seed;
all, if there are fewer; --seeds 0: nothing is learned) on one thread, and judge the same other rows.  Prints a line for each table and each change, and the
means with the standard errors of the differences.  Locks change no model and are listed on a line of their own.  WORDS are options for the newer version's `train`, such as
'--structure random', without which it learns other circuits than versions before 0.3 did.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import tempfile


def read(path):
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    return rows[0], rows[1:]


def write(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([header, *rows])


def describe(program, path, label, folder):
    """Of each column: what the program takes it for; and which columns it locks."""
    out = os.path.join(folder, "schema.json")
    subprocess.run([program, "schema", path, "--label", label, "-o", out, "--quiet"], check=True, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as file:
        schema = json.load(file)
    said = {}
    for column in schema["columns"]:
        words = [column["type"]]
        if "levels" in column:
            words.append(f'{len(column["levels"])} levels')
        if "format" in column:
            words.append(column["format"])
        if column.get("also_missing"):
            words.append("missing " + "|".join(column["also_missing"]))
        if column["missing"]:
            words.append(f'{column["missing"]} missing')
        said[column["name"]] = ", ".join(words)
    for name in schema.get("carried", []):
        said[name] = "carried"
    return said, [column["name"] for column in schema["columns"] if column["immutable"]]


def judge(program, words, train, test, label, seed, folder):
    """Accuracy and log-loss of the test rows."""
    model = os.path.join(folder, "model.ow")
    subprocess.run([program, "train", train, "--label", label, "--test-share", "0", "--seed", str(seed), "--threads", "1",
                    "--quiet", "-o", model, *words], check=True, stdout=subprocess.DEVNULL)
    lines = subprocess.run([program, "predict", model, test, "--json", "--quiet"], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    header, rows = read(test)
    classes = [row[header.index(label)] for row in rows]
    proba = [json.loads(line)["proba"] for line in lines]
    right = [max(p, key=p.get) == name for p, name in zip(proba, classes)]
    loss = [-math.log(max(p.get(name, 0.0), 1e-15)) for p, name in zip(proba, classes)]
    return statistics.fmean(right), statistics.fmean(loss)


def divide(header, rows, label, n, seed):
    """Training and test rows of every class, 70 to 30."""
    rng = random.Random(f"versions {seed}")
    at = header.index(label)
    rows = [row for row in rows if row[at] not in ("", "NA", "?")]
    rows = rng.sample(rows, n) if len(rows) > n else rng.sample(rows, len(rows))
    rows.sort(key=lambda row: row[at])  # stable: by class, in a random order
    return [row for i, row in enumerate(rows) if i % 10 < 7], [row for i, row in enumerate(rows) if i % 10 >= 7]


def compare(programs, path, label, arguments, folder):
    """Prints what has changed, and returns both versions' mean figures; None if nothing is learned."""
    name = pathlib.Path(path).stem
    (old, _), (new, locks) = (describe(program, path, label, folder) for program in programs)
    for column in sorted(set(old) | set(new)):
        if old.get(column) != new.get(column):
            print(f"    {name}, {column}: {old.get(column)} -> {new.get(column)}", flush=True)
    if locks:
        print(f"    {name}, locked: {', '.join(locks)}")
    if arguments.seeds == 0:
        return None
    header, rows = read(path)
    files = [os.path.join(folder, kind) for kind in ("train.csv", "test.csv")]
    figures = []
    for seed in range(arguments.seeds):
        for file, part in zip(files, divide(header, rows, label, arguments.rows, seed)):
            write(file, header, part)
        words = ([], arguments.new_train.split())
        figures.append([judge(program, words[v], *files, label, seed, folder) for v, program in enumerate(programs)])
    mean = [[statistics.fmean(f[v][k] for f in figures) for k in (0, 1)] for v in (0, 1)]
    print(f"{name:24} {len(rows):6}  {mean[0][0]:.4f} -> {mean[1][0]:.4f}  {mean[0][1]:.4f} -> {mean[1][1]:.4f}", flush=True)
    return mean


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--new-train", default="")
    arguments = parser.parse_intermixed_args()
    print("table                      rows  accuracy          log-loss")
    means = []
    with tempfile.TemporaryDirectory() as folder:
        for path, label in zip(arguments.tables[::2], arguments.tables[1::2]):
            try:
                mean = compare((arguments.old, arguments.new), path, label, arguments, folder)
                means += [mean] if mean is not None else []
            except subprocess.CalledProcessError as failed:
                print(f"{path}: {' '.join(failed.cmd[:3])} ends with {failed.returncode}")
    for k, what in ((0, "accuracy"), (1, "log-loss")) if means else ():
        differences = [new[k] - old[k] for old, new in means]
        error = statistics.stdev(differences) / math.sqrt(len(differences)) if len(differences) > 1 else math.nan
        print(f"{what}: mean {statistics.fmean(old[k] for old, _ in means):.4f} -> "
              f"{statistics.fmean(new[k] for _, new in means):.4f}, difference {statistics.fmean(differences):+.4f} "
              f"(standard error {error:.4f}), {len(means)} tables")


if __name__ == "__main__":
    main()
