# SPDX-License-Identifier: MIT
"""Many rows on many machines: partition by partition, lazily, with the same answers as on one.

Each function takes an :class:`~otherwise.Explainer`, which travels as the bytes of its model, and
returns a frame of its own kind with a line for each answer: the row's position in its partition, the
number of the answer, the status, and the columns of the model.  ``keep`` names further columns of the
table that are copied to each line, such as the identifier that tells whose answer it is.  Rows without
an answer have one line with their status, too."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._explainer import Explainer

__all__ = ["explain_dask", "explain_ray", "explain_spark", "explain_partition"]


def explain_partition(frame: Any, explainer: Explainer, how: dict[str, Any],
                      keep: Sequence[Any] = ()) -> Any:
    """One partition, a pandas data frame: its answers, and the status of rows without one."""
    import pandas as pd

    keep = _kept(explainer, frame.columns, keep)
    result = explainer.explain(frame, **how)
    head: dict[str, list[Any]] = {"row": [], "answer": [], "status": []}
    values: list[np.ndarray] = []
    positions: list[int] = []
    for position, outcome in enumerate(result):
        answers = [a for a in outcome.answers if a.valid] if outcome else []
        for number, answer in enumerate(answers or [None]):
            positions.append(position)
            head["row"].append(frame.index[position])
            head["answer"].append(number if answer is not None else -1)
            head["status"].append(outcome.status)
            values.append(answer.values if answer is not None else result._queries[position])
    rows = explainer.model.table(np.array(values), frame)
    lead = pd.DataFrame({"row": pd.Series(head["row"], dtype=frame.index.dtype),
                         "answer": pd.Series(head["answer"], dtype="int64"),
                         "status": pd.Series(head["status"], dtype=object)})
    kept = frame[keep].iloc[positions].reset_index(drop=True)
    return pd.concat([lead, kept, rows.reset_index(drop=True)], axis=1)


def _kept(explainer: Explainer, columns: Any, keep: Sequence[Any]) -> list[Any]:
    """The columns to keep as a list; those of the model are in the answers already."""
    names = [keep] if isinstance(keep, str) else list(keep)
    for name in names:
        if name not in columns:
            raise ArgumentError(f"keep: there is no column {name!r} in the table")
        if name in explainer.model.columns or name in ("row", "answer", "status"):
            raise ArgumentError(f"keep: answers have a column {name!r} already")
    return names


def explain_dask(explainer: Explainer, ddf: Any, *, keep: Sequence[Any] = (),
                 **how: Any) -> Any:
    """A Dask data frame of answers; ``how`` is what ``Explainer.explain`` takes."""
    meta = explain_partition(ddf._meta, explainer, how, keep)
    return ddf.map_partitions(explain_partition, explainer, how, keep, meta=meta)


def explain_spark(explainer: Explainer, df: Any, *, keep: Sequence[str] = (), **how: Any) -> Any:
    """A Spark data frame of answers (mapInPandas).  Rows are numbered within their batch: name
    the column that identifies them in ``keep``."""
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    known = {field.name: field for field in df.schema.fields}
    fields = [StructField("row", LongType()), StructField("answer", LongType()),
              StructField("status", StringType())]
    keep = _kept(explainer, known, keep)
    schema = StructType(fields + [known[str(c)] for c in [*keep, *explainer.model.columns]])

    def each(batches: Any) -> Any:
        for frame in batches:
            yield explain_partition(frame, explainer, how, keep)

    return df.mapInPandas(each, schema)


def explain_ray(explainer: Explainer, ds: Any, *, keep: Sequence[str] = (), **how: Any) -> Any:
    """A Ray data set of answers.  Rows are numbered within their batch, as Spark's are."""
    return ds.map_batches(explain_partition, batch_format="pandas",
                          fn_kwargs={"explainer": explainer, "how": how, "keep": keep})
