# SPDX-License-Identifier: MIT
"""Rows of the library as a table of the kind that they came from."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._native import ffi, lib, text
from ._tables import Column, Form


class Restorer:
    """Makes tables of rows: n x columns of the schema, numbers and indices of levels."""

    def __init__(self, schema: Any, form: Form) -> None:
        self.schema = schema
        self.form = form
        by_name = {column.name: column for column in form.columns}
        self.columns: list[tuple[Column, list[str] | None]] = []
        for j in range(lib.ow_schema_n_columns(schema)):
            column = lib.ow_schema_column(schema, j)
            name = text(column.name)
            levels = ([text(column.levels[k]) for k in range(column.n_levels)]
                      if column.n_levels > 0 else None)
            self.columns.append((by_name.get(name, Column(name, name, "level")), levels))
        self._level_objects = [None if levels is None else self._objects_of(column, levels)
                               for column, levels in self.columns]

    def texts(self, j: int, values: np.ndarray) -> list[str | None]:
        """The values of column j as files have them; None where missing."""
        buffer = ffi.new("char[512]")
        found: dict[float, str | None] = {}
        result: list[str | None] = []
        for value in values:
            if value not in found:
                if np.isnan(value):
                    result.append(None)
                    continue
                length = lib.ow_schema_print_value(self.schema, j, value, buffer, 512)
                if length >= 512:
                    longer = ffi.new("char[]", length + 1)
                    lib.ow_schema_print_value(self.schema, j, value, longer, length + 1)
                    found[value] = text(longer)
                else:
                    found[value] = text(buffer)
            result.append(found[value])
        return result

    def objects(self, j: int, values: np.ndarray) -> np.ndarray:
        """The values of column j as the objects that the table had; None where missing."""
        column = self.columns[j][0]
        table = self._level_objects[j]
        if table is not None:
            return table[np.where(np.isnan(values), -1, values).astype(np.intp)]
        result = np.empty(len(values), dtype=object)
        if column.kind in ("number", "truth"):
            result[:] = [None if np.isnan(v) else v for v in values.tolist()]
        else:
            result[:] = [None if t is None else self._original(column, t)
                         for t in self.texts(j, values)]
        return result

    def object(self, j: int, value: float) -> Any:
        """One value of column j as an object."""
        table = self._level_objects[j]
        if value != value:
            return None
        if table is not None:
            return table[int(value)]
        column = self.columns[j][0]
        if column.kind in ("number", "truth"):
            return value
        return self._original(column, self.texts(j, np.array([value]))[0] or "")

    def _objects_of(self, column: Column, levels: list[str]) -> np.ndarray:
        """The objects of a column's levels, and None behind them."""
        table = np.empty(len(levels) + 1, dtype=object)
        table[:-1] = [self._original(column, level) for level in levels]
        return table

    @staticmethod
    def _original(column: Column, level: str) -> Any:
        if column.kind in ("number", "truth"):
            return float(level)
        return column.originals.get(level, level)

    def numbers(self, j: int, values: np.ndarray) -> np.ndarray:
        """The values of a column of numbers as doubles, where it is one to the table."""
        levels = self.columns[j][1]
        if levels is None:
            return values
        table = np.array([float(level) for level in levels] + [np.nan])
        return table[np.where(np.isnan(values), len(levels), values).astype(np.intp)]

    # ---- The table ----

    def table(self, values: np.ndarray, index: Any = None) -> Any:
        """Rows as a table of the kind that the form has; files and other Arrow data as pandas
        where it is there, else as a dict of arrays."""
        values = np.asarray(values, dtype=np.float64).reshape(-1, len(self.columns))
        which = self.form.family
        if which == "numpy":
            return self._array(values)
        if which == "polars":
            return self._polars(values)
        if which == "arrow":
            return self._arrow(values)
        if which in ("pandas", "file"):
            try:
                return self._pandas(values, index)
            except ImportError:
                pass
        return {column.key: self._plain(j, values[:, j])
                for j, (column, _) in enumerate(self.columns)}

    def _plain(self, j: int, values: np.ndarray) -> np.ndarray:
        column = self.columns[j][0]
        if column.kind in ("number", "truth"):
            numbers = self.numbers(j, values)
            if column.dtype is None or (column.dtype.kind in "iub" and np.isnan(numbers).any()):
                return numbers
            return numbers.astype(column.dtype)
        if column.kind == "time":
            return np.array([t or "NaT" for t in self.texts(j, values)], dtype="datetime64[s]")
        return self.objects(j, values)

    def _array(self, values: np.ndarray) -> np.ndarray:
        flat = self._flat_array(values)
        return flat if self.form.shape is None else flat.reshape(-1, *self.form.shape)

    def _flat_array(self, values: np.ndarray) -> np.ndarray:
        plain = [self._plain(j, values[:, j]) for j in range(len(self.columns))]
        if any(p.dtype == object for p in plain):
            result = np.empty(values.shape, dtype=object)
            for j, p in enumerate(plain):
                result[:, j] = p
            return result
        dtype = np.result_type(*plain) if plain else np.float64
        return np.column_stack(plain).astype(dtype) if plain else np.empty((len(values), 0))

    def _pandas(self, values: np.ndarray, index: Any) -> Any:
        import pandas as pd

        data = {j: self._pandas_column(pd, j, values[:, j]) for j in range(len(self.columns))}
        frame = pd.DataFrame(data, index=index)
        frame.columns = pd.Index([column.key for column, _ in self.columns])
        return frame

    def _pandas_column(self, pd: Any, j: int, values: np.ndarray) -> Any:
        column, levels = self.columns[j]
        dtype = column.dtype
        if dtype is None:  # from a file
            return self._from_file(j, values) if levels is None else self.objects(j, values)
        if isinstance(dtype, pd.CategoricalDtype):
            return pd.Categorical(self.objects(j, values), dtype=dtype)
        if column.kind == "time":
            return pd.to_datetime(pd.Series(self.texts(j, values), dtype=object)).astype(
                "datetime64[ns]").dt.tz_localize(getattr(dtype, "tz", None)).astype(dtype).array
        if column.kind == "level":
            return pd.array(self.objects(j, values), dtype=dtype)
        numbers = self.numbers(j, values)
        if isinstance(dtype, np.dtype):
            return self._plain(j, values)
        if pd.api.types.is_bool_dtype(dtype):
            return pd.array([None if np.isnan(v) else bool(v) for v in numbers], dtype=dtype)
        return pd.array([None if np.isnan(v) else v for v in numbers], dtype=dtype)

    def _from_file(self, j: int, values: np.ndarray) -> np.ndarray:
        """Numbers whose type nobody has said: whole ones as integers, formatted ones as texts."""
        column = lib.ow_schema_column(self.schema, j)
        if column.format != ffi.NULL:
            return np.array(self.texts(j, values), dtype=object)
        whole = column.type == lib.OW_TYPE_INTEGER and not np.isnan(values).any()
        return values.astype(np.int64) if whole else values

    def _polars(self, values: np.ndarray) -> Any:
        import polars as pl

        return pl.DataFrame([
            pl.Series(column.name, self._python(j, values[:, j]), dtype=column.dtype, strict=False)
            for j, (column, _) in enumerate(self.columns)])

    def _arrow(self, values: np.ndarray) -> Any:
        import pyarrow as pa

        names = [column.name for column, _ in self.columns]
        arrays = []
        for j, (column, _) in enumerate(self.columns):
            plain = self._python(j, values[:, j])
            if column.dtype is not None and pa.types.is_dictionary(column.dtype):
                arrays.append(pa.array(plain, column.dtype.value_type).dictionary_encode()
                              .cast(column.dtype))
            else:
                arrays.append(pa.array(plain, column.dtype))
        return pa.Table.from_arrays(arrays, names)

    def _python(self, j: int, values: np.ndarray) -> list[Any]:
        """Plain Python objects of a column, for those who build from them."""
        import datetime

        column = self.columns[j][0]
        if column.kind == "time":
            dates_only = str(column.dtype).lower().startswith(("date32", "date64")) or (
                str(column.dtype) == "Date")
            read = (datetime.date if dates_only else datetime.datetime).fromisoformat
            return [None if t is None else read(t.rstrip("Z")) for t in self.texts(j, values)]
        if column.kind == "level":
            return self.objects(j, values).tolist()
        numbers = self.numbers(j, values)
        word = str(column.dtype).lower()
        convert = bool if column.kind == "truth" else int if "int" in word else float
        return [None if np.isnan(v) else convert(v) for v in numbers]
