# SPDX-License-Identifier: MIT
"""A model of the library: what an .ow file holds, and what the table it learned from looked like."""
from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._frames import Restorer
from ._labels import classes_of, codes_of
from ._native import c_text, c_texts, calling, check, context, ffi, lib, owned, text
from ._onnx import runtime_folder
from ._tables import Column, Form, Rows, family, open_rows


class Model:
    """A trained model.

    Made by :meth:`train`, :meth:`load` or ``CircuitClassifier.fit``.  Any number of threads may use
    one model.  Models pickle as the bytes of their file."""

    def __init__(self, pointer: Any, form: Form, classes: list[Any] | None = None,
                 command: str | None = None) -> None:
        self._owned = owned(pointer, lib.ow_model_free)
        self._command = command
        _run_foreign(self._owned, command)
        self._process = os.getpid()
        self._form = form
        self._restorer = Restorer(self._schema, form)
        names = [text(lib.ow_schema_class_name(self._schema, c))
                 for c in range(lib.ow_schema_n_classes(self._schema))]
        self._class_names = names
        originals = {str(c): c for c in classes} if classes is not None else {}
        self.classes = [originals.get(name, name) for name in names]
        self._local = threading.local()

    @property
    def _pointer(self) -> Any:
        """The ow_model.  A fork leaves the library's threads behind, so a child process reads the
        model again, from its own bytes, with a context of its own."""
        if self._process != os.getpid():
            again = _revive(_format(self._owned), self._form, list(self.classes), self._command)
            self._owned, self._process = again._owned, again._process
            self._restorer, self._local = again._restorer, again._local
        return self._owned

    @property
    def _schema(self) -> Any:
        return lib.ow_model_schema(self._pointer)

    # ---- Making one ----

    @classmethod
    def train(cls, X: Any, y: Any = None, *, label: str | None = None,
              options: Mapping[str, Any] | None = None, infer: Mapping[str, Any] | None = None,
              is_test: Any = None, seed: int = 0, threads: int | None = None,
              progress: Any = None, foreign: str | None = None,
              foreign_classes: Iterable[Any] | None = None) -> Model:
        """Learns from rows.  ``y`` are their classes; or ``label`` names the column of X that has
        them.  ``options`` and ``infer`` are those of ``otherwise train`` by name, such as
        ``{"depth": 2}`` and ``{"immutable": ["age"], "unlock": ["all"]}``.

        ``foreign`` is the path of a model of XGBoost or LightGBM that decides, and
        ``foreign_classes`` names its classes; its decisions are the classes where neither y nor
        label is given.  The model keeps the file."""
        rows = open_rows(X)
        classes = None
        if y is not None:
            label, classes = _add_labels(rows, y, label)
        if label is None and foreign is None:
            raise ArgumentError("classes are needed: give y, or the name of the column as label")
        form = Form(rows.form.family, [c for c in rows.form.columns if c.name != label],
                    rows.form.shape)
        kept: list[Any] = []
        inferring = _infer_options(form, label, infer or {}, kept)
        training = ffi.new("ow_train_options *")
        lib.ow_train_options_init(training, ffi.sizeof("ow_train_options"))
        for name, value in (options or {}).items():
            check(lib.ow_train_options_set(training, c_text(name), c_text(_as_text(value))))
        if foreign is not None:
            training.foreign = _foreign_file(foreign, foreign_classes, kept)
            classes = None if foreign_classes is None else list(foreign_classes)
        if is_test is not None:
            marks = np.ascontiguousarray(is_test, dtype=np.bool_)
            training.is_test = ffi.cast("bool *", marks.ctypes.data)
            training.n_is_test = len(marks)
        schema, out = ffi.new("ow_schema **"), ffi.new("ow_model **")
        with calling(seed, threads, None, progress) as call:
            call.check(lib.ow_schema_infer(rows.pointer, inferring, call.pointer, schema))
            held = owned(schema[0], lib.ow_schema_free)
            status = lib.ow_model_train(rows.pointer, held, training, call.pointer, out)
            if status != lib.OW_OK:
                lib.ow_model_free(out[0])
            call.check(status)
        return cls(out[0], form, classes)

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, command: str | None = None) -> Model:
        """Reads a model file.  One that was trained with a program which decides starts it only if
        that is named again, as ``command``."""
        out = ffi.new("ow_model **")
        with calling() as call:
            call.check(lib.ow_model_load(context(), c_text(os.fspath(path)), call.pointer, out))
        return cls(out[0], Form("file", []), command=command)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a model file, whole or not at all."""
        check(lib.ow_model_save(self._pointer, c_text(os.fspath(path))))

    def to_bytes(self) -> bytes:
        """The bytes of the model's file."""
        return _format(self._pointer)

    @classmethod
    def from_bytes(cls, data: bytes) -> Model:
        """The model of a file's bytes."""
        return _revive(data, Form("file", []), None)

    def __reduce__(self) -> Any:
        return _revive, (self.to_bytes(), self._form, list(self.classes), self._command)

    # ---- What it is ----

    @property
    def columns(self) -> list[Any]:
        """The names of the columns that decide, as the table had them."""
        return [column.key for column, _ in self._restorer.columns]

    @property
    def locked(self) -> list[Any]:
        """The columns that answers never change."""
        return [column.key for j, (column, _) in enumerate(self._restorer.columns)
                if lib.ow_schema_column(self._schema, j).immutable]

    @property
    def accuracy(self) -> float:
        """The share of held-out rows that are classified rightly; NaN if none was held out."""
        test = lib.ow_model_report(self._pointer).test
        return float(test.accuracy) if test.n_rows > 0 else float("nan")

    def class_index(self, name: Any) -> int:
        """The number of a class, by its value or its name."""
        for index, value in enumerate(self.classes):
            if value is name or (type(value) is type(name) and value == name):
                return index
        out = ffi.new("int32_t *")
        check(lib.ow_schema_find_class(self._schema, c_text(name), out))
        return int(out[0])

    def __repr__(self) -> str:
        return (f"<otherwise.Model: {len(self.columns)} columns, classes "
                f"{', '.join(self._class_names)}>")

    # ---- Rows in and out ----

    def read(self, X: Any, strict: bool = False) -> np.ndarray:
        """Rows of a table in the schema's form: n x columns doubles."""
        rows = open_rows(X)
        rows.kept.append(self._pointer)
        check(lib.ow_reader_bind(rows.pointer, self._schema, strict))
        n_columns = len(self._restorer.columns)
        n_rows = rows.n_rows
        blocks, step = [], n_rows if n_rows is not None else 1 << 16
        n = ffi.new("size_t *")
        with calling() as call:
            while True:
                values = np.empty((step, n_columns))
                call.check(lib.ow_reader_next(rows.pointer, step, call.pointer, _doubles(values),
                                              ffi.NULL, n))
                blocks.append(values[:n[0]])
                if n[0] < step or n_rows is not None:
                    break
        return blocks[0] if len(blocks) == 1 else np.concatenate(blocks)

    def table(self, values: np.ndarray, like: Any = None, index: Any = None) -> Any:
        """Rows in the schema's form as a table: of the kind that the model learned from, or like
        the table given."""
        if like is None or family(like) == self._form.family and self._form.columns:
            return self._restorer.table(values, index)
        return Restorer(self._schema, open_rows(like).form).table(values, index)

    def predict_values(self, values: np.ndarray, *wanted: str) -> list[np.ndarray]:
        """Arrays of ow_predictions by name, for rows in the schema's form."""
        n, n_classes = len(values), len(self.classes)
        shapes = {"classes": ((n,), np.int32, "int32_t *"),
                  "proba": ((n, n_classes), np.float64, "double *"),
                  "log_density": ((n,), np.float64, "double *"),
                  "log_class": ((n, n_classes), np.float64, "double *"),
                  "percentile": ((n,), np.float64, "double *")}
        request = ffi.new("ow_predictions *")
        request.size = ffi.sizeof("ow_predictions")
        results = []
        for name in wanted:
            shape, dtype, kind = shapes[name]
            results.append(np.empty(shape, dtype=dtype))
            setattr(request, name, ffi.cast(kind, results[-1].ctypes.data))
        values = np.ascontiguousarray(values, dtype=np.float64)
        with calling() as call:
            call.check(lib.ow_predictor_predict(self._predictor(), n, _doubles(values),
                                                call.pointer, request))
        return results

    def sample(self, n: int, *, given: Mapping[Any, Any] | None = None, target: Any = None,
               seed: int = 0) -> Any:
        """Draws rows from the density: of a class if ``target`` is given, and with the values of
        some columns fixed, ``{"housing": "own"}``."""
        known = self._known(given or {})
        rows = self._encode(np.repeat(known, n, axis=0))
        classes = np.full(n, -1 if target is None else self.class_index(target), dtype=np.int32)
        with calling(seed) as call:
            call.check(lib.ow_evaluator_sample(self._evaluator(), n, call.pointer,
                                               ffi.cast("float *", rows.ctypes.data),
                                               ffi.cast("int32_t *", classes.ctypes.data)))
        return self.table(self._decode(rows))

    def complete(self, X: Any) -> Any:
        """The rows with their missing values filled in: the most probable completion."""
        rows = self._encode(self.read(X))
        with calling() as call:
            call.check(lib.ow_evaluator_complete(self._evaluator(), len(rows), call.pointer,
                                                 ffi.cast("float *", rows.ctypes.data), ffi.NULL,
                                                 ffi.NULL))
        return self.table(self._decode(rows), X)

    def _known(self, given: Mapping[Any, Any]) -> np.ndarray:
        """One row, NaN where nothing is given."""
        values = np.full((1, len(self._restorer.columns)), np.nan)
        places = {column.key: j for j, (column, _) in enumerate(self._restorer.columns)}
        out = ffi.new("double *")
        for key, value in given.items():
            if key not in places:
                raise ArgumentError(f"there is no column {key!r}")
            check(lib.ow_schema_read_value(self._schema, places[key], c_text(value), out))
            values[0, places[key]] = out[0]
        return values

    def _encode(self, values: np.ndarray) -> np.ndarray:
        values = np.ascontiguousarray(values)
        spec = lib.ow_circuit_get_spec(lib.ow_model_circuit(self._pointer))
        rows = np.empty((len(values), spec.n_columns), dtype=np.float32)
        lib.ow_model_encode(self._pointer, len(values), _doubles(values),
                            ffi.cast("float *", rows.ctypes.data))
        return rows

    def _decode(self, rows: np.ndarray) -> np.ndarray:
        values = np.empty((len(rows), len(self._restorer.columns)))
        lib.ow_model_decode(self._pointer, len(rows), ffi.cast("float *", rows.ctypes.data),
                            _doubles(values))
        return values

    def _evaluator(self) -> Any:
        out = ffi.new("ow_evaluator **")
        check(lib.ow_evaluator_new(lib.ow_model_circuit(self._pointer), ffi.NULL, out))
        return owned(out[0], lib.ow_evaluator_free, self._pointer)

    def _predictor(self) -> Any:
        """One for each thread, kept: making one costs more than predicting a row."""
        pointer = self._pointer
        kept = getattr(self._local, "predictor", None)
        if kept is None:
            out = ffi.new("ow_predictor **")
            check(lib.ow_predictor_new(pointer, ffi.NULL, out))
            kept = self._local.predictor = owned(out[0], lib.ow_predictor_free, pointer)
        return kept


def _format(model: Any) -> bytes:
    out, size = ffi.new("char **"), ffi.new("size_t *")
    check(lib.ow_model_format(model, out, size))
    result = bytes(ffi.buffer(out[0], size[0]))
    lib.ow_bytes_free(out[0])
    return result


def _revive(data: bytes, form: Form, classes: list[Any] | None,
            command: str | None = None) -> Model:
    out = ffi.new("ow_model **")
    check(lib.ow_model_parse(context(), ffi.from_buffer(data), len(data), b"a model", out))
    return Model(out[0], form, classes, command)


def _run_foreign(model: Any, command: str | None) -> None:
    """Names what a model of another package needs beyond the file."""
    info = ffi.new("ow_foreign_info *")
    if not lib.ow_model_foreign(model, info):
        return
    run = ffi.new("ow_foreign_run *")
    run.size = ffi.sizeof("ow_foreign_run")
    texts = [None if word is None else c_text(word) for word in (command, runtime_folder())]
    run.command, run.onnxruntime = (ffi.NULL if word is None else word for word in texts)
    check(lib.ow_model_run_foreign(model, run))


def _doubles(values: np.ndarray) -> Any:
    return ffi.cast("double *", values.ctypes.data)


def _as_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def _add_labels(rows: Rows, y: Any, name: str | None) -> tuple[str, list[Any]]:
    """Adds the classes as a column; returns its name and the classes in sorted order."""
    values = np.asarray(y)
    if values.ndim != 1:
        raise ArgumentError(f"y should be a 1d array, got an array of shape {values.shape} instead.")
    if rows.n_rows is not None and len(values) != rows.n_rows:
        raise ArgumentError(f"X has {rows.n_rows} rows, y has {len(values)}")
    name = str(name or getattr(y, "name", None) or "class")
    while name in rows.form.names:
        name += "_"
    classes = classes_of(values)
    texts = [str(c) for c in classes]
    if len(set(texts)) != len(texts):
        raise ArgumentError("two classes have the same text")
    rows.add_codes(name, codes_of(values, classes), texts)
    return name, list(classes)


_LISTS = {"drop", "ordinal", "categorical", "immutable", "keep", "missing", "unlock", "monotone"}


def _foreign_file(path: str, classes: Iterable[Any] | None, kept: list[Any]) -> Any:
    """The file of another package's model as training takes it."""
    foreign = ffi.new("ow_foreign *")
    foreign.size = ffi.sizeof("ow_foreign")
    kept += [foreign, c_text(path)]
    foreign.path = kept[-1]
    foreign.embed = True
    if classes is not None:
        array, texts = c_texts(classes)
        foreign.classes, foreign.n_classes = array, len(texts)
        kept += [array, texts]
    return foreign


def _infer_options(form: Form, label: str | None, given: Mapping[str, Any], kept: list[Any]) -> Any:
    """What the table itself says of its columns, and what the caller does."""
    lists: dict[str, list[str]] = {"categorical": [], "ordinal": []}
    for column in form.columns:
        if column.order is not None:
            lists["ordinal"].append(f"{column.name}={'|'.join(column.order)}")
        elif _is_categorical(column):
            lists["categorical"].append(column.name)
    for name, value in given.items():
        if name in _LISTS:
            values = [value] if isinstance(value, str) else _listed(value)
            lists[name] = lists.get(name, []) + values
    options = ffi.new("ow_infer_options *")
    options.size = ffi.sizeof("ow_infer_options")
    options.lock_found = bool(given.get("lock_found", True))
    if label is not None:
        lists["label"] = [str(label)]
    for name, values in lists.items():
        if not values:
            continue
        array, texts = c_texts(values)
        kept += [array, texts]
        check(lib.ow_infer_options_set(options, c_text(name), len(values), array))
    for name, value in given.items():
        if name not in _LISTS and name != "lock_found":
            array, texts = c_texts([_as_text(value)])
            kept += [array, texts]
            check(lib.ow_infer_options_set(options, c_text(name), 1, array))
    return options


def _listed(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [f"{k}={'|'.join(map(str, v)) if isinstance(v, (list, tuple)) else v}"
                for k, v in value.items()]
    return [str(v) for v in value] if isinstance(value, Iterable) else [str(value)]


def _is_categorical(column: Column) -> bool:
    """Whether the table itself says that this is a category, whatever its levels look like."""
    word = str(column.dtype).lower()
    return column.kind == "level" and word.startswith(("category", "categorical", "enum",
                                                       "dictionary"))
