# SPDX-License-Identifier: MIT
"""Answers of `otherwise explain` and of NICE as pandas frames."""
import numpy
import pandas


def frame_of_answers(program, table, queries, *words):
    """A frame with the query where there is no answer; which rows have one; which reach the density floor; how many changes."""
    given = program.explain(table, queries, *words)
    frame = queries[table.columns].copy()
    rows = [values if values is not None else {} for values, _, _ in given]
    for c in table.columns:
        old = frame[c].tolist()
        new = [row[c] if row.get(c) is not None else old[i] for i, row in enumerate(rows)]
        if pandas.api.types.is_numeric_dtype(frame[c]):
            frame[c] = [float(x) for x in new]
        else:
            frame[c] = [str(x) for x in new]
    return (frame, numpy.array([values is not None for values, _, _ in given]), numpy.array([dense for _, dense, _ in given]),
            numpy.array([n for _, _, n in given], dtype=float))


def nice_answers(program, table, train, queries, judges, classes):
    """NICE's answers towards the target, with the model of the program as the classifier."""
    from nice import NICE
    columns = table.columns
    is_number = [c in judges.numbers for c in columns]
    kinds = {c: train[c].dtype for c in columns}

    def frame_of(values):
        frame = pandas.DataFrame(values, columns=columns)
        for c in columns:
            frame[c] = frame[c].astype(float) if c in judges.numbers else frame[c].astype(kinds[c])
        return frame

    def probabilities(values):
        return numpy.array([[row["proba"][c] for c in classes] for row in program.classes(frame_of(values))])

    y = numpy.array([classes.index(value) for value in train[table.label]])
    nice = NICE(predict_fn=probabilities, X_train=train[columns].to_numpy(dtype=object), y_train=y,
                cat_feat=[j for j, number in enumerate(is_number) if not number],
                num_feat=[j for j, number in enumerate(is_number) if number], optimization="sparsity")
    target = [classes.index(table.target)]
    rows = [nice.explain(queries[columns].to_numpy(dtype=object)[i:i + 1].copy(), target)[0] for i in range(len(queries))]
    return frame_of(numpy.array(rows, dtype=object))
