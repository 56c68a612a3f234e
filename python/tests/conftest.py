# SPDX-License-Identifier: MIT
"""Tables that the tests share."""
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from otherwise import CircuitClassifier

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def credit():
    """The applicants as a data frame, with their classes apart."""
    table = pd.read_csv(ROOT / "data" / "credit.csv")
    return table.drop(columns="risk"), table["risk"]


@pytest.fixture(scope="session")
def credit_model(credit):
    return CircuitClassifier(repetitions=4, inputs=4, infer={"unlock": ["all"]}).fit(*credit)


@pytest.fixture(scope="session")
def numbers():
    """Three numbers; the second decides."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(400, 3))
    return X, (X[:, 1] > 0.2).astype(int)
