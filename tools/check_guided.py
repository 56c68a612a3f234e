#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What guided must reach on Credit, Adult and MNIST, and what it does reach.

    tools/check_guided.py [--program build/release/otherwise] [--data DIR] [--rows N] [credit] [adult] [mnist]

Trains models with the program, explains rows that they have not seen, and prints each figure beside its floor; a figure
that misses it ends with exit code 1.  Two-step runs on a --leaf gaussian model of the same split, nearest on the training
rows.  The random forest needs scikit-learn (python3-sklearn), MNIST needs numpy (python3-numpy); without them those
figures are left out, with a sentence.  Adult and MNIST are looked for in DIR, $OTHERWISE_DATA by default."""

import argparse
import csv
import gzip
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ADULT_COLUMNS = ("age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,"
                 "capital-gain,capital-loss,hours-per-week,native-country,income").split(",")
DIGITS = (1, 3, 4, 7, 8)
PAIRS = [(1, 4), (4, 1), (1, 7), (7, 1), (3, 8), (8, 3), (7, 4), (4, 7)]


class Check:
    """Runs the program in a folder of its own and compares figures with floors."""

    def __init__(self, program, folder):
        self.program = str(pathlib.Path(program).resolve())
        self.folder = pathlib.Path(folder)
        self.missed = 0

    def run(self, *words, codes=(0, 1)):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True)
        if done.returncode not in codes:
            sys.exit(f"otherwise {' '.join(map(str, words))}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    def explain(self, model, rows, *words):
        return json.loads(self.run("explain", model, rows, "--format", "json", "--quiet", *words))

    def figure(self, name, got, floor, at_least):
        reached = got >= floor if at_least else got <= floor
        self.missed += not reached
        sign = ">=" if at_least else "<="
        print(f"  {name:46s} {got:9.3f}  {sign} {floor:<8.3f} {'' if reached else 'MISSED'}", flush=True)

    def least(self, name, got, floor):
        self.figure(name, got, floor, True)

    def most(self, name, got, floor):
        self.figure(name, got, floor, False)


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers) if numbers else math.nan


def write_csv(path, columns, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([row[column] for column in columns] for row in rows)


def split(rows, label, seed, share=0.3):
    """Stratified and seeded: (training rows, test rows)."""
    draw, train, test = random.Random(seed), [], []
    for value in sorted({row[label] for row in rows}):
        same = [row for row in rows if row[label] == value]
        draw.shuffle(same)
        n_test = round(share * len(same))
        test += same[:n_test]
        train += same[n_test:]
    draw.shuffle(test)
    return train, test


def answers_of(document):
    """Outcomes of the rows that needed an answer, each with its first counterfactual or None."""
    return [(result, (result["counterfactuals"] or [None])[0])
            for result in document["results"] if result["status"] != "already-target"]


# ---- Tables ----


def as_number(text):
    """A cell as a number: NaN for a gap, None for other text."""
    if text.strip() in ("", "NA", "?"):
        return math.nan
    try:
        return float(text)
    except ValueError:
        return None


def forest(train, label, good, columns):
    """A function from rows to how many of them a forest that was trained apart calls good; None without scikit-learn."""
    try:
        import numpy
        from sklearn.ensemble import RandomForestClassifier
    except ImportError:
        print("  (no scikit-learn: what a random forest says is left out)")
        return None
    known = {c: [number for number in (as_number(r[c]) for r in train) if number is None or not math.isnan(number)] for c in columns}
    middle = {c: float(numpy.median(known[c])) for c in columns if known[c] and None not in known[c]}
    levels = {c: sorted({r[c] for r in train}) for c in columns if c not in middle}

    def cells(row, c):
        if c not in middle:
            return [row[c] == v for v in levels[c]]
        number = as_number(row[c])
        return [middle[c] if number is None or math.isnan(number) else number]  # gaps are the middle number

    def encode(rows):
        return numpy.array([[x for c in columns for x in cells(r, c)] for r in rows], dtype=float)

    model = RandomForestClassifier(n_estimators=200, min_samples_leaf=5, random_state=0)
    model.fit(encode(train), [row[label] == good for row in train])
    return lambda rows: float(model.predict(encode(rows)).mean())


def text_rows(found, queries, columns):
    """Answers as rows of text; what is missing in the query is as the query has it."""
    made = []
    for result, answer in found:
        query = queries[result["row"] - 1]
        values = answer["values"]
        made.append({c: query[c] if values[c] is None else
                     (f"{values[c]:.10g}" if isinstance(values[c], (int, float)) else values[c]) for c in columns})
    return made


def compare_several(document):
    """Of rows with several answers: how many answers make all changes of another one, and how little two of them have in common (1 less
    the share of changes of either that both make, in the mean)."""
    n_held, apart = 0, []
    for result in document["results"]:
        made = [{(c["column"], str(c["to"])) for c in answer["changes"]} for answer in result["counterfactuals"] if answer["valid"]]
        for i, a in enumerate(made):
            n_held += sum(b <= a for b in made[:i] + made[i + 1:])
            apart += [1 - len(a & b) / len(a | b) for b in made[:i]]
    return n_held, apart


def check_table(check, name, rows, label, good, drop, rules, floors, seeds, most_rows):
    columns = [c for c in rows[0] if c != label and c not in drop]
    collected = {key: [] for key in ("found", "sure", "two-step", "nearest", "agrees", "apart")}
    n_held = 0
    for seed in seeds:
        train, test = split(rows, label, seed)
        write_csv(check.folder / "train.csv", columns + [label], train)
        write_csv(check.folder / "all.csv", columns + [label], test)
        check.run("train", "train.csv", "--label", label, "-o", "auto.ow", "--test-share", 0, "--seed", seed, "--quiet")
        check.run("train", "train.csv", "--label", label, "-o", "gauss.ow", "--test-share", 0, "--seed", seed,
                  "--leaf", "gaussian", "--quiet")
        said = [json.loads(line)["class"] for line in check.run("predict", "auto.ow", "all.csv", "--json").splitlines()]
        queries = [row for row, c in zip(test, said) if c != good][:most_rows]
        write_csv(check.folder / "rows.csv", columns + [label], queries)
        ask = ["--target", good, *rules]
        collected["found"] += answers_of(check.explain("auto.ow", "rows.csv", *ask))
        sure = answers_of(check.explain("auto.ow", "rows.csv", *ask, "--prob", "0.7:1"))
        collected["sure"] += sure
        collected["two-step"] += answers_of(check.explain("gauss.ow", "rows.csv", *ask, "--method", "two-step"))
        collected["nearest"] += answers_of(check.explain("auto.ow", "rows.csv", *ask, "--method", "nearest",
                                                         "--background", "train.csv"))
        held, apart = compare_several(check.explain("auto.ow", "rows.csv", *ask, "-k", 4))
        n_held += held
        collected["apart"] += apart
        agrees = forest(train, label, good, columns)
        given = [pair for pair in sure if pair[1] is not None]
        if agrees is not None and given:
            collected["agrees"].append((agrees(text_rows(given, queries, columns)), len(given)))

    found, n = collected["found"], len(collected["found"])
    given = [answer for _, answer in found if answer is not None]
    gower = {key: mean(a["distance"]["gower"] for _, a in collected[key] if a is not None)
             for key in ("found", "two-step", "nearest")}
    print(f"{name}: {n} rows, {len(seeds)} splits")
    check.least("valid after repair", sum(a["valid"] for a in given) / n, floors["valid"])
    check.most("constraints broken", sum(a["violations"] for a in given), 0)
    check.least("density quantile 0.25 reached",
                sum(r["status"] == "found" and r["reason"] is None for r, _ in found) / n, floors["dense"])
    check.most("features changed", mean(a["distance"]["l0"] for a in given), floors["changed"])
    check.most("Gower distance over two-step's", gower["found"] / gower["two-step"], floors["two-step"])
    if "nearest" in floors:
        check.most("Gower distance over the nearest row's", gower["found"] / gower["nearest"], floors["nearest"])
    check.least("density percentile", mean(a["density_percentile"] for a in given), floors["percentile"])
    check.most("gradient passes", mean(a["evaluations"]["gradient"] for a in given), floors["gradient"])
    check.most("forward passes", mean(a["evaluations"]["forward"] for a in given), floors["forward"])
    check.least("valid with --prob 0.7:1",
                sum(a is not None and a["valid"] for _, a in collected["sure"]) / n, floors["valid"])
    check.most("of 4 answers, those that hold another", n_held, 0)
    check.least("changes that two of them do not share", mean(collected["apart"]), 0.5)
    if collected["agrees"]:
        check.least("a random forest agrees with --prob 0.7:1",
                    sum(share * k for share, k in collected["agrees"]) / sum(k for _, k in collected["agrees"]),
                    floors["forest"])


def check_credit(check, args):
    path = pathlib.Path(__file__).resolve().parent.parent / "data" / "credit.csv"
    rows = list(csv.DictReader(open(path, newline="")))
    check_table(check, "Credit", rows, "risk", "good", (), ["--immutable", "age,personal_status,foreign_worker"],
                {"valid": 0.99, "dense": 0.98, "changed": 2.0, "two-step": 0.20, "nearest": 0.40, "percentile": 38,
                 "forest": 0.80, "gradient": 25, "forward": 15}, range(4), args.rows)


def check_adult(check, args):
    with open(args.data / "adult" / "adult.data", newline="") as file:
        rows = [dict(zip(ADULT_COLUMNS, (cell.strip() for cell in row)))
                for row in csv.reader(file) if len(row) == len(ADULT_COLUMNS)]
    check_table(check, "Adult", rows, "income", ">50K", ("fnlwgt",),
                ["--immutable", "race,sex,native-country", "--monotone", "age=up"],
                {"valid": 0.99, "dense": 0.95, "changed": 3.5, "two-step": 0.50, "percentile": 30, "forest": 0.50,
                 "gradient": 45, "forward": 35}, range(1), args.rows)


# ---- MNIST ----


def read_digits(folder, numpy):
    """All images of the five digits, as (n, 28, 28) bytes, and their labels; first those of the training file."""
    images, labels = [], []
    for part in ("train", "t10k"):
        with gzip.open(folder / f"{part}-images-idx3-ubyte.gz") as file:
            images.append(numpy.frombuffer(file.read(), numpy.uint8, offset=16).reshape(-1, 28, 28))
        with gzip.open(folder / f"{part}-labels-idx1-ubyte.gz") as file:
            labels.append(numpy.frombuffer(file.read(), numpy.uint8, offset=8))
    images, labels = numpy.concatenate(images), numpy.concatenate(labels)
    kept = numpy.isin(labels, DIGITS)
    return images[kept], labels[kept]


def write_digits(check, name, images, labels, numpy):
    numpy.save(check.folder / f"{name}.npy", images)
    (check.folder / f"{name}.labels").write_text("label\n" + "".join(f"{y}\n" for y in labels))


def check_mnist(check, args):
    try:
        import numpy
    except ImportError:
        print("MNIST is left out: there is no numpy")
        return
    images, labels = read_digits(args.data / "mnist", numpy)
    order = numpy.random.default_rng(0).permutation(len(labels))
    n_train = round(0.7 * len(labels))
    train, test = order[:n_train], order[n_train:]
    write_digits(check, "train", images[train], labels[train], numpy)
    size = ["--labels", "train.labels", "--depth", 1, "--repetitions", 19, "--inputs", 20, "--test-share", 0, "--quiet"]
    check.run("train", "train.npy", "-o", "digits.ow", *size)
    check.run("train", "train.npy", "-o", "second.ow", "--circuit", "shared", "--seed", 1, *size)

    got = {"guided": [], "two-step": []}
    agrees = []
    for y, t in PAIRS:
        rows = test[labels[test] == y][:args.rows // len(PAIRS)]
        write_digits(check, "rows", images[rows], labels[rows], numpy)
        for method in got:
            done = answers_of(check.explain("digits.ow", "rows.npy", "--target", t, "--method", method))
            # A row that is called something else than it is would be another pair.
            done = [(r, a) for r, a in done if r["query"]["class"] == str(y)]
            got[method] += done
            if method == "guided":
                pixels = numpy.array([[a["values"][f"x{j}"] for j in range(784)] for _, a in done])
                numpy.save(check.folder / "made.npy", pixels.reshape(-1, 28, 28).round().astype(numpy.uint8))
                said = check.run("predict", "second.ow", "made.npy", "--json").splitlines()
                agrees += [json.loads(line)["class"] == str(t) for line in said]
    valid = {m: [a for _, a in done if a["valid"]] for m, done in got.items()}
    l2 = {m: mean(a["distance"]["l2"] for _, a in done) for m, done in got.items()}
    print(f"MNIST: {len(got['guided'])} rows, {len(PAIRS)} directed pairs; two-step: success "
          f"{len(valid['two-step']) / len(got['two-step']):.3f}, L2 {l2['two-step']:.2f}")
    check.least("success", len(valid["guided"]) / len(got["guided"]), 0.99)
    check.least("mean log S(x')", mean(a["log_density"] for _, a in got["guided"]), -731)
    check.most("L2 over two-step's", l2["guided"] / l2["two-step"], 0.68)
    check.least("a second circuit agrees", mean(agrees), 0.85)
    check.most("gradient passes", mean(a["evaluations"]["gradient"] for _, a in got["guided"]), 8)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help="credit, adult or mnist; all of them by default")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("OTHERWISE_DATA"))
    parser.add_argument("--rows", type=int, default=300, help="most rows of a split to explain")
    args = parser.parse_args()
    checks = {"credit": check_credit, "adult": check_adult, "mnist": check_mnist}
    for name in args.sets:
        if name not in checks:
            parser.error(f"no such set: {name}; there are {', '.join(checks)}")
    missed = 0
    for name in args.sets or checks:
        if name != "credit" and (args.data is None or not (args.data / name).is_dir()):
            print(f"{name} is left out: it is not in {args.data or 'OTHERWISE_DATA, which is not set'}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            check = Check(args.program, folder)
            checks[name](check, args)
            missed += check.missed
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
