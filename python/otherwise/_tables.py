# SPDX-License-Identifier: MIT
"""Tables of every kind in, the same kind out.

``open_rows`` makes a reader of the library over the memory of a data frame, an array, Arrow data or
a file.  ``Form`` remembers what the table looked like, so that rows of the library (one double for
each column of the schema: a number, or the index of a level) become a table like it again."""
from __future__ import annotations

import ctypes
import functools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._native import c_text, c_texts, check, context, ffi, lib, owned, text

_ELEMENTS = {
    np.dtype(np.float32): lib.OW_ELEMENT_FLOAT32,
    np.dtype(np.float64): lib.OW_ELEMENT_FLOAT64,
    np.dtype(np.int8): lib.OW_ELEMENT_INT8,
    np.dtype(np.int16): lib.OW_ELEMENT_INT16,
    np.dtype(np.int32): lib.OW_ELEMENT_INT32,
    np.dtype(np.int64): lib.OW_ELEMENT_INT64,
    np.dtype(np.uint8): lib.OW_ELEMENT_UINT8,
    np.dtype(np.uint16): lib.OW_ELEMENT_UINT16,
    np.dtype(np.uint32): lib.OW_ELEMENT_UINT32,
    np.dtype(np.uint64): lib.OW_ELEMENT_UINT64,
    np.dtype(np.bool_): lib.OW_ELEMENT_BOOL,
}


def family(table: Any) -> str:
    """Which kind of table this is; none of the packages is imported for it."""
    module = type(table).__module__.partition(".")[0]
    name = type(table).__name__
    if module == "pandas" and name == "DataFrame":
        return "pandas"
    if module == "polars" and name == "DataFrame":
        return "polars"
    if isinstance(table, (str, os.PathLike)):
        return "file"
    if isinstance(table, np.ndarray):
        return "numpy"
    if hasattr(table, "__arrow_c_stream__"):
        return "arrow"
    if isinstance(table, Mapping):
        return "dict"
    if hasattr(table, "__array__") or isinstance(table, Sequence):
        return "numpy"
    raise ArgumentError(
        f"{type(table).__module__}.{name} is no table that otherwise reads: it takes pandas, polars "
        "and Arrow data, NumPy arrays, dicts of columns, and paths of CSV files")


def keys_of(table: Any) -> list[Any]:
    """The names of a table's columns, of any kind but an array or a file."""
    for attribute in ("column_names", "columns"):   # of Arrow; of pandas and polars
        if hasattr(table, attribute):
            return list(getattr(table, attribute))
    return list(table)


def column_of(table: Any, key: Any) -> np.ndarray:
    """One column of a table of any kind but a file."""
    if isinstance(table, np.ndarray):
        return table[:, key]
    column = table.column(key) if hasattr(table, "column_names") else table[key]
    return column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)


@dataclass
class Column:
    """How a column of a table was given, and so how it is given back."""

    key: Any                      # its name as the table has it
    name: str                     # and as the library has it
    kind: str                     # "number", "truth", "time" or "level"
    dtype: Any = None             # of its family; None: as it comes
    originals: dict[str, Any] = field(default_factory=dict)  # by their text
    order: list[str] | None = None  # texts of an ordered category's levels, in order


@dataclass
class Form:
    """What a table looked like."""

    family: str
    columns: list[Column]
    shape: tuple[int, ...] | None = None   # of one image; None: rows of a table

    @property
    def names(self) -> list[str]:
        return [c.name for c in self.columns]

    def key_of(self, name: str) -> Any:
        return next((c.key for c in self.columns if c.name == name), name)


class Rows:
    """A reader of the library over somebody's memory, which it keeps alive."""

    def __init__(self, pointer: Any, form: Form, n_rows: int | None) -> None:
        self.kept: list[Any] = []
        self.pointer = owned(pointer, lib.ow_reader_free, self.kept)
        self.form = form
        self.n_rows = n_rows

    def add_numbers(self, name: str, values: np.ndarray) -> None:
        values = np.asarray(values)
        if values.dtype not in _ELEMENTS:
            values = values.astype(np.float64)
        if values.strides[0] <= 0:
            values = np.ascontiguousarray(values)
        self.kept.append(values)
        check(lib.ow_reader_add_numbers(self.pointer, c_text(name), _ELEMENTS[values.dtype],
                                        len(values), ffi.cast("void *", values.ctypes.data),
                                        values.strides[0]))

    def add_codes(self, name: str, codes: np.ndarray, levels: Sequence[str]) -> None:
        codes = np.ascontiguousarray(codes)
        array, kept = c_texts(levels)
        self.kept += [codes, array, kept]
        check(lib.ow_reader_add_codes(self.pointer, c_text(name), _ELEMENTS[codes.dtype], len(codes),
                                      ffi.cast("void *", codes.ctypes.data), 0, array, len(levels)))


def open_rows(table: Any, name: str = "the table") -> Rows:
    """A reader over any table."""
    which = family(table)
    if which == "file":
        return _open_file(os.fspath(table))
    if which in ("polars", "arrow"):
        return _open_arrow(table, which, name)
    if which == "pandas":
        return _open_pandas(table, name)
    if which == "dict":
        return _open_dict(table, name)
    return _open_array(table, name)


def _open_file(path: str) -> Rows:
    out = ffi.new("ow_reader **")
    check(lib.ow_reader_open(context(), c_text(path), ffi.NULL, ffi.NULL, out))
    names = [text(lib.ow_reader_column_name(out[0], j))
             for j in range(lib.ow_reader_n_columns(out[0]))]
    return Rows(out[0], Form("file", [Column(n, n, "level") for n in names]), None)


def _open_array(table: Any, name: str) -> Rows:
    array = np.asarray(table)
    if array.ndim in (3, 4):
        return _open_images(array, name)
    if array.ndim != 2:
        raise ArgumentError(f"an array of {array.ndim} dimensions is no table. Reshape your data: "
                            "one row for each sample, one column for each feature; images are "
                            "samples x height x width")
    if array.dtype == object or array.dtype.kind in "US":
        return _open_dict({f"x{j}": array[:, j] for j in range(array.shape[1])}, name, "numpy")
    if array.dtype not in _ELEMENTS:
        if array.dtype.kind == "c":
            raise ArgumentError("Complex data not supported: complex numbers have no order")
        array = array.astype(np.float64)
    array = np.ascontiguousarray(array)
    columns = [Column(j, f"x{j}", "number", array.dtype) for j in range(array.shape[1])]
    rows = _open_columns(len(array), name, Form("numpy", columns))
    for j, column in enumerate(columns):
        rows.add_numbers(column.name, array[:, j])
    return rows


def _open_images(array: np.ndarray, name: str) -> Rows:
    """n x height x width, or n x height x width x channels."""
    if array.dtype not in _ELEMENTS:
        array = array.astype(np.float64)
    array = np.ascontiguousarray(array)
    shape = ffi.new("size_t[]", list(array.shape))
    out = ffi.new("ow_reader **")
    check(lib.ow_reader_open_array(context(), _ELEMENTS[array.dtype], array.ndim, shape,
                                   ffi.cast("void *", array.ctypes.data), c_text(name), out))
    n_columns = int(np.prod(array.shape[1:]))
    columns = [Column(j, f"x{j}", "number", array.dtype) for j in range(n_columns)]
    rows = Rows(out[0], Form("numpy", columns, array.shape[1:]), len(array))
    rows.kept.append(array)
    return rows


def _open_columns(n_rows: int, name: str, form: Form) -> Rows:
    names = form.names
    for column in form.columns:
        if names.count(column.name) > 1:
            raise ArgumentError(f"two columns of {name} are called {column.name}")
    out = ffi.new("ow_reader **")
    check(lib.ow_reader_open_columns(context(), n_rows, c_text(name), out))
    return Rows(out[0], form, n_rows)


def _open_dict(table: Mapping[Any, Any], name: str, which: str = "dict") -> Rows:
    arrays = {key: np.asarray(values) for key, values in table.items()}
    n_rows = len(next(iter(arrays.values()))) if arrays else 0
    columns = [Column(key if which == "dict" else j, str(key), _kind_of(a), a.dtype)
               for j, (key, a) in enumerate(arrays.items())]
    rows = _open_columns(n_rows, name, Form(which, columns))
    for column, array in zip(columns, arrays.values()):
        if len(array) != n_rows:
            raise ArgumentError(f"column {column.name} has {len(array)} rows, others {n_rows}")
        _add_array(rows, column, array)
    return rows


def _kind_of(array: np.ndarray) -> str:
    kinds = {"b": "truth", "i": "number", "u": "number", "f": "number", "M": "time"}
    return kinds.get(array.dtype.kind, "level")


def _add_array(rows: Rows, column: Column, array: np.ndarray) -> None:
    if column.kind in ("number", "truth"):
        rows.add_numbers(column.name, array)
    elif column.kind == "time":
        _add_objects(rows, column, np.datetime_as_string(array).astype(object),
                     np.isnat(array))
    else:
        _add_objects(rows, column, array.astype(object), None)


def _is_missing(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


def _add_objects(rows: Rows, column: Column, values: np.ndarray, missing: Any) -> None:
    """Texts and whatever else can be told apart: as codes, so that each text is written once."""
    codes = np.empty(len(values), dtype=np.int64)
    index: dict[Any, int] = {}
    levels: list[str] = []
    for i, value in enumerate(values):
        if (missing is not None and missing[i]) or (missing is None and _is_missing(value)):
            codes[i] = -1
            continue
        code = index.get(value)
        if code is None:
            code = index[value] = len(levels)
            levels.append(str(value))
            column.originals.setdefault(levels[-1], value)
        codes[i] = code
    rows.add_codes(column.name, codes, levels)


# ---- pandas ----

def _open_pandas(table: Any, name: str) -> Rows:
    columns = [Column(key, str(key), _pandas_kind(dtype), dtype)
               for key, dtype in zip(table.columns, table.dtypes)]
    rows = _open_columns(len(table), name, Form("pandas", columns))
    for column, (_, series) in zip(columns, table.items()):
        _add_pandas(rows, column, series)
    return rows


@functools.lru_cache(maxsize=None)
def _pandas_kind(dtype: Any) -> str:
    from pandas.api import types

    if isinstance(dtype, types.CategoricalDtype if hasattr(types, "CategoricalDtype") else ()):
        return "level"
    if types.is_bool_dtype(dtype):
        return "truth"
    if types.is_complex_dtype(dtype):
        raise ArgumentError("Complex data not supported: complex numbers have no order")
    if types.is_numeric_dtype(dtype):
        return "number"
    if types.is_datetime64_any_dtype(dtype):
        return "time"
    return "level"


def _add_pandas(rows: Rows, column: Column, series: Any) -> None:
    import pandas as pd

    if isinstance(series.dtype, pd.CategoricalDtype):
        levels = [str(level) for level in series.cat.categories]
        column.originals = dict(zip(levels, series.cat.categories))
        if series.cat.ordered:
            column.order = levels
        rows.add_codes(column.name, series.cat.codes.to_numpy(), levels)
    elif column.kind in ("number", "truth"):
        if isinstance(series.dtype, np.dtype):
            rows.add_numbers(column.name, series.to_numpy())
        else:
            rows.add_numbers(column.name, series.to_numpy(dtype=np.float64, na_value=np.nan))
    elif column.kind == "time":
        texts = series.dt.strftime("%Y-%m-%dT%H:%M:%S")
        if (series.dropna().dt.normalize() == series.dropna()).all():
            texts = series.dt.strftime("%Y-%m-%d")
        _add_factorized(rows, column, texts)
        column.originals = {}
    else:
        _add_factorized(rows, column, series)


def _add_factorized(rows: Rows, column: Column, series: Any) -> None:
    """pandas tells values apart faster than a loop does, but for a few rows."""
    if len(series) < 32 and column.kind == "level":
        _add_objects(rows, column, series.to_numpy(dtype=object), None)
        return
    try:
        codes, uniques = series.factorize(use_na_sentinel=True)
    except TypeError as error:
        raise ArgumentError(
            f"column {column.name} holds values that cannot be told apart: {error}") from error
    levels = [str(value) for value in uniques]
    column.originals = dict(zip(levels, uniques))
    rows.add_codes(column.name, codes, levels)


# ---- Arrow: polars, pyarrow, and whatever else speaks it ----

def _open_arrow(table: Any, which: str, name: str) -> Rows:
    capsule = table.__arrow_c_stream__()
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype = ctypes.c_void_p
    pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
    stream = ffi.cast("struct ArrowArrayStream *", pointer(capsule, b"arrow_array_stream"))
    out = ffi.new("ow_reader **")
    check(lib.ow_reader_open_arrow(context(), stream, c_text(name), True, out))
    names = [text(lib.ow_reader_column_name(out[0], j))
             for j in range(lib.ow_reader_n_columns(out[0]))]
    dtypes = _arrow_types(table, which)
    columns = [Column(n, n, _arrow_kind(dtypes.get(n)), dtypes.get(n)) for n in names]
    rows = Rows(out[0], Form(which, columns), len(table) if hasattr(table, "__len__") else None)
    rows.kept += [table, capsule]
    return rows


def _arrow_types(table: Any, which: str) -> dict[str, Any]:
    if which == "polars":
        return dict(table.schema)
    schema: Any = getattr(table, "schema", None)
    if type(schema).__module__.startswith("pyarrow"):
        return {f.name: f.type for f in schema}
    return {}


def _arrow_kind(dtype: Any) -> str:
    word = str(dtype).lower()
    if word.startswith("dictionary"):
        return "level"
    if word.startswith("bool"):
        return "truth"
    if word.startswith(("int", "uint", "float", "double", "half", "decimal")):
        return "number"
    if word.startswith(("date", "timestamp")):
        return "time"
    return "level"
