#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the ONNX models of this folder: write_models.py FOLDER

    pip install numpy pandas scikit-learn skl2onnx onnx onnxruntime

rows.csv has numbers, a category and two or three classes; each model is trained on it and exported by skl2onnx; NAME.proba.csv has what
onnxruntime says of the rows in Python."""
import pathlib
import sys
import warnings

import numpy
import onnxruntime
import pandas
from skl2onnx import to_onnx
from skl2onnx.common.data_types import FloatTensorType, Int64TensorType, StringTensorType
from sklearn.compose import make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

warnings.filterwarnings("ignore")
NUMBERS, KINDS = ["income", "debt", "years"], ["town"]


def make_rows(n):
    random = numpy.random.default_rng(17)
    rows = pandas.DataFrame({"income": numpy.round(random.gamma(6, 6, n), 2), "debt": numpy.round(random.gamma(2, 5, n), 2),
                             "years": random.poisson(6, n), "town": random.choice(["Bonn", "Celle", "Trier"], n)})
    score = rows.income / 8 - rows.debt / 5 + rows.years / 6 + (rows.town == "Bonn") + random.normal(size=n)
    rows["paid"] = numpy.where(score > 4, "yes", "no")
    rows["grade"] = numpy.where(score > 5.5, "high", numpy.where(score > 3, "middle", "low"))
    return rows


def run(path, inputs):
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    answer = session.run(None, inputs)[-1]
    if isinstance(answer, list):
        answer = [[row[key] for key in sorted(row)] for row in answer]
    return numpy.asarray(answer).reshape(len(answer), -1)


def main():
    folder = pathlib.Path(sys.argv[1])
    rows = make_rows(240)
    rows.to_csv(folder / "rows.csv", index=False)
    numbers = rows[NUMBERS].to_numpy(dtype=numpy.float32)
    mixed = [(c, FloatTensorType([None, 1])) for c in NUMBERS] + [(c, StringTensorType([None, 1])) for c in KINDS]
    columns = {c: rows[[c]].to_numpy(dtype=numpy.float32) for c in NUMBERS} | {c: rows[[c]].to_numpy(dtype=object) for c in KINDS}
    encode = make_column_transformer((StandardScaler(), NUMBERS), (OneHotEncoder(handle_unknown="ignore"), KINDS))
    table = rows[NUMBERS + KINDS]
    models = {  # label, model, by columns, without zipmap
        "logistic": ("paid", LogisticRegression(), False, False),
        "forest": ("paid", RandomForestClassifier(5, max_depth=3, random_state=1), False, True),
        "boosting": ("grade", make_pipeline(encode, GradientBoostingClassifier(n_estimators=5, max_depth=2, random_state=1)), True, True),
        "network": ("paid", make_pipeline(encode, MLPClassifier((6,), max_iter=300, random_state=1)), True, False),
    }
    for name, (label, model, by_columns, plain) in models.items():
        model.fit(table if by_columns else numbers, rows[label])
        onnx = to_onnx(model, initial_types=mixed if by_columns else [("X", FloatTensorType([None, len(NUMBERS)]))],
                       options={"zipmap": False} if plain else None, target_opset=15)
        (folder / f"{name}.onnx").write_bytes(onnx.SerializeToString())
        proba = run(folder / f"{name}.onnx", columns if by_columns else {"X": numbers})
        numpy.savetxt(folder / f"{name}.proba.csv", proba, fmt="%.9g", delimiter=",")
    model = LinearRegression().fit(numbers, rows.income - rows.debt)
    onnx = to_onnx(model, initial_types=[("X", FloatTensorType([None, len(NUMBERS)]))], target_opset=15)
    (folder / "linear.onnx").write_bytes(onnx.SerializeToString())
    # Whole numbers as inputs, and classes that are numbers, whose order as texts is another.
    model = make_pipeline(make_column_transformer((StandardScaler(), ["years"])), LogisticRegression())
    model.fit(rows[["years"]], numpy.where(rows.paid == "yes", 10, 9))
    onnx = to_onnx(model, initial_types=[("years", Int64TensorType([None, 1]))], target_opset=15)
    (folder / "whole.onnx").write_bytes(onnx.SerializeToString())


if __name__ == "__main__":
    main()
