# SPDX-License-Identifier: MIT
"""What somebody wants of answers as JSON (doc/serve.md): what the page of ``otherwise serve`` saves
and ``explain --preferences`` reads."""
from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from typing import Any

from ._constraints import Constraints
from ._errors import ArgumentError
from ._native import check, lib

_CONSTRAINTS = {"immutable", "vary", "range", "reach", "allow", "moves", "monotone", "cost",
                "derive", "rules", "max_changes"}
_OPTIONS = {"target", "answers", "prefer", "steps", "min_density", "prob"}


def load_preferences(source: Any) -> dict[str, Any]:
    """From the path of a file, or a mapping."""
    if not isinstance(source, Mapping):
        with open(os.fspath(source), encoding="utf-8") as file:
            source = json.load(file)
    if not isinstance(source, Mapping):
        raise ArgumentError("preferences: expected an object")
    unknown = sorted(set(source) - _CONSTRAINTS - _OPTIONS)
    if unknown:
        raise ArgumentError(f"preferences: {unknown[0]!r}: expected a key that doc/serve.md lists")
    return dict(source)


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _cost(cost: Any) -> Any:
    """Columns whose levels have no order have one cost only."""
    return cost["up"] if isinstance(cost, Mapping) and cost["up"] == cost["down"] else cost


def _reach(constraints: Constraints, column: str, limits: Mapping[str, Any]) -> None:
    for key, unit in (("units", lib.OW_REACH_UNITS), ("percent", lib.OW_REACH_PERCENT)):
        low, high = limits.get(key, (None, None))
        if low is not None or high is not None:
            check(lib.ow_constraints_reach(constraints.pointer, constraints._name(column),
                                           -math.inf if low is None else float(low),
                                           math.inf if high is None else float(high), unit))


def add_preferences(constraints: Constraints, wanted: Mapping[str, Any]) -> None:
    """Those of ``load_preferences`` that are constraints."""
    moves: dict[str, dict[str, list[str]]] = {}
    for column, pairs in (wanted.get("moves") or {}).items():
        for before, after in pairs:
            moves.setdefault(column, {}).setdefault(before, []).append(after)
    costs = {column: _cost(cost) for column, cost in (wanted.get("cost") or {}).items()}
    derive = [f"{_quoted(column)} = {formula}"
              for column, formula in (wanted.get("derive") or {}).items()]
    constraints.fill(immutable=wanted.get("immutable"), vary=wanted.get("vary"),
                     ranges=wanted.get("range"), allow=wanted.get("allow"),
                     monotone=wanted.get("monotone"), costs=costs, rules=wanted.get("rules"),
                     derive=derive, max_changes=wanted.get("max_changes"))
    constraints.fill(allow=moves)
    for column, limits in (wanted.get("reach") or {}).items():
        _reach(constraints, column, limits)
