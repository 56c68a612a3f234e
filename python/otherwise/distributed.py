# SPDX-License-Identifier: MIT
"""Many rows on many machines: partition by partition, lazily, with the same answers as on one.

Each function takes an :class:`~otherwise.Explainer`, which travels as the bytes of its model, and
returns a frame of its own kind with a line for each answer: the row's position in its partition, the
number of the answer, the status, and the columns of the table.  Rows without an answer have one line
with their status, too."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._explainer import Explainer

__all__ = ["explain_dask", "explain_ray", "explain_spark", "explain_partition"]


def explain_partition(frame: Any, explainer: Explainer, how: dict[str, Any]) -> Any:
    """One partition, a pandas data frame: its answers, and the status of rows without one."""
    import pandas as pd

    result = explainer.explain(frame, **how)
    head: dict[str, list[Any]] = {"row": [], "answer": [], "status": []}
    values: list[np.ndarray] = []
    for position, outcome in enumerate(result):
        answers = [a for a in outcome.answers if a.valid] if outcome else []
        for number, answer in enumerate(answers or [None]):
            head["row"].append(frame.index[position])
            head["answer"].append(number if answer is not None else -1)
            head["status"].append(outcome.status)
            values.append(answer.values if answer is not None else result._queries[position])
    rows = explainer.model.table(np.array(values), frame)
    lead = pd.DataFrame({"row": pd.Series(head["row"], dtype=frame.index.dtype),
                         "answer": pd.Series(head["answer"], dtype="int64"),
                         "status": pd.Series(head["status"], dtype=object)})
    return pd.concat([lead, rows.reset_index(drop=True)], axis=1)


def explain_dask(explainer: Explainer, ddf: Any, **how: Any) -> Any:
    """A Dask data frame of answers; ``how`` is what ``Explainer.explain`` takes."""
    meta = explain_partition(ddf._meta, explainer, how)
    return ddf.map_partitions(explain_partition, explainer, how, meta=meta)


def explain_spark(explainer: Explainer, df: Any, **how: Any) -> Any:
    """A Spark data frame of answers (mapInPandas); rows are numbered within their batch."""
    from pyspark.sql.types import LongType, StringType, StructField, StructType

    known = {field.name: field for field in df.schema.fields}
    fields = [StructField("row", LongType()), StructField("answer", LongType()),
              StructField("status", StringType())]
    schema = StructType(fields + [known[str(c)] for c in explainer.model.columns])

    def each(batches: Any) -> Any:
        for frame in batches:
            yield explain_partition(frame, explainer, how)

    return df.mapInPandas(each, schema)


def explain_ray(explainer: Explainer, ds: Any, **how: Any) -> Any:
    """A Ray data set of answers."""
    return ds.map_batches(explain_partition, batch_format="pandas",
                          fn_kwargs={"explainer": explainer, "how": how})
