# SPDX-License-Identifier: MIT
"""Methods side by side, by the library's metrics."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._constraints import Constraints
from ._errors import ArgumentError
from ._explainer import Explainer
from ._native import c_text, calling, ffi, lib, owned, text


def evaluate(explainer: Explainer, X: Any, methods: Sequence[str] = ("guided", "two-step", "nearest"),
             *, target: Any = None, known: Any = None, seeds: int = 1,
             time_limit: float | None = None, **constraints: Any) -> Any:
    """Lets several methods explain the same rows and measures their answers.

    Parameters
    ----------
    explainer
        Whose model is explained.
    X
        The rows.
    methods
        Names of methods, with a preset behind a colon if wanted ("two-step:paper").
    known
        Rows that the model has learned from: the background of methods that need one, and of the
        metrics ynn and lof.
    constraints
        As for ``Explainer.explain``: immutable, vary, ranges, ...

    Returns
    -------
    A pandas data frame, metrics by methods, where pandas is there; else a dict of dicts.
    """
    return _run(explainer, X, methods, {}, None, target, known, seeds, time_limit, constraints)


def _run(explainer: Explainer, X: Any, methods: Sequence[str], given: Mapping[str, Any],
         positions: Any, target: Any, known: Any, seeds: int, time_limit: float | None,
         constraints: Mapping[str, Any]) -> Any:
    model = explainer.model
    rules = Constraints(model)
    rules.fill(**constraints)
    options = ffi.new("ow_explain_options *")
    lib.ow_explain_options_init(options, ffi.sizeof("ow_explain_options"))
    if target is not None:
        options.target = model.class_index(target)
    queries = np.ascontiguousarray(model.read(X))
    rows = explainer._background if known is None else np.ascontiguousarray(model.read(known))
    experiment = ffi.new("ow_experiment *")
    lib.ow_experiment_init(experiment, ffi.sizeof("ow_experiment"))
    contestants, kept = _contestants(methods)
    experiment.model = model._pointer
    classifier = explainer._classifier()
    if classifier is not None:
        experiment.classifier = classifier.pointer
    experiment.methods, experiment.n_methods = contestants, len(methods)
    made, lent = _given(model, given, len(queries), positions)
    experiment.given, experiment.n_given = made, len(given)
    experiment.constraints, experiment.options = rules.pointer, options
    experiment.n_queries, experiment.queries = len(queries), _doubles(queries)
    experiment.n_seeds = seeds
    experiment.time_limit = time_limit or 0.0
    if rows is not None:
        experiment.n_known, experiment.known = len(rows), _doubles(rows)
    out = ffi.new("ow_evaluation **")
    with calling(explainer.seed, explainer.threads, None, explainer.progress) as call:
        status = lib.ow_experiment_run(experiment, call.pointer, out)
        evaluation = owned(out[0], lib.ow_evaluation_free)
        if classifier is not None:
            classifier.raise_error()
        call.check(status)
    del kept, lent
    return _as_frame(_figures(evaluation, len(methods) + len(given)))


def _given(model: Any, tables: Mapping[str, Any], n_queries: int,
           positions: Any) -> tuple[Any, list[Any]]:
    """The answers as the library takes them, and what must live as long."""
    array = ffi.new("ow_given_answers[]", max(len(tables), 1))
    kept: list[Any] = []
    for k, (name, table) in enumerate(tables.items()):
        values = np.ascontiguousarray(model.read(table))
        if positions is not None:
            places = np.asarray(positions)
            if len(places) != len(values):
                raise ArgumentError(f"{len(places)} positions for {len(values)} answers")
            if len(places) and not (0 <= places.min() and places.max() < n_queries):
                raise ArgumentError(f"positions go from 0 to {n_queries - 1}")
            whole = np.full((n_queries, values.shape[1]), np.nan)
            whole[places[::-1]] = values[::-1]  # the first of several counts
            values = whole
        if len(values) != n_queries:
            raise ArgumentError(f"{len(values)} answers for {n_queries} rows; rows= says which "
                                "row each one answers")
        answered = np.ascontiguousarray(~np.isnan(values).all(axis=1))
        kept += [c_text(name), values, answered]
        array[k].name = kept[-3]
        array[k].values = _doubles(values)
        array[k].answered = ffi.cast("_Bool *", answered.ctypes.data)
    return array, kept


def judge(explainer: Explainer, answers: Any, X: Any, *, name: str = "answers",
          target: Any = None, known: Any = None, methods: Sequence[str] = (),
          rows: Any = None, **constraints: Any) -> Any:
    """Scores answers that any tool has made, by every metric of the library.

    Parameters
    ----------
    explainer
        Whose model decides: the answers are counterfactuals of its decisions.
    answers
        A table with a row for each row of X, in the same order; a row in which every value is
        missing is no answer.  Or a mapping of names to such tables, which are judged side by side.
    X
        The rows that were explained.
    rows
        For a table with other rows than X: the positions in X that its rows answer.
    methods
        Methods of the library to set beside them.
    known, target, constraints
        As for :func:`evaluate`.  Nothing is repaired: what an answer breaks counts as broken.

    Returns
    -------
    As :func:`evaluate`.
    """
    given = dict(answers) if _is_named(answers) else {name: answers}
    return _run(explainer, X, methods, given, rows, target, known, 1, None, constraints)


def _is_named(answers: Any) -> bool:
    """Whether this is a mapping of names to tables, and not a table given as a dict of columns."""
    return isinstance(answers, Mapping) and all(
        hasattr(table, "columns") or hasattr(table, "schema")
        or (isinstance(table, np.ndarray) and table.ndim == 2) or isinstance(table, Mapping)
        for table in answers.values())


def _contestants(methods: Sequence[str]) -> tuple[Any, list[Any]]:
    array = ffi.new("ow_contestant[]", len(methods))
    kept = []
    for k, word in enumerate(methods):
        name, _, preset = word.partition(":")
        kept += [c_text(name), c_text(preset)]
        array[k].method = kept[-2]
        array[k].preset = kept[-1] if preset else ffi.NULL
    return array, kept


def _figures(evaluation: Any, n_methods: int) -> dict[str, dict[str, float]]:
    table: dict[str, dict[str, float]] = {}
    for m in range(n_methods):
        name = text(lib.ow_evaluation_standing(evaluation, m).name)
        table[name] = {}
        k = 0
        while (metric := lib.ow_metric_get(k)) != ffi.NULL:
            table[name][text(metric.name)] = lib.ow_evaluation_figure(evaluation, m, k).mean
            k += 1
    return table


def _as_frame(table: Mapping[str, Mapping[str, float]]) -> Any:
    try:
        import pandas as pd
    except ImportError:
        return table
    return pd.DataFrame(table)


def _doubles(values: np.ndarray) -> Any:
    return ffi.cast("double *", values.ctypes.data)
