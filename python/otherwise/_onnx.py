# SPDX-License-Identifier: MIT
"""Models in ONNX format as functions from tables to probabilities."""
from __future__ import annotations

import importlib.util
import os
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._tables import column_of, keys_of

_TYPES = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(int64)": np.int64,
          "tensor(int32)": np.int32, "tensor(bool)": np.bool_}


def is_onnx(model: Any) -> bool:
    """Whether this is an onnx.ModelProto, an onnxruntime.InferenceSession or a file."""
    if isinstance(model, (str, os.PathLike)):
        return os.fspath(model).endswith(".onnx")
    module = type(model).__module__.partition(".")[0]
    return module == "onnxruntime" and hasattr(model, "run") or (
        module.startswith("onnx") and hasattr(model, "SerializeToString"))


def runtime_folder() -> str | None:
    """Where the installed package has its library; None: it is not installed."""
    spec = importlib.util.find_spec("onnxruntime")
    if spec is None or spec.origin is None:
        return None
    return os.path.join(os.path.dirname(spec.origin), "capi")


class OnnxFunction:
    """A model in ONNX format as a function.  It pickles as the bytes of its file.

    Inputs are one tensor of all columns, or one input for each column that the model reads, by its
    name; the last output has the probabilities, as a tensor or as the maps that skl2onnx writes."""

    def __init__(self, model: Any) -> None:
        self.classes_: list[Any] | None = None   # where the outputs name them
        self._session: Any = None
        if hasattr(model, "SerializeToString"):
            self._bytes = bytes(model.SerializeToString())
            return
        is_path = isinstance(model, (str, os.PathLike))
        self._session = None if is_path else model
        self._bytes = getattr(model, "_model_bytes", None) or b""
        path = model if is_path else getattr(model, "_model_path", None)
        if not self._bytes and path:
            with open(path, "rb") as file:
                self._bytes = file.read()

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_session": None}

    def __call__(self, table: Any) -> np.ndarray:
        if self._session is None:
            import onnxruntime

            self._session = onnxruntime.InferenceSession(self._bytes,
                                                         providers=["CPUExecutionProvider"])
        given = self._session.run(None, self._inputs(table))[-1]
        if isinstance(given, list):
            self.classes_ = sorted(given[0]) if given else self.classes_
            return np.array([[row[c] for c in self.classes_ or ()] for row in given])
        return np.asarray(given, dtype=np.float64)

    def _inputs(self, table: Any) -> dict[str, np.ndarray]:
        inputs = self._session.get_inputs()
        if len(inputs) == 1 and (len(inputs[0].shape) != 2 or inputs[0].shape[1] != 1):
            kind = _TYPES.get(inputs[0].type)
            if kind is None:
                raise ArgumentError(f"the model's input {inputs[0].name} is {inputs[0].type}, "
                                    "expected numbers")
            rows = table if isinstance(table, np.ndarray) else np.column_stack(
                [column_of(table, key) for key in keys_of(table)])
            return {inputs[0].name: np.ascontiguousarray(rows, dtype=kind)}
        return {i.name: _cells(column_of(table, i.name), i.type).reshape(-1, 1) for i in inputs}


def _cells(column: np.ndarray, kind: str) -> np.ndarray:
    if kind in _TYPES:
        return column.astype(_TYPES[kind])
    return np.array(["" if v is None or v != v else str(v) for v in column.astype(object)],
                    dtype=object)
