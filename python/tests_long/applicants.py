# SPDX-License-Identifier: MIT
"""The table that the long tests share."""
import pathlib

import pandas as pd
import pytest


@pytest.fixture(scope="session")
def credit():
    """The applicants as a data frame, with their classes apart."""
    table = pd.read_csv(pathlib.Path(__file__).parents[2] / "data" / "credit.csv")
    return table.drop(columns="risk"), table["risk"]
