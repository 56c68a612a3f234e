# SPDX-License-Identifier: MIT
"""Tables that the tests share, and how many random cases they try."""
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, settings

from otherwise import CircuitClassifier

# The same cases every time, so that a change is what makes a test fail; other ones, more of them,
# where OW_TEST_SCALE says how many times as many.
SCALE = int(os.environ.get("OW_TEST_SCALE", "1"))
settings.register_profile("otherwise", deadline=None, derandomize=SCALE == 1, database=None,
                          max_examples=20 * SCALE, suppress_health_check=list(HealthCheck))
settings.load_profile("otherwise")

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
