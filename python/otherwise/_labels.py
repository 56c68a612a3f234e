# SPDX-License-Identifier: MIT
"""Classes of rows as codes, slice by slice: sorting millions of texts at once takes as much memory
as their table."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

_SLICE = 1 << 18


def slices(values: np.ndarray) -> Iterator[slice]:
    """Slices that cover the values; one for none."""
    return (slice(i, i + _SLICE) for i in range(0, max(len(values), 1), _SLICE))


def _is_known(values: np.ndarray) -> np.ndarray:
    """Where there is a class: neither None nor NaN."""
    if values.dtype == object:
        return np.array([v is not None and v == v for v in values], dtype=bool)
    if values.dtype.kind == "f":
        return ~np.isnan(values)
    return np.ones(len(values), dtype=bool)


def classes_of(values: np.ndarray) -> np.ndarray:
    """The different classes, sorted."""
    parts = (values[s] for s in slices(values))
    return np.unique(np.concatenate([np.unique(part[_is_known(part)]) for part in parts]))


def codes_of(values: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """The index of each value's class, -1 without one, in the smallest type that has room."""
    codes = np.full(len(values), -1, dtype=np.min_scalar_type(-max(len(classes), 1)))
    for s in slices(values):
        known = _is_known(values[s])
        codes[s][known] = np.searchsorted(classes, values[s][known])
    return codes
