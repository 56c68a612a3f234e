# SPDX-License-Identifier: MIT
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

from otherwise import CircuitClassifier, Explainer, OtherwiseError, OtherwiseWarning


@parametrize_with_checks([CircuitClassifier(repetitions=2, inputs=2, epochs=5)])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_mixed_columns_and_missing_values_need_no_preparation(credit):
    X, y = credit
    X = X.copy()
    X.loc[X.index[::7], "age"] = np.nan
    X.loc[X.index[::9], "housing"] = None
    model = CircuitClassifier(repetitions=4, inputs=4).fit(X, y)
    assert list(model.classes_) == ["bad", "good"]
    assert list(model.feature_names_in_) == list(X.columns)
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1.0, atol=1e-9)
    assert model.score(X, y) > (y == "good").mean()


def test_density_and_typicality(credit, credit_model):
    X, _ = credit
    log_density = credit_model.score_samples(X)
    assert np.isfinite(log_density).all()
    typicality = credit_model.typicality(X)
    assert ((typicality >= 0) & (typicality <= 100)).all()
    # Fewer columns, a larger density.
    fewer = X.copy()
    fewer["purpose"] = None
    assert (credit_model.score_samples(fewer) >= log_density - 1e-6).all()


def test_pickle_gives_the_same_bytes_and_predictions(credit, credit_model):
    X, _ = credit
    again = pickle.loads(pickle.dumps(credit_model))
    assert again.model_.to_bytes() == credit_model.model_.to_bytes()
    np.testing.assert_array_equal(again.predict_proba(X), credit_model.predict_proba(X))


def test_same_seed_same_model_on_any_number_of_threads(credit):
    X, y = credit
    options = {"repetitions": 3, "inputs": 3, "epochs": 5, "random_state": 3}
    one = CircuitClassifier(**options, n_jobs=1).fit(X, y)
    two = CircuitClassifier(**options, n_jobs=2).fit(X, y)
    assert one.model_.to_bytes() == two.model_.to_bytes()


def test_in_pipelines_and_searches(numbers):
    X, y = numbers
    small = CircuitClassifier(repetitions=2, inputs=2, epochs=5)
    assert cross_val_score(make_pipeline(StandardScaler(), small), X, y, cv=2).mean() > 0.8
    search = GridSearchCV(small, {"inputs": [1, 3]}, cv=2).fit(X, y)
    assert search.best_params_["inputs"] in (1, 3)
    assert clone(search.best_estimator_).get_params()["repetitions"] == 2


def test_other_frames_give_the_same_model(credit):
    polars = pytest.importorskip("polars")
    pyarrow = pytest.importorskip("pyarrow")
    X, y = credit
    options = {"repetitions": 2, "inputs": 2, "epochs": 4}
    want = CircuitClassifier(**options).fit(X, y)
    for table in (polars.from_pandas(X), pyarrow.Table.from_pandas(X, preserve_index=False),
                  {c: X[c].to_numpy() for c in X}):
        got = CircuitClassifier(**options).fit(table, y)
        assert got.model_.to_bytes() == want.model_.to_bytes()
        np.testing.assert_array_equal(got.predict(table), want.predict(X))


def test_what_is_wrong_is_said(credit):
    X, y = credit
    with pytest.raises(ValueError, match="one class"):
        CircuitClassifier().fit(X, ["good"] * len(X))
    with pytest.raises(OtherwiseError, match="depth"):
        CircuitClassifier(depth="deep").fit(X, y)
    with pytest.raises(ValueError, match="structure"):
        CircuitClassifier(structure="a pyramid").fit(X, y)
    model = CircuitClassifier(repetitions=2, inputs=2, epochs=2).fit(X, y)
    with pytest.raises(ValueError, match="age"):
        model.predict(X.drop(columns="age"))
    with pytest.raises(ValueError, match="twice"):
        CircuitClassifier().fit(pd.concat([X, X.rename(columns={"age": "twice"})["twice"],
                                           X.rename(columns={"age": "twice"})["twice"]], axis=1), y)


def test_samples_and_completions(credit, credit_model):
    X, _ = credit
    drawn = credit_model.sample(200, given={"housing": "own", "age": 40}, target="good")
    assert list(drawn.columns) == list(X.columns) and (drawn.dtypes == X.dtypes).all()
    assert (drawn["housing"] == "own").all() and (drawn["age"] == 40).all()
    assert (credit_model.predict(drawn) == "good").mean() > 0.6
    assert drawn["purpose"].nunique() > 3
    pd.testing.assert_frame_equal(
        drawn, credit_model.sample(200, given={"housing": "own", "age": 40}, target="good"))
    gaps = X[:20].copy()
    gaps["housing"] = None
    full = credit_model.complete(gaps)
    assert set(full["housing"]) <= set(X["housing"])
    assert (full["amount"] == gaps["amount"]).all()
    with pytest.raises(ValueError, match="agee"):
        credit_model.sample(1, given={"agee": 3})


def test_images_come_back_as_images():
    rng = np.random.default_rng(3)
    y = np.arange(200) % 2
    X = rng.normal(size=(200, 5, 4)).astype(np.float32) * 0.1
    X[y == 1, 1:3, 1:3] += 1
    model = CircuitClassifier(repetitions=2, inputs=3, epochs=10).fit(X, y)
    assert model.score(X, y) > 0.95
    answers = Explainer(model).explain(X[y == 0][:4], target=1).frame()
    assert answers.shape == (4, 5, 4) and answers.dtype == np.float32
    assert (model.predict(answers) == 1).all()
    assert model.sample(3).shape == (3, 5, 4)


def test_conditional_is_the_density_of_the_rest(credit, credit_model):
    X, _ = credit
    rows = X[:5]
    joint = credit_model.score_samples(rows)
    np.testing.assert_allclose(credit_model.conditional(rows, []), joint, rtol=1e-9, atol=1e-6)
    np.testing.assert_allclose(credit_model.conditional(rows, X.columns), 0, atol=1e-6)
    alone = rows.copy()
    alone[[c for c in X.columns if c != "age"]] = np.nan
    np.testing.assert_allclose(credit_model.conditional(rows, ["age"]),
                               joint - credit_model.score_samples(alone), rtol=1e-9)
    with pytest.raises(ValueError, match="no column"):
        credit_model.conditional(rows, ["wealth"])


@pytest.mark.parametrize("option", [{"leaf": "gaussian"}, {"variance": "learned"}, {"variance": 0.5},
                                    {"structure": "tree"}, {"circuit": "shared"}, {"depth": 2},
                                    {"sums": 3}, {"classifier": "mlp"}])
def test_every_parameter_is_an_option_of_training(option, numbers):
    X, y = numbers
    small = {"repetitions": 2, "inputs": 2, "epochs": 3, **option}
    assert CircuitClassifier(**small).fit(X, y).predict(X).shape == y.shape


def test_what_was_decided_is_told_where_it_was_asked_in_pythons_words(credit):
    X, y = credit
    with pytest.warns(OtherwiseWarning, match='infer={"unlock": \\["all"\\]}') as heard:
        CircuitClassifier(repetitions=2, inputs=2, epochs=3, infer={"lock_found": True}).fit(X, y)
    assert heard[0].filename == __file__
