# SPDX-License-Identifier: MIT
import numpy as np
import pytest

from otherwise import Explainer, evaluate, judge


def test_methods_side_by_side(credit, credit_model):
    X, _ = credit
    rows = X[credit_model.predict(X) == "bad"][:20]
    table = evaluate(Explainer(credit_model, X), rows, ["guided", "two-step:paper", "nearest"],
                     target="good", immutable=["age"])
    assert list(table.columns) == ["guided", "two-step:paper", "nearest"]
    assert table.loc["l0", "guided"] <= table.loc["l0", "nearest"]
    assert np.isfinite(table.loc["lof", "guided"])
    with pytest.raises(ValueError, match="guided"):
        evaluate(Explainer(credit_model), rows, ["guidet"])


def test_answers_of_others_get_the_figures_of_the_method_that_made_them(credit, credit_model):
    X, _ = credit
    rows = X[credit_model.predict(X) == "bad"][:20]
    explainer = Explainer(credit_model)
    answers = explainer.explain(rows, target="good").frame().reset_index(drop=True)
    table = judge(explainer, answers, rows, target="good", methods=["guided"])
    same = ["validity_target", "l0", "gower", "violations", "density_percentile"]
    assert list(table.columns) == ["guided", "answers"]
    assert list(table.loc[same, "answers"]) == list(table.loc[same, "guided"])
    assert np.isnan(table.loc["time_mean", "answers"])


def test_what_answers_of_others_break_is_counted(credit, credit_model):
    X, _ = credit
    rows = X[credit_model.predict(X) == "bad"][:20]
    explainer = Explainer(credit_model, X)
    older = rows.assign(age=rows["age"] + 1)
    table = judge(explainer, older, rows, name="older", target="good", immutable=["age"])
    assert table.loc["violations", "older"] == 1
    some = judge(explainer, {"a": older[3:5], "b": rows[3:5]}, rows, rows=[3, 4], target="good")
    assert list(some.columns) == ["a", "b"]
    assert some.loc["coverage", "a"] == 0.1
    with pytest.raises(ValueError, match="2 answers for 20 rows"):
        judge(explainer, older[:2], rows, target="good")
