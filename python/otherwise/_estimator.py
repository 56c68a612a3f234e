# SPDX-License-Identifier: MIT
"""What of scikit-learn the classifier needs, where scikit-learn is not installed."""
from __future__ import annotations

import inspect
from typing import Any

import numpy as np


class NotFittedError(ValueError, AttributeError):
    """The estimator has not been fitted."""


class ClassifierMixin:
    """Adds score."""

    def score(self, X: Any, y: Any) -> float:
        """The share of rows that are classified rightly."""
        return float(np.mean(self.predict(X) == np.asarray(y)))  # type: ignore[attr-defined]


class BaseEstimator:
    """Parameters are the arguments of the constructor."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        names = [n for n in inspect.signature(type(self).__init__).parameters if n != "self"]
        return {name: getattr(self, name) for name in names}

    def set_params(self, **params: Any) -> Any:
        """Sets parameters."""
        known = self.get_params()
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}")
            setattr(self, name, value)
        return self


def check_is_fitted(estimator: Any, attribute: str) -> None:
    """Fails for an estimator that has learned nothing."""
    if not hasattr(estimator, attribute):
        raise NotFittedError(f"this {type(estimator).__name__} has not been fitted: call fit first")


def validate_data(estimator: Any, X: Any, *, reset: bool = True, **_: Any) -> Any:
    """The rows, with the number of their columns kept or compared."""
    n_columns = np.shape(X)[1] if np.ndim(X) == 2 else 0
    if reset:
        estimator.n_features_in_ = n_columns
    elif n_columns != estimator.n_features_in_:
        raise ValueError(f"X has {n_columns} features, but {type(estimator).__name__} is expecting "
                         f"{estimator.n_features_in_} features as input")
    return X
