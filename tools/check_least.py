#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether answers are the least ones: a referee that enumerates on its own.

    tools/check_least.py credit adult [--program P] [--data DIR] [--rows N] [--splits N] [--background] [--structure S]
    tools/check_least.py credit adult --refusals N
    tools/check_least.py --model M.ow --table TRAIN.csv --answers ANSWERS.json [--unseen ROWS.csv]

The first form divides the tables 70/30, trains a model on each larger part, explains rows of the smaller part that are not
predicted the target, and checks the answers.  The second form checks answers that `explain --format json` has written, made
with the model; TRAIN.csv is the table that it was trained on, --unseen names rows that it was not.  With --refusals rows are
asked about under random constraints that leave at most three columns or two changes (vary, range, allow, max-changes), until N
of them have been refused; then all changes of up to three columns are enumerated, so that nothing remains open, and compared
with what the refusal says: that nothing is possible, or that none was found.

Nothing of the library's search is used.  Densities are computed here in double with NumPy, from the model file as
tests/format/read_model.py reads it.  For every answer all single changes and all pairs of changes are tried: to every level of
a category and every value that a number has in the training table, within the column's range and the constraints that the
answers' file names (immutable, vary, range, allow, monotone, max_changes).  Linked columns change together, to combinations
of the schema, and count once.  A row passes if the target is its most probable class (with the probability asked for) and
its density reaches the quantile asked for, which is worked out anew from the model's samples.  Printed:

    fewer         share of answers for which one or two changes pass, and fewer than the answer makes
    nearer        share of answers with one or two changes for which as many, but nearer, pass: by more than one step of the
                  changed columns' printed precision or, where larger, one gap between seen values
    taken back    share of answers that still pass with one of their changes taken back
    seven tenths  share of answers that change a number and still pass with seven tenths of its way (rounded to its precision)
    changes       mean number, and that of the least answer found here, counted as three where no single change or pair passes; with
                  --triples all changes of three columns are tried for answers of more, and four counts where none passes (minutes)
    refused       rows without an answer, and the share of them for which one or two changes pass; the density counts there only
                  where it was required
    not dense     answers that do not reach the density that was asked for, and the share for which one or two changes do
    below q       share of unseen rows of the target class below the density that was asked for

Distances are sums over columns: numbers divided by their range, 1 for a category.  --limits makes it end with exit code 1 if a
figure is beyond what version 0.3 is to reach."""

import argparse
import csv
import json
import math
import os
import pathlib
import random
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import check_guided  # noqa: E402  (how tables are divided)
from least_referee import Referee  # noqa: E402

SETS = {"credit": ("risk", "good", (), {"immutable": "age,personal_status,foreign_worker"}),
        "adult": ("income", ">50K", ("fnlwgt",), {"immutable": "race,sex,native-country", "monotone": "age=up"})}

MOST_CHANGES = {"credit": 1.5, "adult": 2.4}  # in the mean of all divisions


def asked_of(document):
    rules = document["meta"]["constraints"]
    density = rules.get("min_density") or {}
    return {"immutable": rules["immutable"], "vary": rules["vary"], "range": rules["range"], "allow": rules["allow"],
            "monotone": rules["monotone"], "max_changes": rules["max_changes"], "prob": rules["prob"],
            "quantile": density.get("quantile"), "required": density.get("required", False)}


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def report(name, verdicts, below, most_changes=None, most=3):
    """Prints the figures; returns those that are beyond the limits.  Where nothing with fewer changes than `most` passes, `most` is the
    least that is known."""
    given = [v for v in verdicts if v["passes"]]
    refused = [v for v in verdicts if not v["answered"]]
    thin = [v for v in verdicts if v["answered"] and not v["passes"]]
    numbers = [v for v in given if v["number"]]
    few = [v for v in given if v["changes"] <= 2]
    figures = [("answers that pass", len(given), None), ("fewer changes possible", mean(v["fewer"] for v in given), 0.0),
               ("nearer with as many (of 1 or 2)", mean(v["nearer"] for v in few), 0.02),
               ("a change can be taken back", mean(v["back"] for v in given), 0.0),
               ("seven tenths of a number's way is enough", mean(v["short"] for v in numbers), 0.02),
               ("mean changes", mean(v["changes"] for v in given), most_changes),
               (f"mean of the least ({most}: none with fewer)", mean(v["least"] for v in given), None),
               ("changes above the least", mean(v["changes"] - v["least"] for v in given if v["least"] < most), 0.03),
               ("rows without an answer", len(refused), None),
               ("of these, one or two changes pass", mean(v["false_refusal"] for v in refused), 0.0),
               ("answers below the density", len(thin), None),
               ("of these, one or two changes reach it", mean(v["false_refusal"] for v in thin), 0.0),
               ("unseen rows of the target below the quantile", below, None)]
    print(f"{name}: {len(verdicts)} rows")
    beyond = []
    for title, figure, limit in figures:
        missed = limit is not None and figure > limit
        beyond += [title] if missed else []
        said = "" if limit is None else f"  <= {limit:<6.3g}{' MISSED' if missed else ''}"
        print(f"  {title:46s} {figure:9.4g}{said}", flush=True)
    return beyond


def check_answers(model, table, document, unseen, args):
    referee, asked = Referee(model, table), asked_of(document)
    referee.with_triples = args.triples
    verdicts = []
    for result in document["results"]:
        if result["status"] == "already-target":
            continue
        verdicts.append(referee.judge(result, asked))
        if args.verbose:
            print(json.dumps(verdicts[-1]), file=sys.stderr, flush=True)
    targets = {result["target"] for result in document["results"]}
    below = referee.share_below(unseen, targets.pop(), asked) if unseen and len(targets) == 1 else math.nan
    return verdicts, below


def read_set(name, data):
    if name == "credit":
        with open(ROOT / "data" / "credit.csv", newline="") as file:
            return list(csv.DictReader(file))
    with open(pathlib.Path(data) / "adult" / "adult.data", newline="") as file:
        return [dict(zip(check_guided.ADULT_COLUMNS, (cell.strip() for cell in row)))
                for row in csv.reader(file) if len(row) == len(check_guided.ADULT_COLUMNS)]


def check_set(name, args):
    label, target, drop, rules = SETS[name]
    rows = read_set(name, args.data)
    columns = [c for c in rows[0] if c != label and c not in drop]
    words = [word for key, value in rules.items() for word in (f"--{key}", value)]
    everything, belows, most = [], [], 4 if args.triples else 3
    with tempfile.TemporaryDirectory() as folder:
        check = check_guided.Check(args.program, folder)
        for seed in range(args.splits):
            train, test = check_guided.split(rows, label, seed)
            check_guided.write_csv(check.folder / "train.csv", columns + [label], train)
            check_guided.write_csv(check.folder / "test.csv", columns + [label], test)
            check.run("train", "train.csv", "--label", label, "-o", "m.ow", "--test-share", 0, "--seed", seed, "--quiet",
                      "--unlock", "all", "--structure", args.structure)
            said = [json.loads(line)["class"] for line in check.run("predict", "m.ow", "test.csv", "--json").splitlines()]
            queries = [row for row, c in zip(test, said) if c != target][:args.rows]
            check_guided.write_csv(check.folder / "rows.csv", columns + [label], queries)
            more = ["--background", "train.csv"] if args.background else []
            document = check.explain("m.ow", "rows.csv", "--target", target, *words, *more, *args.explain)
            unseen = [row for row in test if row[label] == target][:1000]
            verdicts, below = check_answers(check.folder / "m.ow", train, document, unseen, args)
            report(f"{name}, division {seed}", verdicts, below, most=most)
            everything += verdicts
            belows.append(below)
    return report(f"{name}, all divisions", everything, mean(belows), MOST_CHANGES[name], most)


# ---- Refusals under random constraints ----


def draw_rules(draw, referee):
    """Words for explain that leave at most three columns or two changes."""
    names = [name for name in referee.columns]
    words = []
    few = draw.sample(names, draw.choice((1, 2, 2, 3)))
    if draw.random() < 0.75:
        words += ["--vary", ",".join(few)]
    else:
        words += ["--max-changes", draw.choice((1, 2))]
        few = names
    for name in draw.sample(few, min(len(few), draw.choice((0, 1, 2)))):
        seen = referee.seen[name]
        if referee.is_number(name):
            low, high = sorted(draw.sample(seen, 2)) if len(seen) > 1 else (seen[0], seen[0])
            words += ["--range", f"{name}={low:.10g}:{high:.10g}"]
        else:
            words += [w for level in draw.sample(seen, draw.randint(1, len(seen))) for w in ("--allow", f"{name}={level}")]
    if draw.random() < 0.3:
        words += ["--min-density", draw.choice(("q5", "q25", "q50"))]
    return words


def check_refusals(name, args):
    label, target, drop, _ = SETS[name]
    rows = read_set(name, args.data)
    columns = [c for c in rows[0] if c != label and c not in drop]
    draw, verdicts, n_sets = random.Random(1), [], 0
    with tempfile.TemporaryDirectory() as folder:
        check = check_guided.Check(args.program, folder)
        train, test = check_guided.split(rows, label, 0)
        check_guided.write_csv(check.folder / "train.csv", columns + [label], train)
        check_guided.write_csv(check.folder / "test.csv", columns + [label], test)
        check.run("train", "train.csv", "--label", label, "-o", "m.ow", "--test-share", 0, "--quiet", "--unlock", "all",
                  "--structure", args.structure)
        referee = Referee(check.folder / "m.ow", train)
        said = [json.loads(line)["class"] for line in check.run("predict", "m.ow", "test.csv", "--json").splitlines()]
        refused = [row for row, c in zip(test, said) if c != target]
        while len(verdicts) < args.refusals:
            check_guided.write_csv(check.folder / "rows.csv", columns + [label], draw.sample(refused, 20))
            document = check.explain("m.ow", "rows.csv", "--target", target, *draw_rules(draw, referee))
            n_sets += 1
            for result in [r for r in document["results"] if r["status"] == "not-found"][:4]:
                if len(verdicts) < args.refusals:
                    verdicts.append({**referee.judge(result, asked_of(document)), "impossible": result["impossible"]})
                    if args.verbose:
                        print(json.dumps(verdicts[-1]), document["meta"]["constraints"], file=sys.stderr, flush=True)
    print(f"{name}: {len(verdicts)} refusals under {n_sets} sets of constraints")
    open_ones = mean(not v["impossible"] for v in verdicts)
    figures = [("said to be impossible, and an answer exists", sum(v["impossible"] and v["false_refusal"] for v in verdicts), 0),
               ("said that none was found, and one exists", sum(not v["impossible"] and v["false_refusal"] for v in verdicts), None),
               ("share of refusals that say none was found", open_ones, 0.05)]
    for title, figure, limit in figures:
        missed = limit is not None and figure > limit
        said = "" if limit is None else f"  <= {limit:<6.3g}{' MISSED' if missed else ''}"
        print(f"  {title:46s} {figure:9.4g}{said}", flush=True)
    return [title for title, figure, limit in figures if limit is not None and figure > limit]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help="credit or adult")
    parser.add_argument("--program", default="build/release/otherwise")
    parser.add_argument("--data", default=os.environ.get("OTHERWISE_DATA"), help="folder that has adult/adult.data")
    parser.add_argument("--rows", type=int, default=100, help="most rows of a division to explain")
    parser.add_argument("--splits", type=int, default=3, help="how many divisions")
    parser.add_argument("--background", action="store_true", help="explain with the training rows as background")
    parser.add_argument("--explain", nargs="*", default=[], metavar="WORD", help="further words for explain")
    parser.add_argument("--structure", default="auto", choices=("random", "tree", "auto"), help="of the circuits, as train has it")
    parser.add_argument("--refusals", type=int, default=0, help="check so many refusals under random constraints instead")
    parser.add_argument("--triples", action="store_true", help="of answers with more than three changes enumerate all with three")
    parser.add_argument("--model")
    parser.add_argument("--table", help="CSV file that the model was trained on")
    parser.add_argument("--answers", help="JSON of explain")
    parser.add_argument("--unseen", help="CSV file of rows that the model was not trained on")
    parser.add_argument("--limits", action="store_true", help="end with exit code 1 if a figure is beyond its limit")
    parser.add_argument("--verbose", action="store_true", help="a line of JSON for each row, on stderr")
    args = parser.parse_args()
    if bool(args.sets) == bool(args.model):
        parser.error("name sets, or --model with --table and --answers")
    beyond = []
    for name in args.sets:
        if name not in SETS:
            parser.error(f"no such set: {name}; there are {', '.join(SETS)}")
        if name != "credit" and (args.data is None or not (pathlib.Path(args.data) / name).is_dir()):
            sys.exit(f"{name} is not in {args.data or 'OTHERWISE_DATA, which is not set'}")
        beyond += check_refusals(name, args) if args.refusals else check_set(name, args)
    if args.model:
        def read(path):
            with open(path, newline="") as file:
                return list(csv.DictReader(file))
        with open(args.answers) as file:
            document = json.load(file)
        unseen = read(args.unseen) if args.unseen else []
        beyond += report(args.answers, *check_answers(args.model, read(args.table), document, unseen, args), most=4 if args.triples else 3)
    return 1 if beyond and args.limits else 0


if __name__ == "__main__":
    sys.exit(main())
