#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains small models with the XGBoost and LightGBM that this Python has, and writes what they predict.

    make_models.py FOLDER [--rows 96] [--training 3000] [--iterations 4] [--cases PATTERN,PATTERN,...]

For each case FOLDER gets the model as the package saves it (CASE.json.gz, CASE.ubj.gz, CASE.txt.gz) and CASE.expected.gz: a line for
each row of rows.csv with the scores, then the predictions (binary classifiers: the probability of class 1).  rows.csv is the same
for all packages and versions: numbers in full precision, categories as codes, nothing where a value is missing; some values lie
exactly on thresholds of the models, some just beside them.  The patterns (xgboost_*_dart) say which cases to write.
"""
import argparse
import fnmatch
import gzip
import math
import sys
from pathlib import Path

import numpy as np
import pandas as pd

COLOURS = ["red", "green", "blue"]
SHOPS = [f"shop {i}" for i in range(40)]
CODES = [5 * i for i in range(12)]
CATEGORIES = {"colour": COLOURS, "shop": SHOPS, "code": CODES}


def make_table(n, seed):
    """Eight numeric columns of different habits, three categories, and classes that depend on most of them."""
    random = np.random.default_rng(seed)
    table = pd.DataFrame({
        "normal": random.normal(size=n),
        "whole": random.integers(-3, 9, n).astype(float),
        "zeros": np.where(random.random(n) < 0.6, 0.0, random.normal(size=n)),
        "skewed": np.exp(3 * random.normal(size=n)),
        "tiny": random.normal(size=n) * 1e-35,
        "two": np.round(random.normal(size=n), 2),
        "mostly_missing": np.where(random.random(n) < 0.8, np.nan, random.normal(size=n)),
        "huge": random.normal(size=n) * 1e30,
        "colour": random.integers(0, len(COLOURS), n).astype(float),
        "shop": random.integers(0, len(SHOPS), n).astype(float),
        "code": random.integers(0, len(CODES), n).astype(float),
    })
    pull = (table["normal"] + 0.3 * table["whole"] * (table["zeros"] > 0) + np.log(table["skewed"]) / 3
            + (table["tiny"] > 0) * 1.0 + (table["colour"] == 1) - (table["shop"] % 7 > 3) * 1.5
            + (table["code"] % 5 == 2) * 1.2 + np.isnan(table["mostly_missing"]) * 0.7 + (table["huge"] > 3e29) * 0.5)
    noise = random.normal(size=n)
    for name in ("normal", "zeros", "two", "colour", "code"):
        table.loc[random.random(n) < 0.07, name] = np.nan
    return table, pull + noise


def as_categories(table):
    """The categorical columns with their names, as pandas has them."""
    table = table.copy()
    for name, levels in CATEGORIES.items():
        codes = table[name].fillna(-1).astype(int)
        table[name] = pd.Categorical.from_codes(codes, categories=levels)
    return table


def numbers_only(table):
    return table.drop(columns=list(CATEGORIES))


class Case:
    """What is known of one model: its file, and what the package says of rows."""

    def __init__(self, name, extension, save, scores, predictions):
        self.name, self.extension, self.save, self.scores, self.predictions = name, extension, save, scores, predictions


def xgboost_cases(training, pull, iterations):
    import xgboost as xgb
    version = xgb.__version__.replace(".", "_")
    two, three = (pull > 1).astype(int), np.digitize(pull, [0, 2])
    cats, numbers = as_categories(training), numbers_only(training)
    n_valid = len(training) // 5

    def train(data, target, rounds=iterations, **parameters):
        everything = {"max_depth": 4, "eta": 0.4, "tree_method": "hist", "nthread": 1, "seed": 3, "max_cat_to_onehot": 5, **parameters}
        matrix = xgb.DMatrix(data, target, enable_categorical=True)
        return xgb.train(everything, matrix, rounds)

    def case(name, booster, extension="json", used=lambda table: as_categories(table), **how):
        def ask(table, margin):
            matrix = xgb.DMatrix(used(table), enable_categorical=True)
            return booster.predict(matrix, output_margin=margin, **how)
        return Case(f"xgboost_{version}_{name}", extension, booster.save_model,
                    lambda table: ask(table, True), lambda table: ask(table, False))

    yield case("binary", train(numbers, two, objective="binary:logistic"), used=numbers_only)
    yield case("exact", train(numbers, two, objective="binary:logistic", tree_method="exact", base_score=0.3), "ubj", numbers_only)
    yield case("categories", train(cats, two, objective="binary:logistic"))
    yield case("categories_ubj", train(cats, two, objective="binary:logistic"), "ubj")
    yield case("logitraw", train(cats, two, objective="binary:logitraw"))
    yield case("softprob", train(cats, three, objective="multi:softprob", num_class=3))
    soft = train(cats, three, objective="multi:softprob", num_class=3, num_parallel_tree=2, subsample=0.7)
    yield case("parallel", soft, "ubj")
    yield case("dart", train(cats, two, 2 * iterations, objective="binary:logistic", booster="dart", rate_drop=0.3))
    yield case("squared", train(cats, pull, objective="reg:squarederror"), "ubj")
    yield case("poisson", train(numbers, np.floor(np.exp(np.clip(pull, -3, 3))), objective="count:poisson"), used=numbers_only)
    yield case("gamma", train(numbers, np.exp(np.clip(pull, -3, 3)), objective="reg:gamma"), used=numbers_only)

    early = xgb.train({"objective": "binary:logistic", "max_depth": 6, "eta": 0.8, "tree_method": "hist", "nthread": 1, "seed": 3},
                      xgb.DMatrix(numbers[n_valid:], two[n_valid:]), 60, early_stopping_rounds=5, verbose_eval=False,
                      evals=[(xgb.DMatrix(numbers[:n_valid], two[:n_valid]), "valid")])
    yield case("early", early, used=numbers_only, iteration_range=(0, early.best_iteration + 1))
    deep = train(numbers, pull, 2, objective="reg:squarederror", max_depth=10, min_child_weight=0.1)
    yield case("deep", deep, "ubj", numbers_only)


def lightgbm_cases(training, pull, iterations):
    import lightgbm as lgb
    version = lgb.__version__.replace(".", "_")
    two, three = (pull > 1).astype(int), np.digitize(pull, [0, 2])
    cats, numbers = as_categories(training), numbers_only(training)

    def train(data, target, rounds=iterations, **parameters):
        everything = {"num_leaves": 15, "learning_rate": 0.3, "verbosity": -1, "num_threads": 1, "seed": 3, "min_data_in_leaf": 5, **parameters}
        return lgb.train(everything, lgb.Dataset(data, target), rounds)

    def case(name, booster, used=lambda table: as_categories(table), divisor=1):
        return Case(f"lightgbm_{version}_{name}", "txt", booster.save_model,
                    lambda table: booster.predict(used(table), raw_score=True) / divisor, lambda table: booster.predict(used(table)))

    yield case("binary", train(numbers, two, objective="binary"), numbers_only)
    yield case("categories", train(cats, two, objective="binary"))
    yield case("sigmoid", train(cats, two, objective="binary", sigmoid=1.7))
    yield case("multiclass", train(cats, three, objective="multiclass", num_class=3))
    yield case("ova", train(cats, three, objective="multiclassova", num_class=3, sigmoid=1.3))
    yield case("zero", train(cats, two, objective="binary", zero_as_missing=True))
    yield case("zero_numbers", train(numbers, two, objective="binary", zero_as_missing=True), numbers_only)
    yield case("no_missing", train(cats, two, objective="binary", use_missing=False))
    forest = train(cats, two, objective="binary", boosting="rf", bagging_freq=1, bagging_fraction=0.6, feature_fraction=0.7)
    yield case("forest", forest, divisor=iterations)  # raw scores are not averaged, predictions are
    yield case("dart", train(cats, two, 2 * iterations, objective="binary", boosting="dart", drop_rate=0.4))
    yield case("regression", train(cats, pull, objective="regression"))
    yield case("root", train(numbers, pull, objective="regression", reg_sqrt=True), numbers_only)
    yield case("poisson", train(numbers, np.exp(np.clip(pull, -3, 3)), objective="poisson"), numbers_only)
    yield case("entropy", train(numbers, 1 / (1 + np.exp(-pull)), objective="cross_entropy"), numbers_only)
    yield case("lambda", train(numbers, 1 / (1 + np.exp(-pull)), objective="cross_entropy_lambda"), numbers_only)
    yield case("deep", train(numbers, pull, 2, objective="regression", num_leaves=300, min_data_in_leaf=1), numbers_only)


def tricky_rows(n, seed):
    """Fresh rows, of which some take values of the training rows exactly, or the doubles next to them, or codes nobody has seen."""
    rows, _ = make_table(n, seed)
    seen, _ = make_table(3000, 1)
    random = np.random.default_rng(seed + 1)
    for name in numbers_only(rows).columns:
        chosen = random.random(n) < 0.5
        values = seen[name].to_numpy()[random.integers(0, len(seen), n)]
        values = np.where(random.random(n) < 0.5, values.astype(np.float32).astype(float), values)
        beside = np.nextafter(values, np.where(random.random(n) < 0.5, -np.inf, np.inf))
        values = np.where(random.random(n) < 0.3, beside, values)
        rows.loc[chosen, name] = values[chosen]
    rows.loc[random.random(n) < 0.05, "zeros"] = -0.0
    return rows


def write_rows(path, rows):
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write(",".join(rows.columns) + "\n")
        for row in rows.itertuples(index=False):
            file.write(",".join("" if math.isnan(x) else repr(float(x)) for x in row) + "\n")


def pack(path, data):
    with open(path, "wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(data)


def write_case(folder, case, rows):
    raw = folder / f"{case.name}.{case.extension}"
    case.save(str(raw))
    pack(folder / f"{raw.name}.gz", raw.read_bytes())
    raw.unlink()
    scores, predictions = (np.asarray(ask(rows), dtype=float).reshape(len(rows), -1) for ask in (case.scores, case.predictions))
    lines = (" ".join(f"{x:.17g}" for x in row) for row in np.hstack([scores, predictions]))
    pack(folder / f"{case.name}.expected.gz", ("\n".join(lines) + "\n").encode("ascii"))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=96)
    parser.add_argument("--training", type=int, default=3000)
    parser.add_argument("--iterations", type=int, default=4)
    parser.add_argument("--cases", default="*")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    training, pull = make_table(arguments.training, 1)
    rows = tricky_rows(arguments.rows, 2)
    write_rows(arguments.folder / "rows.csv", rows)
    for cases in (xgboost_cases, lightgbm_cases):
        for case in cases(training, pull.to_numpy(), arguments.iterations):
            if any(fnmatch.fnmatch(case.name, pattern) for pattern in arguments.cases.split(",")):
                write_case(arguments.folder, case, rows)
                print(case.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
