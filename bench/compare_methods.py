#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every method on Credit and Adult, under the constraints that people would set, judged by otherwise evaluate.

    compare_methods.py PROGRAM [--methods A,B] [--queries N] [--seed N] [--seeds N] [--divisions N] [--only TABLE]

Rows are divided at random, 70 % to train the model and to serve as background, 30 % to explain; with --seeds methods, second circuit and
noise are drawn several times, and figures are means with deviations.  With --divisions it all happens for so many divisions, and a
last table has means and deviations over these.  Credit: bad to good; age,
personal status and foreign worker stay.  Adult (adult/adult.data in the folder that OTHERWISE_DATA names, without its column of
weights): up to 50K to above; race, sex and country stay, age only goes up.  Then Credit once more as the paper has it (numbers to
[0, 1], levels as Gaussians, groups split, presets paper): onehot_balance and collapse.  Prints the program's own tables.
"""
import argparse
import json
import os
import pathlib
import random
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ADULT = ("age,workclass,fnlwgt,education,education_num,marital_status,occupation,relationship,race,sex,"
         "capital_gain,capital_loss,hours_per_week,native_country,income")
PAPER = ["--scaling", "minmax", "--leaf", "gaussian", "--split-groups", "--repetitions", "40", "--inputs", "33"]
CREDIT_KEEPS = ["--immutable", "age,personal_status,foreign_worker"]
SHOWN = ["validity_target", "violations", "l0", "gower", "log_density_target", "dense", "judge_plausible@25", "ynn", "lof",
         "onehot_balance", "collapse", "redundancy", "stability"]
ADULT_KEEPS = ["--immutable", "race,sex,native_country", "--monotone", "age=up"]


def lines_of(path):
    return [line for line in path.read_text(encoding="ascii").splitlines() if line.strip()]


def show_divisions(summaries):
    """Means and deviations over the divisions of what tells methods apart."""
    print(f"means and deviations over {len(summaries)} divisions, "
          f"{sum(summary['n']['queries'] for summary in summaries)} queries")
    names = [method["name"] for method in summaries[0]["methods"]]
    print(" " * 20 + "".join(f"{name:>18}" for name in names))
    for metric in SHOWN:
        line = f"{metric:20}"
        for m in range(len(names)):
            figures = [summary["methods"][m]["metrics"][metric]["mean"] for summary in summaries]
            line += ("                 -" if None in figures else
                     f"{statistics.mean(figures):10.3f} \u00b1{statistics.stdev(figures):6.3f}")
        print(line)
    print(flush=True)


def compare(program, folder, title, data, train, evaluate):
    """data: header, rows, label, seeds; the two lists are options."""
    header, rows, label, seeds = data
    summaries = []
    for seed in seeds:
        divide_and_compare(program, folder, f"{title}, division {seed}", (header, rows, label, seed), train, evaluate)
        summaries.append(json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8")))
    if len(summaries) > 1:
        show_divisions(summaries)


def divide_and_compare(program, folder, title, data, train, evaluate):
    """One division."""
    header, rows, label, seed = data
    rows = rows[:]
    random.Random(seed).shuffle(rows)
    cut = round(0.7 * len(rows))
    for name, part in (("train.csv", rows[:cut]), ("test.csv", rows[cut:])):
        (folder / name).write_text("\n".join([header] + part) + "\n", encoding="ascii")
    print(f"== {title}", flush=True)
    subprocess.run([program, "train", "train.csv", "--label", label, "--test-share", "0", "--quiet", "-o", "m.ow"] + train,
                   cwd=folder, check=True, stdout=subprocess.DEVNULL)
    command = ["evaluate", "m.ow", "test.csv", "--background", "train.csv", "--quiet"] + evaluate
    print("$ otherwise " + " ".join(command), flush=True)
    subprocess.run([program] + command + ["-o", "out"], cwd=folder, check=False)
    print(flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--methods", default="all")
    parser.add_argument("--queries", default="400", help="rows of Adult to explain")
    parser.add_argument("--seed", type=int, default=1, help="of the division, or of the first")
    parser.add_argument("--divisions", type=int, default=1)
    parser.add_argument("--seeds", default="1", help="of methods and second circuit, for each division")
    parser.add_argument("--only", choices=["credit", "adult", "paper"])
    given = parser.parse_args()
    program = os.path.abspath(given.program)
    seeds = range(given.seed, given.seed + given.divisions)
    header, *credit = lines_of(ROOT / "data" / "credit.csv")
    adult = pathlib.Path(os.environ.get("OTHERWISE_DATA", "."), "adult", "adult.data")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if given.only in (None, "credit"):
            compare(program, folder, "Credit", (header, credit, "risk", seeds), [],
                    ["--target", "good", "--seeds", given.seeds, "--methods", given.methods] + CREDIT_KEEPS)
        if given.only in (None, "adult") and adult.exists():
            compare(program, folder, "Adult", (ADULT, lines_of(adult), "income", seeds), ["--drop", "fnlwgt"],
                    ["--target", ">50K", "--limit", given.queries, "--seeds", given.seeds, "--methods", given.methods]
                    + ADULT_KEEPS)
        elif given.only in (None, "adult"):
            print(f"{adult} is not there and left out")
        if given.only in (None, "paper"):
            presets = ",".join(method + ":paper" for method in given.methods.split(","))
            compare(program, folder, "Credit as in the paper", (header, credit, "risk", seeds), PAPER,
                    ["--target", "good", "--noise", "0", "--seeds", given.seeds, "--methods", presets])


if __name__ == "__main__":
    main()
