# SPDX-License-Identifier: MIT
"""Models of other packages as classifiers of the library: callables that take tables, objects of
ONNX and PyTorch, and trees of XGBoost and LightGBM, which the library evaluates itself."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ._errors import ArgumentError, OtherwiseError
from ._model import Model
from ._native import c_texts, check, context, ffi, lib, owned, remember
from ._onnx import OnnxFunction, is_onnx
from ._torch import TorchFunction, is_torch


def predictor_of(model: Any) -> Callable[[Any], Any]:
    """The function that gives probabilities."""
    if is_onnx(model):
        return OnnxFunction(model)
    if is_torch(model):
        return TorchFunction(model)
    if hasattr(model, "predict_proba"):
        return model.predict_proba
    if callable(model):
        return model
    raise ArgumentError(
        f"{type(model).__name__} is no model that can be explained: it has no predict_proba and "
        "cannot be called")


def probabilities(function: Callable[[Any], Any], table: Any, n_rows: int) -> np.ndarray:
    """The model's answer for a table as an array, n x classes; one column is P(the last of two)."""
    given = np.asarray(function(table), dtype=np.float64)
    if given.ndim == 1 or (given.ndim == 2 and given.shape[1] == 1):
        given = given.reshape(-1)
        given = np.column_stack([1.0 - given, given])
    if given.ndim != 2 or len(given) != n_rows:
        raise ArgumentError(f"the model's answer for {n_rows} rows has shape {given.shape}, "
                            "expected one row of probabilities for each")
    if not np.isfinite(given).all():
        raise ArgumentError("the model's answer has a probability that is no number")
    return given


class ForeignClassifier:
    """An ow_classifier that asks a Python function."""

    def __init__(self, model: Model, function: Callable[[Any], Any], columns: np.ndarray) -> None:
        self.model = model
        self.function = function
        self.columns = columns   # for each class of the schema its column of probabilities
        self.error: BaseException | None = None
        self._handle = ffi.new_handle(self)
        callbacks = ffi.new("ow_value_callbacks *")
        callbacks.size = ffi.sizeof("ow_value_callbacks")
        callbacks.user = self._handle
        callbacks.log_proba = lib.otherwise_classify
        callbacks.is_proba = True
        out = ffi.new("ow_classifier **")
        check(lib.ow_model_classifier_from_values(model._pointer, callbacks, out))
        self.pointer = owned(out[0], lib.ow_classifier_free, model._pointer)

    def classify(self, values: np.ndarray) -> np.ndarray:
        given = probabilities(self.function, self.model.table(values), len(values))
        if given.shape[1] <= self.columns.max():
            raise ArgumentError(f"the model gives {given.shape[1]} probabilities for a row, "
                                f"expected {self.columns.max() + 1}")
        return given[:, self.columns]

    def raise_error(self) -> None:
        """Raises what the function has raised inside the library's call."""
        error, self.error = self.error, None
        if error is not None:
            raise error


@ffi.def_extern(error=False, onerror=remember)
def otherwise_classify(user: Any, n_rows: int, values: Any, proba: Any) -> bool:
    classifier = ffi.from_handle(user)
    width = len(classifier.model.columns)
    rows = np.frombuffer(ffi.buffer(values, 8 * n_rows * width), dtype=np.float64)
    given = np.ascontiguousarray(classifier.classify(rows.reshape(n_rows, width)))
    ffi.memmove(proba, ffi.from_buffer(given), given.nbytes)
    return True


class TreesClassifier:
    """An ow_classifier of XGBoost's or LightGBM's trees, evaluated by the library."""

    def __init__(self, model: Model, data: bytes, classes: list[str] | None) -> None:
        trees, out = ffi.new("ow_trees **"), ffi.new("ow_classifier **")
        check(lib.ow_trees_load_memory(context(), ffi.from_buffer(data), len(data), b"the model",
                                       trees))
        self._trees = owned(trees[0], lib.ow_trees_free)
        match = ffi.new("ow_trees_match *")
        match.size = ffi.sizeof("ow_trees_match")
        if classes is not None:
            array, kept = c_texts(classes)
            match.classes, match.n_classes = array, len(classes)
        check(lib.ow_model_classifier_from_trees(model._pointer, self._trees, match, out))
        self.pointer = owned(out[0], lib.ow_classifier_free, model._pointer, self._trees)
        self.model = model

    def raise_error(self) -> None:
        """Nothing of Python's is called."""


def trees_of(model: Any) -> bytes | None:
    """The file of a model of XGBoost or LightGBM, as bytes; None for all others."""
    module = type(model).__module__.partition(".")[0]
    if module == "xgboost":
        booster = model.get_booster() if hasattr(model, "get_booster") else model
        return bytes(booster.save_raw("ubj"))
    if module == "lightgbm":
        booster = getattr(model, "booster_", model)
        return booster.model_to_string().encode("utf-8")
    return None


def take_trees(model: Model, foreign: Any, classes: list[str], function: Callable[[Any], Any],
               columns: np.ndarray, values: np.ndarray) -> TreesClassifier | None:
    """The library's own evaluation of a model's trees, if it agrees with the package on the rows
    at hand; else None, and the package is asked."""
    data = trees_of(foreign)
    if data is None:
        return None
    try:
        own = TreesClassifier(model, data, classes)
    except OtherwiseError:
        return None
    theirs = probabilities(function, model.table(values), len(values))[:, columns]
    soft = np.empty((len(values), lib.ow_model_soft_width(model._pointer)), dtype=np.float32)
    ours = np.empty(theirs.shape)
    values = np.ascontiguousarray(values)
    lib.ow_model_soften(model._pointer, len(values), ffi.cast("double *", values.ctypes.data),
                        ffi.cast("float *", soft.ctypes.data))
    status = lib.ow_classifier_classify(own.pointer, len(values),
                                        ffi.cast("float *", soft.ctypes.data), ffi.NULL,
                                        ffi.cast("double *", ours.ctypes.data))
    agrees = status == lib.OW_OK and np.abs(np.exp(ours) - theirs).max(initial=0.0) < 1e-5
    return own if agrees else None
