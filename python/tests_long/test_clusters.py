# SPDX-License-Identifier: MIT
"""Local clusters of Dask, Ray and Spark: the answers of one process, byte for byte, also where a
worker is killed in the middle.

OW_CLUSTER_ROWS=100000 is the size that bench/results has figures of; ten thousand take a few minutes."""
import os
import sys

import numpy as np
import pytest

from applicants import credit  # noqa: F401
from dying import Dying
from otherwise import CircuitClassifier, Explainer
from otherwise.distributed import explain_dask, explain_partition, explain_ray, explain_spark

HOW = {"target": "good", "immutable": ["age"]}
N_ROWS = int(os.environ.get("OW_CLUSTER_ROWS", "10000"))


@pytest.fixture(scope="session")
def model(credit):
    return CircuitClassifier(random_state=0).fit(*credit)


@pytest.fixture(scope="session")
def many(credit):
    """Rows with amounts of their own, so that few are the same, and a name for each."""
    rows = credit[0].sample(N_ROWS, replace=True, random_state=0).reset_index(drop=True)
    noise = np.random.default_rng(0).integers(0, 500, N_ROWS)
    return rows.assign(amount=rows["amount"] + noise, applicant=[f"A{i:06d}" for i in range(N_ROWS)])


@pytest.fixture(scope="session")
def alone(model, many):
    return explain_partition(many, Explainer(model), HOW, ["applicant"])


def assert_same(got, want, columns):
    """The same answers of the same applicants, in whatever order partitions came back."""
    def as_csv(frame):
        frame = frame[["applicant", "answer", "status", *columns.drop("applicant")]]
        return frame.sort_values(["applicant", "answer"]).to_csv(index=False)

    assert len(want) >= N_ROWS and (want["status"] == "found").any()
    is_same = as_csv(got) == as_csv(want)   # pytest would compare megabytes line by line
    assert is_same


@pytest.fixture(scope="module")
def dask_client():
    from dask.distributed import Client, LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            yield client


@pytest.fixture(params=["whole", "killed"])
def explainer(request, model, tmp_path):
    mark = tmp_path / "died"
    yield Explainer(model) if request.param == "whole" else Dying(model, str(mark))
    assert mark.exists() == (request.param == "killed")


def test_dask(dask_client, explainer, many, alone):
    import dask.dataframe as dd

    lazy = explain_dask(explainer, dd.from_pandas(many, npartitions=8), keep=["applicant"], **HOW)
    assert_same(lazy.compute(), alone, many.columns)


def test_ray(explainer, many, alone):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, configure_logging=False,
             ignore_reinit_error=True,
             runtime_env={"env_vars": {"PYTHONPATH": os.environ["PYTHONPATH"]}})
    try:
        data = ray.data.from_pandas(many).repartition(8)
        got = explain_ray(explainer, data, keep=["applicant"], **HOW).to_pandas()
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
        got = explain_spark(explainer, data, keep=["applicant"], **HOW).toPandas()
    finally:
        spark.stop()
    assert_same(got, alone, many.columns)
