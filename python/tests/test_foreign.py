# SPDX-License-Identifier: MIT
"""Models of others: valid by the model itself."""
import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from otherwise import Explainer

SMALL = {"repetitions": 3, "inputs": 3, "epochs": 8}


def test_a_pipeline_on_a_mixed_frame(credit):
    X, y = credit
    texts = [c for c in X if X[c].dtype.kind not in "if"]
    pipeline = make_pipeline(
        make_column_transformer((OneHotEncoder(handle_unknown="ignore"), texts),
                                remainder="passthrough", sparse_threshold=0),
        HistGradientBoostingClassifier(max_iter=30, random_state=0)).fit(X, y)
    explainer = Explainer(pipeline, X, options=SMALL, infer={"unlock": ["all"]})
    rows = X[pipeline.predict(X) == "bad"][:10]
    frame = explainer.explain(rows, target="good", immutable=["age"]).frame()
    assert len(frame) >= 9
    assert (pipeline.predict(frame) == "good").all()
    assert (frame.dtypes == X.dtypes).all()


def test_a_forest_on_an_array(numbers):
    X, y = numbers
    forest = RandomForestClassifier(20, random_state=0).fit(X, y)
    result = Explainer(forest, X, options=SMALL).explain(X[forest.predict(X) == 0][:20], target=1)
    assert (forest.predict(result.frame()) == 1).all()
    assert len(result.frame()) == 20


def test_any_callable_and_its_batches(numbers):
    X, _ = numbers
    sizes = []

    def model(rows):
        assert isinstance(rows, np.ndarray) and rows.dtype == np.float64
        sizes.append(len(rows))
        return 1 / (1 + np.exp(-5 * (rows[:, 1] - 0.2)))

    result = Explainer(model, X, classes=["no", "yes"], options=SMALL).explain(
        X[X[:, 1] < 0][:10], target="yes")
    assert all(o for o in result)
    assert all(1 in {c.column for c in o.answers[0].changes} for o in result)
    assert max(sizes) > 100


@pytest.mark.parametrize("wrong, kind, words", [
    (lambda rows: np.full(len(rows), np.nan), ValueError, "no number"),
    (lambda rows: np.zeros((len(rows) + 1, 2)), ValueError, "shape"),
    (lambda rows: 1 / 0, ZeroDivisionError, "division"),
    (lambda rows: np.ones(len(rows)), ValueError, "every row"),
])
def test_a_model_that_fails_is_told(numbers, wrong, kind, words):
    with pytest.raises(kind, match=words):
        Explainer(wrong, numbers[0], options=SMALL)


def test_a_model_that_fails_later_is_told(numbers):
    X, _ = numbers
    state = {"broken": False}

    def model(rows):
        if state["broken"]:
            raise RuntimeError("gone")
        return (rows[:, 1] > 0).astype(float)

    explainer = Explainer(model, X, options=SMALL)
    state["broken"] = True
    with pytest.raises(RuntimeError, match="gone"):
        explainer.explain(X[:5], target=1)


def test_no_rows_no_explainer(numbers):
    with pytest.raises(ValueError, match="data"):
        Explainer(lambda rows: rows[:, 0])
    with pytest.raises(ValueError, match="predict_proba"):
        Explainer(object(), pd.DataFrame(numbers[0]))


def test_ctrl_c_while_a_model_sleeps(numbers):
    """The signal ends the sleep itself: Python's handler runs inside the callable."""
    import _thread
    import time

    X, _ = numbers
    state = {"slow": False, "asked": 0}

    def model(rows):
        if state["slow"]:
            state["asked"] += 1
            _thread.interrupt_main()
            time.sleep(60)
        return (rows[:, 1] > 0).astype(float)

    explainer = Explainer(model, X, options=SMALL)
    state["slow"] = True
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        explainer.explain(X[:5], target=1)
    assert state["asked"] == 1 and time.monotonic() - began < 50
