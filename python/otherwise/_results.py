# SPDX-License-Identifier: MIT
"""What explaining gives: an outcome for every row, with its answers."""
from __future__ import annotations

import html
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ._native import ffi, lib, text

if TYPE_CHECKING:
    from ._model import Model


def _shown(value: Any) -> str:
    """As people read it: numbers with six digits."""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


@dataclass(frozen=True)
class Change:
    """One column that an answer changes.

    ``enough`` is how far a number has to go at least; None where that is not known.
    ``enough_for_class`` is a number nearer to ``before`` where less is enough for the class, but the
    row is less typical than asked; else None."""

    column: Any
    before: Any
    after: Any
    enough: Any = None
    enough_for_class: Any = None

    @property
    def remark(self) -> str:
        """How far a number has to go, in words; empty where that is ``after`` or not known."""
        if self.enough_for_class is not None:
            if self.enough_for_class == self.before:
                return "only to be typical"
            return f"{_shown(self.enough_for_class)} is enough, but less typical"
        return "" if self.enough in (None, self.after) else f"{_shown(self.enough)} is enough"

    def __str__(self) -> str:
        more = f" ({self.remark})" if self.remark else ""
        return f"{self.column}: {_shown(self.before)} -> {_shown(self.after)}{more}"


@dataclass(frozen=True)
class Answer:
    """One counterfactual: a row for which the model decides otherwise."""

    changes: tuple[Change, ...]
    values: np.ndarray = field(repr=False)     # in the schema's form
    probability: float                         # of the target class
    percentile: float                          # of its density, among real rows of that class
    dense: bool                                # reaches the density that was asked for
    valid: bool
    least: str                                 # "proved", "number-proved" or "best-found"
    n_changes: int
    distance: float                            # Gower's
    steps: np.ndarray | None = field(default=None, repr=False)
    not_robust: bool = False                   # prefer="robust", but no robust answer was found


@dataclass(frozen=True)
class Outcome:
    """What became of one row.

    ``status`` is "found", "not-found" or "already-target"; ``reason`` and ``blocking`` say why
    nothing was found, and ``impossible`` whether that is proved."""

    row: Any
    status: str
    predicted: Any
    target: Any
    answers: tuple[Answer, ...]
    reason: str | None = None
    blocking: str | None = None
    impossible: bool = False
    probability: float = float("nan")          # of the predicted class, for the row as it is
    percentile: float = float("nan")
    surer: Answer | None = None

    def __bool__(self) -> bool:
        return self.status == "found"

    def __str__(self) -> str:
        if self.status == "already-target":
            return f"row {self.row} is {self.predicted} already"
        if not self.answers or self.status != "found":
            why = self.blocking or self.reason or ""
            word = "nothing is possible" if self.impossible else "none was found"
            return f"row {self.row}, {self.predicted} -> {self.target}: {word}" + (
                f" ({why})" if why else "")
        lines = [f"row {self.row}, {self.predicted} -> {self.target}:"]
        for number, answer in enumerate(self.answers, 1):
            head = f"  {number}. " if len(self.answers) > 1 else "  "
            lines.append(head + "; ".join(map(str, answer.changes)) +
                         f"  [{answer.probability:.0%}]")
        return "\n".join(lines)


class Explanations(Sequence[Outcome]):
    """The outcomes of all rows, in order.

    A failure is an outcome with its reason, not an exception."""

    def __init__(self, model: Model, queries: np.ndarray, labels: Sequence[Any],
                 outcomes: Outcomes | list[Outcome], like: Any,
                 write: Callable[[str], str] | None) -> None:
        self._model = model
        self._queries = queries
        self._labels = list(labels)
        self._outcomes = outcomes
        self._like = like
        self._write = write
        self._documents: dict[str, str] = {}

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> Explanations: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return Explanations(self._model, self._queries[index], self._labels[index],
                                self._outcomes[index], self._like, None)
        return self._outcomes[index]

    def __len__(self) -> int:
        return len(self._outcomes)

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self._outcomes)

    @property
    def status(self) -> list[str]:
        """The status of every row."""
        if isinstance(self._outcomes, Outcomes):
            return self._outcomes.statuses()
        return [o.status for o in self._outcomes]

    @property
    def queries(self) -> Any:
        """The rows that were explained, as a table of the kind that was given."""
        return self._model.table(self._queries, self._like)

    def frame(self) -> Any:
        """All answers as a table with the columns and types of the rows that were given.  With
        pandas its index has the row and the number of the answer; else see :meth:`positions`."""
        places, numbers, values = self._valid_answers()
        table = self._model.table(values, self._like)
        if type(table).__module__.startswith("pandas"):
            import pandas as pd

            labels = pd.Index(self._labels)[places] if len(self) else pd.Index([])
            table.index = pd.MultiIndex.from_arrays([labels, numbers], names=["row", "answer"])
        return table

    def positions(self) -> np.ndarray:
        """For each row of :meth:`frame` the position of its query among the rows given."""
        return self._valid_answers()[0]

    def _valid_answers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each valid answer the position of its query, its number, and its values."""
        if isinstance(self._outcomes, Outcomes):
            return self._outcomes.valid_answers()
        found = [(i, k, a.values) for i, o in enumerate(self._outcomes)
                 for k, a in enumerate(o.answers) if a.valid]
        return (np.array([f[0] for f in found], dtype=np.intp),
                np.array([f[1] for f in found], dtype=np.int64),
                np.array([f[2] for f in found]).reshape(len(found), len(self._model.columns)))

    def changes(self) -> Any:
        """One line for each change: row, answer, column, from, to, enough.  A pandas data frame
        where pandas is there, else a dict of lists."""
        found = [(o.row, k, c) for o in self._outcomes for k, a in enumerate(o.answers)
                 if a.valid for c in a.changes]
        lines: dict[str, list[Any]] = {
            "row": [f[0] for f in found],
            "answer": [f[1] for f in found],
            "column": [f[2].column for f in found],
            "from": [f[2].before for f in found],
            "to": [f[2].after for f in found],
            "enough": [f[2].enough for f in found],
        }
        try:
            import pandas as pd
        except ImportError:
            return lines
        # As objects, so that whole numbers stay whole beside gaps.
        enough = pd.Series(lines["enough"], dtype=object)
        return pd.DataFrame({**lines, "enough": enough})

    def to_json(self) -> str:
        """The document of ``otherwise explain --format json``."""
        return self._document("otherwise")

    def to_dice(self) -> str:
        """The same in the form that the tools of DiCE read."""
        return self._document("dice")

    def _document(self, form: str) -> str:
        if form not in self._documents:
            if self._write is None:
                raise ValueError("a part of explanations has no document of its own: ask the whole")
            self._documents[form] = self._write(form)
        return self._documents[form]

    def __getstate__(self) -> dict[str, Any]:
        """Documents are written before the library's memory is left behind."""
        if self._write is not None:
            for form in ("otherwise", "dice"):
                self._document(form)
        return {**self.__dict__, "_write": None, "_outcomes": list(self._outcomes)}

    def plot(self, ax: Any = None) -> Any:
        """How often each column has to change, as bars (needs matplotlib)."""
        import matplotlib.pyplot as plt

        if ax is None:
            _, ax = plt.subplots()
        counts: dict[str, int] = {}
        for outcome in self._outcomes:
            for change in (outcome.answers[0].changes if outcome else ()):
                counts[str(change.column)] = counts.get(str(change.column), 0) + 1
        names = sorted(counts, key=lambda name: (counts[name], name))
        ax.barh(names, [counts[n] for n in names], color="#4269d0")
        ax.set_xlabel("rows whose answer changes the column")
        return ax

    def __repr__(self) -> str:
        n_found = sum(1 for o in self._outcomes if o)
        n_already = self.status.count("already-target")
        shown = "\n".join(str(o) for o in self._outcomes[:10] if o.status != "already-target")
        return (f"{len(self)} rows: {n_found} answered, {n_already} already of the class, "
                f"{len(self) - n_found - n_already} without an answer\n{shown}").rstrip()

    def _repr_html_(self) -> str:
        cards = "".join(_card(o) for o in self._outcomes[:50] if o.status != "already-target")
        n_already = self.status.count("already-target")
        note = f"<p>{n_already} rows are of the class already.</p>" if n_already else ""
        if len(self) > 50:
            note += f"<p>The first 50 of {len(self)} rows are shown.</p>"
        return f'<div class="otherwise-answers">{_STYLE}{cards}{note}</div>'


_STYLE = """<style>
.otherwise-answers{color-scheme:light dark;font-family:system-ui,sans-serif;display:flex;flex-wrap:wrap;gap:.8em}
.otherwise-answers section{border:1px solid #8886;border-radius:.5em;padding:.6em .9em;min-width:16em}
.otherwise-answers h4{margin:0 0 .4em;font-size:1em}.otherwise-answers table{border-collapse:collapse;font-size:.92em}
.otherwise-answers section table tr,.otherwise-answers section table td{padding:.1em .5em .1em 0;text-align:left;background:none}
.otherwise-answers small{opacity:.75}
.otherwise-answers p{flex-basis:100%;margin:0}
</style>"""


def _card(outcome: Outcome) -> str:
    def safe(value: Any) -> str:
        return html.escape(_shown(value))

    head = f"Row {safe(outcome.row)}: {safe(outcome.predicted)} &rarr; {safe(outcome.target)}"
    if not outcome:
        why = outcome.blocking or outcome.reason or ""
        word = "Nothing is possible" if outcome.impossible else "None was found"
        return f"<section><h4>{head}</h4><small>{word}. {safe(why)}</small></section>"
    body = ""
    for answer in outcome.answers:
        lines = "".join(
            f"<tr><td>{safe(c.column)}</td><td>{safe(c.before)} &rarr; <b>{safe(c.after)}</b></td>"
            f"<td><small>{safe(c.remark)}</small></td></tr>" for c in answer.changes)
        body += (f"<table>{lines}</table><small>{answer.probability:.0%} {safe(outcome.target)}, "
                 f"as typical as {answer.percentile:.0f} % of its rows</small>")
    return f"<section><h4>{head}</h4>{body}</section>"


# ---- From the library's structs ----

class Outcomes(Sequence[Outcome]):
    """The outcomes of an ow_explanation, each made when it is first asked for: a table of all answers
    needs none of them."""

    def __init__(self, model: Model, explanation: Any, queries: np.ndarray,
                 labels: Sequence[Any]) -> None:
        self._explanation = explanation
        self._parts = (model, queries, labels)
        self._made: list[Outcome | None] = [None] * lib.ow_explanation_n_rows(explanation)

    @overload
    def __getitem__(self, index: int) -> Outcome: ...
    @overload
    def __getitem__(self, index: slice) -> list[Outcome]: ...

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        made = self._made[index]
        if made is None:
            model, queries, labels = self._parts
            i = range(len(self))[index]
            made = _read_outcome(model, lib.ow_explanation_outcome(self._explanation, i),
                                 queries[i], labels[i])
            self._made[i] = made
        return made

    def __len__(self) -> int:
        return len(self._made)

    def statuses(self) -> list[str]:
        """The status of every row."""
        kinds = [lib.ow_explanation_outcome(self._explanation, i).kind for i in range(len(self))]
        names = {kind: _name(lib.ow_outcome_kind_name(kind)) or "" for kind in set(kinds)}
        return [names[kind] for kind in kinds]

    def valid_answers(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of each valid answer the position of its row, its number, and its values."""
        places, numbers, pointers = [], [], []
        for i in range(len(self)):
            outcome = lib.ow_explanation_outcome(self._explanation, i)
            answers = outcome.answers
            for k in range(outcome.n_answers):
                answer = answers[k]
                if answer.valid:
                    places.append(i)
                    numbers.append(k)
                    pointers.append(answer.values)
        values = np.empty((len(places), self._parts[1].shape[1]))
        width = values.strides[0]
        target = ffi.cast("char *", values.ctypes.data)
        for row, pointer in enumerate(pointers):
            ffi.memmove(target + row * width, pointer, width)
        return np.array(places, dtype=np.intp), np.array(numbers, dtype=np.int64), values


def _name(pointer: Any) -> str | None:
    return None if pointer == ffi.NULL else text(pointer)


def _read_outcome(model: Model, outcome: Any, query: np.ndarray, row: Any) -> Outcome:
    target = outcome.target
    surer = outcome.surer
    answers = tuple(_read_answer(model, outcome.answers[k], query, target)
                    for k in range(outcome.n_answers))
    return Outcome(
        row=row,
        status=_name(lib.ow_outcome_kind_name(outcome.kind)) or "",
        predicted=model.classes[outcome.predicted] if outcome.predicted >= 0 else None,
        target=model.classes[target] if target >= 0 else None,
        answers=answers,
        reason=_name(lib.ow_reason_name(outcome.reason)),
        blocking=_name(outcome.blocking),
        impossible=bool(outcome.impossible),
        probability=outcome.proba[outcome.predicted] if outcome.predicted >= 0 else float("nan"),
        percentile=outcome.percentile,
        surer=(_read_answer(model, surer.answers[0], query, target)
               if surer != ffi.NULL and surer.n_answers > 0 else None))


def _read_answer(model: Model, answer: Any, query: np.ndarray, target: int) -> Answer:
    width = len(query)
    values = np.frombuffer(ffi.buffer(answer.values, 8 * width), dtype=np.float64).copy()
    enough, for_class = (np.frombuffer(ffi.buffer(known, 8 * width), dtype=np.float64)
                         if known != ffi.NULL else np.full(width, np.nan)
                         for known in (answer.enough, answer.enough_for_class))
    steps = None
    if answer.n_path > 0:
        steps = np.frombuffer(ffi.buffer(answer.path, 8 * width * answer.n_path),
                              dtype=np.float64).reshape(-1, width).copy()
    changed = np.flatnonzero(~((values == query) | (np.isnan(values) & np.isnan(query))))
    return Answer(
        changes=tuple(_read_change(model, int(j), query[j], values[j], enough[j], for_class[j])
                      for j in changed),
        values=values,
        probability=answer.proba[target] if target >= 0 else float("nan"),
        percentile=answer.percentile,
        dense=bool(answer.dense),
        valid=bool(answer.valid),
        least=text(lib.ow_least_name(answer.least)),
        n_changes=answer.distance.l0,
        distance=answer.distance.gower,
        steps=steps,
        not_robust=bool(answer.not_robust))


def _read_change(model: Model, j: int, *numbers: float) -> Change:
    """numbers: before, after, enough and enough_for_class in the schema's form."""
    restorer = model._restorer
    column = restorer.columns[j][0]
    shown: list[Any] = [restorer.object(j, float(v)) for v in numbers]
    if column.kind == "number":
        shown = [_shortest(v) for v in shown]
    elif column.kind == "truth":
        shown = [None if v is None else bool(v) for v in shown]
    return Change(column.key, *shown)


def _shortest(value: float | None) -> float | int | None:
    """Whole numbers without a point."""
    if value is None:
        return None
    return int(value) if float(value).is_integer() and abs(value) < 2**53 else float(value)

