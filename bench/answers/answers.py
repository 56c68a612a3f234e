# SPDX-License-Identifier: MIT
"""Answers of `otherwise explain` and of NICE as pandas frames."""
import collections

import numpy
import pandas
from peers import Nice

# A frame with the query where there is no answer; which rows have one; which reach the density floor; how many columns change, and how
# many changes are proved to be needed.
Answers = collections.namedtuple("Answers", "frame has dense changes needed")


def frame_of_answers(program, table, queries, *words):
    given = program.explain(table, queries, *words)
    frame = queries[table.columns].copy()
    rows = [one[0] if one[0] is not None else {} for one in given]
    for c in table.columns:
        old = frame[c].tolist()
        new = [row[c] if row.get(c) is not None else old[i] for i, row in enumerate(rows)]
        if pandas.api.types.is_numeric_dtype(frame[c]):
            frame[c] = [float(x) for x in new]
        else:
            frame[c] = [str(x) for x in new]
    return Answers(frame, numpy.array([one[0] is not None for one in given]), numpy.array([one[1] for one in given]),
                   numpy.array([one[2] for one in given], dtype=float), numpy.array([one[3] for one in given], dtype=float))


def nice_answers(program, table, train, queries, judges, classes):
    """NICE's answers towards the target, with the model of the program as the classifier."""
    kinds = {c: float if c in judges.numbers else train[c].dtype for c in table.columns}

    def probabilities(frame):
        return numpy.array([[row["proba"][c] for c in classes] for row in program.classes(frame.astype(kinds))])

    nice = Nice(probabilities, train[table.columns], [classes.index(value) for value in train[table.label]], judges.numbers)
    return nice.answers(queries, classes.index(table.target)).astype(kinds)
