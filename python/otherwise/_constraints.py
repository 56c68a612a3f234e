# SPDX-License-Identifier: MIT
"""What answers may change, from the words of ``Explainer.explain``."""
from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from ._errors import ArgumentError
from ._model import Model
from ._native import c_text, check, context, ffi, lib, owned

_DIRECTIONS = {"up": lib.OW_MONOTONE_UP, "down": lib.OW_MONOTONE_DOWN,
               "increasing": lib.OW_MONOTONE_UP, "decreasing": lib.OW_MONOTONE_DOWN,
               1: lib.OW_MONOTONE_UP, -1: lib.OW_MONOTONE_DOWN}
_END = re.compile(r"([+-]?[0-9.]+(?:[eE][+-]?\d+)?)(%?)")


class Constraints:
    """An ow_constraints for a model."""

    def __init__(self, model: Model) -> None:
        out = ffi.new("ow_constraints **")
        check(lib.ow_constraints_new(context(), model._schema, out))
        self.pointer = owned(out[0], lib.ow_constraints_free, model._pointer)
        self._model = model

    def _name(self, column: Any) -> Any:
        """The library's name of a column, given as the table has it."""
        for known, _ in self._model._restorer.columns:
            if known.key is column or known.key == column:
                return c_text(known.name)
        return c_text(column)

    def fill(self, *, immutable: Any = None, vary: Any = None, ranges: Any = None,
             allow: Any = None, monotone: Any = None, costs: Any = None, rules: Any = None,
             derive: Any = None, max_changes: int | None = None, relations: bool = True) -> None:
        """Adds everything that was given."""
        for column in _names(immutable):
            check(lib.ow_constraints_immutable(self.pointer, self._name(column)))
        for column in _names(vary):
            check(lib.ow_constraints_vary(self.pointer, self._name(column)))
        for column, ends in (ranges or {}).items():
            self._range(column, ends)
        for column, values in (allow or {}).items():
            self._allow(column, values)
        for column, direction in (monotone or {}).items():
            check(lib.ow_constraints_monotone(self.pointer, self._name(column),
                                              _direction(column, direction)))
        for column, cost in (costs or {}).items():
            self._cost(column, cost)
        if not relations:
            lib.ow_constraints_drop_relations(self.pointer)
        for statement in _names(derive):
            check(lib.ow_constraints_derive(self.pointer, c_text(statement)))
        for rule in _names(rules):
            check(lib.ow_constraints_add_rule(self.pointer, c_text(rule)))
        if max_changes is not None:
            lib.ow_constraints_most_changes(self.pointer, max_changes)

    def _range(self, column: Any, ends: Any) -> None:
        """(low, high) with None for open; a text such as "+0:+20%" is relative to the row; a list
        of levels is what DiCE calls the range of a category."""
        if isinstance(ends, str):
            low, _, high = ends.partition(":")
            for end, is_low in ((low, True), (high, False)):
                if end.strip():
                    self._relative_end(column, end.strip(), is_low)
            return
        if self._is_category(column):
            self._allow(column, ends)
            return
        try:
            low, high = ends
        except (TypeError, ValueError):
            raise ArgumentError(f"the range of {column} is {ends!r}, expected (low, high)") from None
        check(lib.ow_constraints_range(self.pointer, self._name(column),
                                       -math.inf if low is None else float(low),
                                       math.inf if high is None else float(high)))

    def _is_category(self, column: Any) -> bool:
        return any(known.key == column and levels is not None and known.kind == "level"
                   for known, levels in self._model._restorer.columns)

    def _relative_end(self, column: Any, end: str, is_low: bool) -> None:
        match = _END.fullmatch(end)
        if match is None:
            raise ArgumentError(f"the range of {column} has the end {end!r}, expected one such as "
                                '"+5" or "-10%"')
        amount = float(match[1])
        unit = lib.OW_REACH_PERCENT if match[2] else lib.OW_REACH_UNITS
        check(lib.ow_constraints_reach(self.pointer, self._name(column),
                                       amount if is_low else -math.inf,
                                       math.inf if is_low else amount, unit))

    def _allow(self, column: Any, values: Any) -> None:
        """Values, or moves as a mapping from level to levels."""
        if isinstance(values, Mapping):
            for before, after in values.items():
                for level in _names(after):
                    check(lib.ow_constraints_move(self.pointer, self._name(column), c_text(before),
                                                  c_text(level)))
            return
        for value in _names(values):
            check(lib.ow_constraints_allow(self.pointer, self._name(column), c_text(value)))

    def _cost(self, column: Any, cost: Any) -> None:
        costs = cost if isinstance(cost, Mapping) else {None: cost}
        for direction, amount in costs.items():
            which = lib.OW_MONOTONE_NONE if direction is None else _direction(column, direction)
            check(lib.ow_constraints_cost(self.pointer, self._name(column), which, float(amount)))


def _direction(column: Any, word: Any) -> int:
    if word not in _DIRECTIONS:
        raise ArgumentError(f'{column} may go "up" or "down" only, not {word!r}')
    return _DIRECTIONS[word]


def _names(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        return [value]
    return list(value)
