#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Corrections make a model rely less on a column that has nothing to do with the decision.

    check_corrections.py --program PROGRAM [--seeds N] [--verbose]

In a table two columns decide, and a third, "stamp", happens to agree with the label in 9 of 10 training rows; in the test rows it
is random.  Answers to refused rows that change the stamp are marked "this should not change the decision"; a model that is
trained with these corrections must change the stamp in fewer answers, and be as good on the test rows.
"""
import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

N_MARKED = 20


def write_rows(path, n, agrees, chance):
    """chance: of its own, so that files do not depend on each other."""
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["income", "debt", "stamp", "region", "label"])
        for _ in range(n):
            income, debt = chance.gauss(50, 15), chance.gauss(20, 8)
            good = income - 1.2 * debt + chance.gauss(0, 8) > 26
            same = chance.random() < agrees
            table.writerow([round(income, 1), round(debt, 1), "blue" if good == same else "red",
                            chance.choice("NESW"), "good" if good else "bad"])


def run(program, folder, *words):
    done = subprocess.run([str(program), *words], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(words)}: {done.returncode} {done.stderr}")
    return done.stdout


def accuracy(program, folder, model):
    """On test rows, whose stamps are random."""
    lines = run(program, folder, "predict", model, "test.csv", "--json").splitlines()
    with open(folder / "test.csv") as file:
        labels = [row["label"] for row in csv.DictReader(file)]
    return sum(json.loads(line)["class"] == label for line, label in zip(lines, labels)) / len(labels)


def answers(program, folder, model):
    """Results of all rows that are refused."""
    text = run(program, folder, "explain", model, "queries.csv", "--target", "good", "--format", "json")
    return [r for r in json.loads(text)["results"] if r["status"] == "found"]


def uses_stamp(result):
    return any(change["column"] == "stamp" for change in result["counterfactuals"][0]["changes"])


def check(program, folder, seed):
    write_rows(folder / "train.csv", 800, 0.9, random.Random(seed))
    write_rows(folder / "test.csv", 2000, 0.5, random.Random(1000 + seed))
    write_rows(folder / "queries.csv", 200, 0.9, random.Random(2000 + seed))
    common = ("train", "train.csv", "--label", "label", "--seed", str(seed), "--unlock", "all", "--quiet")
    run(program, folder, *common, "-o", "before.ow")
    found = answers(program, folder, "before.ow")
    marked = [r for r in found if uses_stamp(r)][:N_MARKED]
    corrections = [{"row": r["row"], "values": r["query"]["values"], "class": r["query"]["class"],
                    "changes": {c["column"]: c["to"] for c in r["counterfactuals"][0]["changes"] if c["column"] == "stamp"}}
                   for r in marked]
    (folder / "corrections.json").write_text(json.dumps({"corrections": corrections}))
    run(program, folder, *common, "-o", "after.ow", "--corrections", "corrections.json")
    after = answers(program, folder, "after.ow")
    return {"marked": len(marked), "before": sum(map(uses_stamp, found)) / len(found), "after": sum(map(uses_stamp, after)) / len(after),
            "accuracy_before": accuracy(program, folder, "before.ow"), "accuracy_after": accuracy(program, folder, "after.ow")}


def check_refusals(program, folder):
    """Wrong files are usage errors with a sentence."""
    for text, words in (("{", "corrections"), ("[]", "expected an object"), ('{"corrections": [{}]}', "correction 1"),
                        ('{"corrections": [{"values": {}, "changes": {"nope": 1}, "class": "good"}]}', "nope"),
                        ('{"corrections": [{"values": {}, "changes": {"debt": 1}, "class": "so"}]}', "so")):
        (folder / "wrong.json").write_text(text)
        done = subprocess.run([str(program), "train", "train.csv", "--label", "label", "-o", "x.ow", "--corrections", "wrong.json"],
                              cwd=folder, capture_output=True, text=True)
        if done.returncode != 2 or words not in done.stderr or (folder / "x.ow").exists():
            sys.exit(f"{text}: {done.returncode} {done.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args()
    program = given.program.resolve()
    with tempfile.TemporaryDirectory(prefix="ow-corrections-") as name:
        for seed in range(given.seeds):
            figures = check(program, Path(name), seed)
            if given.verbose:
                print(json.dumps(figures))
            if figures["marked"] < 10:
                sys.exit(f"the stamp is hardly used at all: {figures}")
            if not figures["after"] < 0.5 * figures["before"]:
                sys.exit(f"the stamp is used nearly as before: {figures}")
            if figures["accuracy_after"] < figures["accuracy_before"] - 0.01:
                sys.exit(f"accuracy has fallen: {figures}")
        check_refusals(program, Path(name))
    return 0


if __name__ == "__main__":
    sys.exit(main())
