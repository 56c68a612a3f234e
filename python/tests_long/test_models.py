# SPDX-License-Identifier: MIT
"""Models of other packages, one line each: every answer is valid by the model itself."""
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

from applicants import credit  # noqa: F401
from otherwise import Explainer


@pytest.fixture(scope="module")
def words(credit):
    X, _ = credit
    return [c for c in X if not pd.api.types.is_numeric_dtype(X[c])]


@pytest.fixture(scope="module")
def categories(credit, words):
    X, _ = credit
    return X.assign(**{c: X[c].astype("category") for c in words})


@pytest.fixture(scope="module")
def numbers():
    X = np.random.default_rng(7).normal(size=(400, 4)).astype(np.float32)
    return X, (X[:, 1] + X[:, 2] > 0.2).astype(int)


def test_a_pipeline(credit, words):
    X, y = credit
    model = make_pipeline(make_column_transformer((OneHotEncoder(handle_unknown="ignore", sparse_output=False), words),
                                                  remainder="passthrough"),
                          HistGradientBoostingClassifier(max_iter=40, random_state=0)).fit(X, y)
    answers = Explainer(model, X).explain(X[model.predict(X) == "bad"][:10], target="good").frame()
    assert len(answers) == 10 and (model.predict(answers) == "good").all()


@pytest.mark.parametrize("package", ["xgboost", "lightgbm"])
def test_boosted_trees(package, credit, categories, tmp_path):
    y = (credit[1] == "good").astype(int)
    module = pytest.importorskip(package)
    model = (module.XGBClassifier(n_estimators=60, max_depth=4, enable_categorical=True) if package == "xgboost"
             else module.LGBMClassifier(n_estimators=60, verbose=-1)).fit(categories, y)
    refused = categories[model.predict(categories) == 0][:20]
    explainer = Explainer(model, categories)
    answers = explainer.explain(refused, target=1).frame()
    assert len(answers) == 20 and (model.predict(answers) == 1).all()
    assert type(explainer._classifier()).__name__ == "TreesClassifier"
    # The same from the file that the package writes.
    path = str(tmp_path / ("model.ubj" if package == "xgboost" else "model.txt"))
    (model if package == "xgboost" else model.booster_).save_model(path)
    from_file = Explainer(path, categories)
    again = pickle.loads(pickle.dumps(from_file)).explain(refused, target="1").frame()
    assert len(again) == 20 and (model.predict(again) == 1).all()


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("last", ["logits", "probabilities"])
def test_a_module_of_pytorch(numbers, outputs, last):
    torch = pytest.importorskip("torch")
    X, y = numbers
    torch.manual_seed(0)
    layers = [torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, outputs)]
    if last == "probabilities":
        layers.append(torch.nn.Softmax(dim=1) if outputs == 2 else torch.nn.Sigmoid())
    module = torch.nn.Sequential(*layers)
    steps = torch.optim.Adam(module.parameters(), lr=0.05)
    want = torch.tensor(np.column_stack([1 - y, y])[:, -outputs:], dtype=torch.float32)
    for _ in range(100):
        steps.zero_grad()
        given = module(torch.tensor(X))
        proba = given if last == "probabilities" else torch.softmax(given, 1) if outputs == 2 else torch.sigmoid(given)
        ((proba - want) ** 2).mean().backward()
        steps.step()

    def decide(rows):
        given = module(torch.tensor(rows)).detach().numpy()
        return given.argmax(axis=1) if outputs == 2 else (given[:, 0] > (0.5 if last == "probabilities" else 0)).astype(int)

    explainer = Explainer(module, X)
    answers = explainer.explain(X[decide(X) == 0][:10], target=1).frame()
    assert len(answers) == 10 and (decide(answers) == 1).all()
    again = pickle.loads(pickle.dumps(explainer)).explain(X[decide(X) == 0][:10], target=1).frame()
    np.testing.assert_array_equal(again, answers)
    with pytest.raises(ValueError, match="takes numbers"):
        Explainer(module, pd.DataFrame({"a": ["x", "y"] * 50}))


def test_a_model_in_onnx_format(numbers, tmp_path):
    skl2onnx = pytest.importorskip("skl2onnx")
    onnxruntime = pytest.importorskip("onnxruntime")
    X, y = numbers
    model = LogisticRegression().fit(X, y)
    exported = skl2onnx.to_onnx(model, X[:1])
    path = tmp_path / "model.onnx"
    path.write_bytes(exported.SerializeToString())
    asked = X[model.predict(X) == 0][:10]
    for form in (exported, onnxruntime.InferenceSession(str(path)), path):
        explainer = Explainer(form, X)
        answers = explainer.explain(asked, target=1).frame()
        assert len(answers) == 10 and (model.predict(answers) == 1).all()
        again = pickle.loads(pickle.dumps(explainer)).explain(asked, target=1).frame()
        np.testing.assert_array_equal(again, answers)


def test_onnx_with_an_input_for_each_column(credit, words):
    skl2onnx = pytest.importorskip("skl2onnx")
    from skl2onnx.common.data_types import Int64TensorType, StringTensorType

    X, y = credit
    model = make_pipeline(make_column_transformer((OneHotEncoder(handle_unknown="ignore"), words), remainder="passthrough"),
                          LogisticRegression(max_iter=2000)).fit(X, y)
    kinds = [(c, StringTensorType([None, 1]) if c in words else Int64TensorType([None, 1])) for c in X]
    explainer = Explainer(skl2onnx.to_onnx(model, initial_types=kinds), X)
    assert explainer.model.classes == ["bad", "good"]
    answers = explainer.explain(X[model.predict(X) == "bad"][:10], target="good").frame()
    assert len(answers) == 10 and (model.predict(answers) == "good").all()
