# SPDX-License-Identifier: MIT
"""Other processes: pickled, forked, spawned, and partition by partition."""
import multiprocessing
import pickle

import numpy as np
import pandas as pd
import pytest

from otherwise import Explainer
from otherwise.distributed import explain_partition

SMALL = {"repetitions": 3, "inputs": 3, "epochs": 8}


def second_decides(rows):
    return 1 / (1 + np.exp(-5 * (rows[:, 1] - 0.2)))


def answer(explainer, rows):
    return [a.values.tolist() for o in explainer.explain(rows, target=1) for a in o.answers]


@pytest.fixture(scope="module")
def foreign(numbers):
    return Explainer(second_decides, numbers[0], options=SMALL)


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_a_child_gives_the_same_answers(start, foreign, numbers):
    rows = numbers[0][numbers[0][:, 1] < 0][:6]
    want = answer(foreign, rows)
    with multiprocessing.get_context(start).Pool(1) as pool:
        assert pool.apply(answer, (foreign, rows)) == want


def test_a_forked_model_predicts(credit, credit_model):
    X, _ = credit
    want = credit_model.predict_proba(X)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        np.testing.assert_array_equal(pool.apply(credit_model.predict_proba, (X,)), want)


def test_partitions_give_the_answers_of_the_whole(credit, credit_model):
    X, _ = credit
    rows = X[:60]
    explainer = pickle.loads(pickle.dumps(Explainer(credit_model)))
    how = {"target": "good", "immutable": ["age"]}
    whole = explain_partition(rows, explainer, how)
    parts = pd.concat([explain_partition(rows[i:i + 17], explainer, how)
                       for i in range(0, 60, 17)], ignore_index=True)
    pd.testing.assert_frame_equal(parts, whole)
    assert set(whole["status"]) == {"found", "already-target"}
    assert (credit_model.predict(whole[whole["status"] == "found"][X.columns]) == "good").all()
    assert list(explain_partition(rows[:0], explainer, how).columns) == list(whole.columns)


def test_partitions_keep_the_columns_that_name_their_rows(credit, credit_model):
    X, _ = credit
    named = X[:20].assign(applicant=[f"A{i}" for i in range(20)])
    explainer = Explainer(credit_model)
    found = explain_partition(named, explainer, {"target": "good", "k": 2}, ["applicant"])
    assert list(found["applicant"]) == [f"A{i}" for i in found["row"]]
    assert set(found["applicant"]) == set(named["applicant"])
    for wrong, sentence in (("nobody", "no column 'nobody'"), ("amount", "have a column 'amount' already")):
        with pytest.raises(ValueError, match=sentence):
            explain_partition(named, explainer, {"target": "good"}, [wrong])
