# SPDX-License-Identifier: MIT
"""Local clusters of Dask, Ray and Spark: the answers of one process, byte for byte, also where a
worker is killed in the middle."""
import os
import sys

import numpy as np
import pytest

from applicants import credit  # noqa: F401
from dying import Dying
from otherwise import CircuitClassifier, Explainer
from otherwise.distributed import explain_dask, explain_partition, explain_ray, explain_spark

HOW = {"target": "good", "immutable": ["age"]}
N_ROWS = 100_000


@pytest.fixture(scope="session")
def model(credit):
    return CircuitClassifier(random_state=0).fit(*credit)


@pytest.fixture(scope="session")
def many(credit):
    """Rows with amounts of their own, so that few are the same."""
    rows = credit[0].sample(N_ROWS, replace=True, random_state=0).reset_index(drop=True)
    noise = np.random.default_rng(0).integers(0, 500, N_ROWS)
    return rows.assign(amount=rows["amount"] + noise)


@pytest.fixture(scope="session")
def alone(model, many):
    return explain_partition(many, Explainer(model), HOW)


def assert_same(got, want, columns):
    """The same answers in some order of the partitions."""
    def as_lines(frame):
        frame = frame[["status", "answer", *columns]].astype(str)
        return np.sort(frame.agg("|".join, axis=1).to_numpy())

    np.testing.assert_array_equal(as_lines(got), as_lines(want))


@pytest.fixture(scope="module")
def dask_client():
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


@pytest.fixture(params=["whole", "killed"])
def explainer(request, model, tmp_path):
    return Explainer(model) if request.param == "whole" else Dying(model, str(tmp_path / "died"))


def test_dask(dask_client, explainer, many, alone):
    import dask.dataframe as dd

    lazy = explain_dask(explainer, dd.from_pandas(many, npartitions=8), **HOW)
    assert_same(lazy.compute(), alone, many.columns)


def test_ray(explainer, many, alone):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, configure_logging=False,
             ignore_reinit_error=True,
             runtime_env={"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}})
    try:
        data = ray.data.from_pandas(many).repartition(8)
        got = explain_ray(explainer, data, **HOW).to_pandas()
    finally:
        ray.shutdown()
    assert_same(got, alone, many.columns)


def test_spark(explainer, many, alone, monkeypatch):
    pyspark = pytest.importorskip("pyspark")
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = (pyspark.sql.SparkSession.builder.master("local[2,4]").appName("otherwise")
             .config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
             .config("spark.driver.bindAddress", "127.0.0.1")
             .config("spark.sql.execution.arrow.pyspark.enabled", "true").getOrCreate())
    try:
        data = spark.createDataFrame(many.astype(object)).repartition(8)
        got = explain_spark(explainer, data, **HOW).toPandas()
    finally:
        spark.stop()
    assert_same(got, alone, many.columns)
