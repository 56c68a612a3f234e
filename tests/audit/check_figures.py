#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Computes the figures of `otherwise audit` a second time, from what explain and predict say of the rows.

    check_figures.py --program PROGRAM --data FOLDER [--rows N]
"""
import argparse
import csv
import io
import json
import os
import math
import random
import subprocess
import sys
import tempfile
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from statistics import NormalDist

BANDS = [("below 25", -math.inf, 25), ("25 to below 40", 25, 40), ("from 40 on", 40, math.inf)]
TARGET = "good"
# The figures are to be right whatever the model is.
SMALL = ("--structure", "random", "--repetitions", "4", "--inputs", "4")


class Failed(Exception):
    """A figure is another one."""


def expect_near(got, want, what, tolerance=1e-6):
    if got is None and want is None:
        return
    if got is None or want is None or not math.isclose(got, want, rel_tol=tolerance, abs_tol=tolerance):
        raise Failed(f"{what}: {got} instead of {want}")


# ---- The statistics, by other ways than the program's ----

def wilson(k, n):
    """The ends solve (k/n - p)^2 = z^2 p (1 - p) / n."""
    if n == 0:
        return 0.0, 1.0
    z2 = NormalDist().inv_cdf(0.975) ** 2
    a, b, c = 1 + z2 / n, -(2 * k / n + z2 / n), (k / n) ** 2
    root = math.sqrt(max(0.0, b * b - 4 * a * c))
    return (0.0 if k == 0 else (-b - root) / (2 * a)), (1.0 if k == n else (-b + root) / (2 * a))


def fisher(k1, n1, k2, n2):
    """In whole numbers."""
    if n1 == 0 or n2 == 0:
        return 1.0
    k = k1 + k2
    tables = [math.comb(n1, i) * math.comb(n2, k - i) for i in range(max(0, k - n2), min(n1, k) + 1)]
    seen = math.comb(n1, k1) * math.comb(n2, k2)
    return float(Fraction(sum(t for t in tables if t <= seen), math.comb(n1 + n2, k)))


def rank_sum(x, y):
    n, m = len(x), len(y)
    if n < 8 or m < 8:
        return 1.0
    # U by counting pairs.
    u = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a in x for b in y)
    ties = sum(t ** 3 - t for t in (len(list(g)) for _, g in groupby(sorted(x + y))))
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    distance = abs(u - n * m / 2) - 0.5
    if variance <= 0 or distance <= 0:
        return 1.0
    return 2 * NormalDist().cdf(-distance / math.sqrt(variance))


def holm(ps):
    adjusted, largest = [0.0] * len(ps), 0.0
    for i, at in enumerate(sorted(range(len(ps)), key=lambda j: ps[j])):
        largest = max(largest, min(1.0, (len(ps) - i) * ps[at]))
        adjusted[at] = largest
    return adjusted


# ---- Figures ----

def figures(rows):
    refused = [r for r in rows if r["refused"]]
    way = [r for r in refused if r["way"]]
    return {"refused": (len(refused), len(rows)), "way": (len(way), len(refused)),
            "mean_changes": sum(r["changes"] for r in way) / len(way) if way else None,
            "mean_effort": sum(r["effort"] for r in way) / len(way) if way else None,
            "efforts": [r["effort"] for r in way]}


def check_groups(document, rows, by):
    smallest = document["smallest"]
    want, hidden = [], 0
    for names in [[name] for name in by] + [by]:
        values = sorted({tuple(r[name] for name in names) for r in rows})
        for value in values:
            inside = [r for r in rows if tuple(r[name] for name in names) == value]
            if len(inside) < smallest:
                hidden += 1
                continue
            outside = [r for r in rows if tuple(r[name] for name in names) != value]
            want.append((dict(zip(names, value)), figures(inside), figures(outside)))
    if hidden != document["hidden_groups"]:
        raise Failed(f"{document['hidden_groups']} groups are hidden instead of {hidden}")
    ps = []
    for _, f, o in want:
        ps += [fisher(*f["refused"], *o["refused"]), fisher(*f["way"], *o["way"]), rank_sum(f["efforts"], o["efforts"])]
    ps = holm(ps)
    got = {json.dumps(g["group"], sort_keys=True): g for g in document["groups"]}
    if len(got) != len(want) or document["tests"] != len(ps):
        raise Failed(f"{len(got)} groups and {document['tests']} tests instead of {len(want)} and {len(ps)}")
    for i, (name, f, _) in enumerate(want):
        g = got[json.dumps(name, sort_keys=True)]
        for key in ("refused", "way"):
            k, n = f[key]
            if (g[key]["count"], g[key]["of"]) != (k, n):
                raise Failed(f"{name}: {key} {g[key]} instead of {k} of {n}")
            for end, value in zip(("low", "high"), wilson(k, n)):
                expect_near(g[key][end], value, f"{name}: {key}, {end}")
        expect_near(g["mean_changes"], f["mean_changes"], f"{name}: changes")
        expect_near(g["mean_effort"], f["mean_effort"], f"{name}: effort", 1e-5)
        for key, p in (("refused", ps[3 * i]), ("way", ps[3 * i + 1])):
            expect_near(g[key]["p"], p, f"{name}: p of {key}", 1e-4)
        expect_near(g["effort_p"], ps[3 * i + 2], f"{name}: p of effort", 1e-4)
    return len(want)


def check_locked(program, folder, document, rows, columns):
    """Every level of one locked column tried on every refused row, by predict."""
    name, levels = next((c["name"], c["levels"]) for c in columns if c["immutable"] and "levels" in c)
    with open(folder / "credit.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    refused = [i for i, r in enumerate(rows) if r["refused"]]
    with open(folder / "tried.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, table[0].keys())
        out.writeheader()
        for i in refused:
            for level in levels:
                out.writerow({**table[i], name: level})
    lines = run(program, folder, "predict", "credit.ow", "tried.csv", "--json").splitlines()
    said = [json.loads(line)["class"] == TARGET for line in lines]
    n = sum(any(said[i * len(levels):(i + 1) * len(levels)]) for i in range(len(refused)))
    if document["only_locked"].get(name, 0) != n:
        raise Failed(f"{name}: {document['only_locked'].get(name, 0)} refused only because of it instead of {n}")


def check_actions(program, folder, document, rows):
    """Each action serves as many more rows as it says."""
    with open(folder / "credit.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    left = [i for i, r in enumerate(rows) if r["refused"]]
    for action in document["actions"]:
        with open(folder / "tried.csv", "w", newline="", encoding="utf-8") as file:
            out = csv.DictWriter(file, table[0].keys())
            out.writeheader()
            out.writerows({**table[i], action["column"]: action["value"]} for i in left)
        said = [json.loads(line)["class"] == TARGET
                for line in run(program, folder, "predict", "credit.ow", "tried.csv", "--json").splitlines()]
        if sum(said) != action["more"]:
            raise Failed(f"{action}: serves {sum(said)}")
        left = [i for i, served in zip(left, said) if not served]


def run(program, folder, *words):
    done = subprocess.run([str(program), *words, "--quiet"], cwd=folder, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise Failed(f"{words}: {done.returncode}\n{done.stderr}")
    return done.stdout


def read_rows(program, folder, constraints):
    """What explain says, with the groups beside it."""
    document = json.loads(run(program, folder, "explain", "credit.ow", "credit.csv", "--target", TARGET, "--format", "json",
                              "--surer", "off", *constraints))
    with open(folder / "credit.csv", newline="", encoding="utf-8") as file:
        table = list(csv.DictReader(file))
    rows = []
    for found, line in zip(document["results"], table):
        age = float(line["age"])
        answer = found["counterfactuals"][0] if found["status"] == "found" else None
        rows.append({"refused": found["status"] != "already-target", "way": answer is not None,
                     "changes": answer["distance"]["l0"] if answer else 0,
                     "effort": answer["distance"]["l1"] if answer else 0,
                     "age": next(name for name, low, high in BANDS if low <= age < high),
                     "housing": line["housing"], "branch": line["branch"]})
    own = json.loads(run(program, folder, "explain", "credit.ow", "credit.csv", "--row", "1", "--format", "json"))
    return rows, own["columns"]


def make_table(data, folder, n_rows):
    """The credit table with a column that the model does not know."""
    draw = random.Random(7)
    with open(data / "credit.csv", newline="", encoding="utf-8") as file:
        lines = list(csv.reader(file))[:n_rows + 1]
    with open(folder / "credit.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(lines[0] + ["branch"])
        out.writerows(line + [draw.choice(["north", "south", "east", "tiny" if draw.random() < 0.05 else "west"])]
                      for line in lines[1:])


def check_adult(program, folder, published, n_rows):
    """Adult by sex and race, where the published data are."""
    names = ("age workclass fnlwgt education education_num marital occupation relationship race sex gain loss hours country "
             "income").split()
    with open(published / "adult/adult.data", encoding="utf-8") as file:
        table = [dict(zip(names, line.strip().split(", "))) for line in file][:n_rows]
    with open(folder / "adult.csv", "w", newline="", encoding="utf-8") as file:
        out = csv.DictWriter(file, names)
        out.writeheader()
        out.writerows(table)
    run(program, folder, "train", "adult.csv", "--label", "income", "--drop", "fnlwgt", *SMALL, "-o", "adult.ow")
    question = ("adult.ow", "adult.csv", "--target", ">50K", "--vary", "education,hours,occupation", "--max-changes", "1", "--format", "json")
    results = json.loads(run(program, folder, "explain", *question, "--surer", "off"))["results"]
    rows = []
    for found, line in zip(results, table):
        answer = found["counterfactuals"][0] if found["status"] == "found" else None
        rows.append({"refused": found["status"] != "already-target", "way": answer is not None,
                     "changes": answer["distance"]["l0"] if answer else 0, "effort": answer["distance"]["l1"] if answer else 0,
                     "sex": line["sex"], "race": line["race"]})
    document = json.loads(run(program, folder, "audit", *question, "--by", "sex,race", "--smallest", "12"))
    n = check_groups(document, rows, ["sex", "race"])
    if n < 6 or not 0 < document["all"]["way"]["count"] < document["all"]["way"]["of"]:
        raise Failed(f"Adult: {n} groups, {document['all']['way']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, type=Path)
    parser.add_argument("--data", required=True, type=Path)
    parser.add_argument("--rows", type=int, default=400)
    given = parser.parse_args()
    program = given.program.resolve()
    # Few changes, so that some rows have no way.
    constraints = ("--vary", "duration,amount,purpose", "--max-changes", "1")
    with tempfile.TemporaryDirectory(prefix="ow-audit-") as name:
        folder = Path(name)
        try:
            make_table(given.data, folder, given.rows)
            run(program, folder, "train", "credit.csv", "--label", "risk", "--drop", "branch", *SMALL, "-o", "credit.ow")
            rows, columns = read_rows(program, folder, constraints)
            by = ["age", "housing", "branch"]
            words = ("audit", "credit.ow", "credit.csv", "--by", "age=25|40,housing,branch", "--target", TARGET, "--smallest", "12",
                     *constraints)
            document = json.loads(run(program, folder, *words, "--format", "json"))
            n = check_groups(document, rows, by)
            if not 0 < document["all"]["way"]["count"] < document["all"]["way"]["of"]:
                raise Failed(f"no row, or every row, has a way: {document['all']['way']}")
            lines = list(csv.DictReader(io.StringIO(run(program, folder, *words, "--format", "csv"))))
            for line, group in zip(lines, document["groups"]):
                if [int(line["rows"]), int(line["refused"]), int(line["way"])] != [
                        group["refused"]["of"], group["refused"]["count"], group["way"]["count"]]:
                    raise Failed(f"csv {line} is not {group}")
            if len(lines) != n:
                raise Failed(f"{len(lines)} lines of CSV for {n} groups")
            check_locked(program, folder, document, rows, columns)
            check_actions(program, folder, document, rows)
            if "OTHERWISE_DATA" in os.environ:
                check_adult(program, folder, Path(os.environ["OTHERWISE_DATA"]), 3 * given.rows)
            else:
                print("without OTHERWISE_DATA: Adult is not looked at")
        except Failed as failure:
            print(failure, file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
