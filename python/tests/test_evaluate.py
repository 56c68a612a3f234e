# SPDX-License-Identifier: MIT
import numpy as np
import pytest

from otherwise import Explainer, evaluate


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
