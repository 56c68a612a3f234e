#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random constraints against every method, counted by a checker of its own:

    check_constraints.py OTHERWISE [--sets 1000] [--seed 1] [--methods guided,nearest,...]

Makes a table of loans, trains on it, and asks for counterfactuals under random sets of --immutable, --vary, --range (also relative to
the row), --allow (also moves), --monotone, --max-changes, --cost, --derive and --rule, with one method after the other.  Every answer that is
printed is checked here in Python, from the options alone; nothing of the library is used but its output.  Prints each violation and ends
with their number; the exit code is 1 if there is one."""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

NUMBERS = ["age", "income", "amount", "term", "payment", "ratio", "late"]
LEVELS = {"housing": ["rent", "own", "free"], "job": ["none", "part", "full"], "school": ["low", "middle", "high"]}
ORDERED = ["school"]
DIGITS = {"age": 0, "income": 0, "amount": 0, "term": 0, "payment": 2, "ratio": 1, "late": 0}
FORMULAS = {"payment = 1.05 * amount / term": ("payment", ["amount", "term"], lambda r: 1.05 * r["amount"] / r["term"]),
            "ratio = 1200 * payment / income": ("ratio", ["payment", "income"], lambda r: 1200 * r["payment"] / r["income"]),
            "ratio = round(100 * max(amount, 500) / income, 1)":
                ("ratio", ["amount", "income"], lambda r: 100 * max(r["amount"], 500) / r["income"])}


def write_table(path, rng):
    """1200 loans; payment and ratio follow, but for a few that do not."""
    rows = []
    for _ in range(1200):
        row = {"age": rng.randint(18, 75), "income": round(math.exp(rng.gauss(10.3, 0.4))), "amount": round(math.exp(rng.gauss(9, 0.5))),
               "term": 12 * rng.randint(1, 6), "late": min(4, int(rng.expovariate(1.5))), "housing": rng.choice(LEVELS["housing"]),
               "job": rng.choice(LEVELS["job"]), "school": rng.choice(LEVELS["school"])}
        row["payment"] = round(1.05 * row["amount"] / row["term"], 2)
        row["ratio"] = round(1200 * row["payment"] / row["income"] * (1.3 if rng.random() < 0.01 else 1), 1)
        score = row["ratio"] / 15 + row["late"] - (row["job"] == "full") - (row["school"] == "high") + rng.gauss(0, 0.5)
        row["class"] = "bad" if score > 1 else "good"
        rows.append(row)
    names = list(rows[0])
    path.write_text("\n".join([",".join(names)] + [",".join(str(row[name]) for name in names) for row in rows]) + "\n", encoding="utf-8")


def same(a, b):
    return a == b or (isinstance(a, (int, float)) and isinstance(b, (int, float)) and abs(a - b) <= 1e-9 * max(1, abs(a)))


def index(column, value):
    return LEVELS[column].index(value) if column in LEVELS else value


# Each constraint is (options of the command line, check), where check(query, answer, follows) says whether it is kept; follows are the
# columns that a formula of the set derives.

def some_immutable(rng):
    column = rng.choice(NUMBERS + list(LEVELS))
    return ["--immutable", column], lambda q, a, f: same(q[column], a[column])


def some_range(rng):
    column = rng.choice(NUMBERS)
    low, high = sorted([rng.randint(0, 80), rng.randint(0, 40000)])
    return ["--range", f"{column}={low}:{high}"], lambda q, a, f: same(q[column], a[column]) or low <= a[column] <= high


def some_reach(rng):
    column = rng.choice(NUMBERS)
    if rng.random() < 0.5:
        low, high = rng.choice([-30, -10, 0]), rng.choice([0, 10, 25, 100])

        def kept(q, a, f):
            slack = 1e-9 * (abs(q[column]) + 1)
            return same(q[column], a[column]) or (q[column] * (1 + low / 100) - slack <= a[column] <= q[column] * (1 + high / 100) + slack)
        return ["--range", f"{column}={low:+d}%:{high:+d}%"], kept
    low, high = rng.choice([-12, -2, 0]), rng.choice([0, 3, 12, 5000])
    return ["--range", f"{column}={low:+d}:{high:+d}"], lambda q, a, f: (
        same(q[column], a[column]) or q[column] + low - 1e-9 <= a[column] <= q[column] + high + 1e-9)


def some_allowed(rng):
    column = rng.choice(list(LEVELS))
    values = rng.sample(LEVELS[column], rng.randint(1, 2))
    return ["--allow", f"{column}={'|'.join(values)}"], lambda q, a, f: a[column] in [q[column], *values]


def some_moves(rng):
    column = rng.choice(list(LEVELS))
    moves = [tuple(rng.sample(LEVELS[column], 2)) for _ in range(rng.randint(1, 2))]
    text = "|".join(f"{start}->{end}" for start, end in moves)
    return ["--allow", f"{column}={text}"], lambda q, a, f: a[column] == q[column] or (q[column], a[column]) in moves


def some_direction(rng):
    column, up = rng.choice(NUMBERS + ORDERED), rng.random() < 0.5
    return ["--monotone", f"{column}={'up' if up else 'down'}"], lambda q, a, f: (
        index(column, a[column]) >= index(column, q[column]) if up else index(column, a[column]) <= index(column, q[column]))


def some_limit(rng):
    most = rng.randint(1, 4)
    return ["--max-changes", str(most)], lambda q, a, f: sum(not same(q[c], a[c]) for c in q if c not in f) <= most


def some_cost(rng):
    column = rng.choice(NUMBERS + list(LEVELS))
    direction = rng.choice(["", "up:", "down:"]) if column in NUMBERS + ORDERED else ""
    return ["--cost", f"{column}={direction}{rng.choice([0.2, 2, 5])}"], lambda q, a, f: True


def some_formula(rng):
    text = rng.choice(list(FORMULAS))
    column, parents, value = FORMULAS[text]

    def kept(q, a, f):
        if all(same(q[p], a[p]) for p in parents):
            return same(q[column], a[column])
        return abs(a[column] - value(a)) <= 0.5000001 * 10 ** -DIGITS[column]
    return ["--derive", text], kept


def some_term(rng):
    if rng.random() < 0.5:
        column = rng.choice(NUMBERS + ORDERED)
        word = rng.choice(["up", "down", "not up", "not down", "same", "changed"])

        def holds(q, a):
            start, end = index(column, q[column]), index(column, a[column])
            return {"up": end > start, "down": end < start, "not up": end <= start, "not down": end >= start, "same": end == start,
                    "changed": end != start}[word]
        return f"{column} {word}", column, holds
    if rng.random() < 0.5:
        column = rng.choice(list(LEVELS))
        level, sign = rng.choice(LEVELS[column]), rng.choice(["=", "!="])
        return f"{column}{sign}{level}", column, lambda q, a: (a[column] == level) == (sign == "=")
    column, sign = rng.choice(NUMBERS), rng.choice(["<", "<=", ">", ">="])
    bound = {"age": 40, "income": 30000, "amount": 9000, "term": 36, "payment": 250, "ratio": 15, "late": 1}[column]
    return f"{column} {sign} {bound}", column, lambda q, a: {
        "<": a[column] < bound, "<=": a[column] <= bound, ">": a[column] > bound, ">=": a[column] >= bound}[sign]


def some_rule(rng):
    before = [some_term(rng) for _ in range(rng.randint(0, 2))]
    behind = [some_term(rng) for _ in range(rng.randint(1, 2))]
    text = " and ".join(t[0] for t in behind)
    if before:
        text = " and ".join(t[0] for t in before) + " => " + text

    def kept(q, a, f):
        if all(same(q[t[1]], a[t[1]]) for t in before + behind):
            return True
        return not all(t[2](q, a) for t in before) or all(t[2](q, a) for t in behind)
    return ["--rule", text], kept


KINDS = [some_immutable, some_range, some_reach, some_allowed, some_moves, some_direction, some_limit, some_cost, some_formula, some_rule]


def random_set(rng):
    constraints, used = [], set()
    for kind in rng.sample(KINDS, rng.randint(1, 5)):
        options, kept = kind(rng)
        about = options[1].split("=")[0].strip()
        if options[0] in ("--range", "--allow", "--immutable", "--monotone") and about in used:
            continue  # two wishes about one column may leave nothing, which is an error
        used.add(about)
        constraints.append((options, kept))
    return constraints


def found_relations(schema):
    """What the schema itself says: (column, parents) of formulas, which are checked as they stand."""
    return {c["name"]: c for c in schema["columns"] if "derived" in c or "nearly" in c or "follows" in c}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--sets", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--methods", default="guided,nearest,two-step,wachter,cem,face")
    arguments = parser.parse_args()
    program, rng = arguments.program.resolve(), random.Random(arguments.seed)
    n_answers = n_broken = n_refused = n_kept = 0
    with tempfile.TemporaryDirectory() as folder:
        table, model, schema = (str(pathlib.Path(folder, name)) for name in ("loans.csv", "loans.ow", "schema.json"))
        write_table(pathlib.Path(table), rng)
        subprocess.run([program, "schema", table, "--label", "class", "-o", schema], check=True, capture_output=True)
        follows = found_relations(json.loads(pathlib.Path(schema).read_text(encoding="utf-8")))
        print(f"the schema says: {', '.join(follows)} follow others")
        subprocess.run([program, "train", table, "--label", "class", "-o", model], check=True, capture_output=True)
        methods = arguments.methods.split(",")
        for number in range(arguments.sets):
            method, constraints = methods[number % len(methods)], random_set(rng)
            first = rng.randint(1, 1150)
            command = [program, "explain", model, table, "--method", method, "--row", f"{first}-{first + 24}", "--format", "json",
                       "--background", table, *(text for options, _ in constraints for text in options)]
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            if run.returncode not in (0, 1):
                n_refused += 1
                if run.returncode != 2:
                    print(f"set {number}: {run.stderr.strip()}")
                    n_broken += 1
                continue
            n_kept += 1
            stated = {options[1].split("=")[0].strip() for options, _ in constraints if options[0] == "--derive"}
            for result in json.loads(run.stdout)["results"]:
                query = result["query"]["values"]
                for counterfactual in result["counterfactuals"]:
                    answer = counterfactual["values"]
                    n_answers += 1
                    for options, kept in constraints:
                        if not kept(query, answer, stated | set(follows)):
                            n_broken += 1
                            print(f"set {number}, {method}, row {result['row']}: {' '.join(options)} is broken by", {
                                c: (query[c], answer[c]) for c in query if not same(query[c], answer[c])})
    print(f"{n_kept} sets ({n_refused} more were refused as contradictory), {n_answers} answers, {n_broken} violations")
    return 1 if n_broken or n_answers == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
