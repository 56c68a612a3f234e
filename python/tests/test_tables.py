# SPDX-License-Identifier: MIT
"""Data frames as they come: values and dtypes come back as they were."""
import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from otherwise import Model

OPTIONS = {"repetitions": 1, "inputs": 1, "epochs": 1}


def round_trip(frame, y):
    columns = frame.column_names if isinstance(frame, pa.Table) else [str(c) for c in frame.columns]
    model = Model.train(frame, y, options=OPTIONS,
                        infer={"keep": columns, "unlock": ["all"]})
    return model, model.table(model.read(frame))


@pytest.fixture
def mixed():
    n = 60
    rng = np.random.default_rng(0)
    return pd.DataFrame({
        "small": rng.integers(0, 9, n).astype(np.int8),
        "float": rng.normal(size=n).astype(np.float32),
        "nullable": pd.array(np.where(rng.random(n) < 0.2, None, rng.integers(0, 50, n)),
                             dtype="Int64"),
        "truth": rng.random(n) < 0.5,
        "maybe": pd.array(rng.choice([True, False, None], n), dtype="boolean"),
        "word": rng.choice(["red", "green", "blue"], n),
        "kind": pd.Categorical(rng.choice(["a", "b"], n), categories=["b", "a", "unused"]),
        "grade": pd.Categorical(rng.choice(["low", "mid", "high"], n),
                                categories=["low", "mid", "high"], ordered=True),
        "code": pd.Categorical(rng.choice([10, 20, 30], n)),
        "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 500, n), "D"),
        7: rng.normal(size=n).round(2),
    }), np.where(rng.random(n) < 0.5, "yes", "no")


def test_pandas_dtypes_come_back(mixed):
    frame, y = mixed
    model, back = round_trip(frame, y)
    assert list(back.columns) == list(frame.columns)
    for column in frame:
        assert back[column].dtype == frame[column].dtype, column
        pd.testing.assert_series_equal(back[column], frame[column], check_exact=False, rtol=1e-6)


def test_an_ordered_category_is_ordinal(mixed):
    frame, y = mixed
    model, _ = round_trip(frame, y)
    levels = dict((c.name, levels) for c, levels in model._restorer.columns)["grade"]
    assert levels == ["low", "mid", "high"]


def test_polars_types_come_back():
    n = 40
    frame = pl.DataFrame({
        "a": pl.Series([i % 7 for i in range(n)], dtype=pl.Int16),
        "b": pl.Series([None if i % 5 == 0 else i / 4 for i in range(n)], dtype=pl.Float64),
        "c": pl.Series(["x" if i % 3 else "y" for i in range(n)], dtype=pl.Categorical),
        "d": pl.Series(["u" if i % 2 else "v" for i in range(n)], dtype=pl.Enum(["v", "u"])),
        "e": pl.Series([datetime.date(2024, 1, 1 + i % 20) for i in range(n)]),
        "f": pl.Series([i % 4 == 0 for i in range(n)]),
    })
    _, back = round_trip(frame, ["p" if i % 2 else "q" for i in range(n)])
    assert back.schema == frame.schema
    assert back.equals(frame)


def test_arrow_types_come_back():
    n = 30
    table = pa.table({
        "a": pa.array([i % 6 for i in range(n)], pa.uint8()),
        "b": pa.array([None if i == 3 else f"w{i % 4}" for i in range(n)], pa.large_string()),
        "c": pa.array([i * 0.5 for i in range(n)], pa.float32()),
        "d": pa.array(["k" if i % 3 else "l" for i in range(n)]).dictionary_encode(),
    })
    _, back = round_trip(table, [i % 2 for i in range(n)])
    assert back.schema.types == table.schema.types
    assert back.to_pydict() == table.to_pydict()


def test_arrays_come_back(numbers):
    X, y = numbers
    for array in (X, X.astype(np.float32), (X * 10).astype(np.int16), np.asfortranarray(X), X[::-2]):
        _, back = round_trip_array(array, y[:len(array)])
        assert back.dtype == array.dtype
        np.testing.assert_allclose(back, array, rtol=1e-6)


def round_trip_array(array, y):
    model = Model.train(array, y, options=OPTIONS)
    return model, model.table(model.read(array))


def test_duplicate_index_and_empty_rows(mixed):
    frame, y = mixed
    frame.index = [0] * len(frame)
    model, back = round_trip(frame, y)
    assert len(back) == len(frame)
    assert len(model.table(model.read(frame[:0]))) == 0


def test_what_is_no_table_is_said():
    for wrong in (np.zeros((3, 3, 3, 3, 3)), 7, np.zeros((4, 2), dtype=complex)):
        with pytest.raises(ValueError):
            Model.train(wrong, [0, 1, 0])


@given(st.lists(st.tuples(
    st.one_of(st.none(), st.floats(-1e6, 1e6, allow_nan=False, width=32)),
    st.integers(-1000, 1000),
    st.one_of(st.none(), st.sampled_from(["a", "b", "c, d", 'e"f', "ü", "<g>", "h i"]))),
    min_size=8, max_size=40))
def test_values_round_trip(rows):
    frame = pd.DataFrame(rows, columns=["x", "n", "t"]).astype({"x": float, "t": object})
    y = np.arange(len(frame)) % 2
    model, back = round_trip(frame, y)
    for column in model.columns:  # columns without any value are left out
        got, want = back[column], frame[column]
        assert (got.isna() == want.isna()).all()
        if column == "t":
            assert (got.dropna().astype(str) == want.dropna().astype(str)).all()
        else:
            np.testing.assert_allclose(got.dropna().astype(float), want.dropna().astype(float),
                                       rtol=1e-12)
