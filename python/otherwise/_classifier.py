# SPDX-License-Identifier: MIT
"""The circuit as a scikit-learn classifier."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._labels import classes_of, slices
from ._model import Model
from ._tables import family

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.exceptions import NotFittedError
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    from ._estimator import (BaseEstimator, ClassifierMixin, NotFittedError, check_is_fitted,
                             validate_data)


class CircuitClassifier(ClassifierMixin, BaseEstimator):
    """A probabilistic circuit: classifier and exact density in one.

    Takes data frames with mixed types and missing values as they are.

    Parameters
    ----------
    leaf, variance, structure, circuit, depth, repetitions, sums, inputs, epochs, classifier
        Options of ``otherwise train``; None leaves the choice to the library (``structure``: the better of
        halves at random and trees of dependences, on rows held out).
    options
        Any further options of ``otherwise train`` by name.
    infer
        Options of schema inference by name: ``{"immutable": ["age"], "unlock": ["all"]}``.
    test_share
        The share of the rows that is held out to measure accuracy (``model_.accuracy``).
    random_state
        The seed.
    n_jobs
        Threads; None: one for each processor.  The model is the same with any number.

    Attributes
    ----------
    model_ : Model
    classes_, n_features_in_, feature_names_in_ : as in scikit-learn

    Examples
    --------
    >>> import numpy as np
    >>> from otherwise import CircuitClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2)); y = np.where(X[:, 0] > 0, "yes", "no")
    >>> bool(CircuitClassifier().fit(X, y).score(X, y) > 0.9)
    True
    """

    def __init__(self, *, leaf: str | None = None, variance: Any = None, structure: str | None = None,
                 circuit: str | None = None, depth: int | None = None,
                 repetitions: int | None = None, sums: int | None = None,
                 inputs: int | None = None, epochs: int | None = None,
                 classifier: str | None = None, options: Mapping[str, Any] | None = None,
                 infer: Mapping[str, Any] | None = None, test_share: float = 0.0,
                 random_state: Any = None, n_jobs: int | None = None) -> None:
        self.leaf = leaf
        self.variance = variance
        self.structure = structure
        self.circuit = circuit
        self.depth = depth
        self.repetitions = repetitions
        self.sums = sums
        self.inputs = inputs
        self.epochs = epochs
        self.classifier = classifier
        self.options = options
        self.infer = infer
        self.test_share = test_share
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        tags.input_tags.three_d_array = True
        return tags

    def fit(self, X: Any, y: Any) -> CircuitClassifier:
        """Learns from rows and their classes."""
        if y is None:
            raise ArgumentError("requires y to be passed, but the target y is None")
        X = self._checked(X, reset=True)
        y = _labels(y)
        classes = classes_of(y)
        if len(classes) < 2:
            raise ArgumentError("Classifier can't train when only one class is present: "
                                f"all rows are {classes[0] if len(classes) else 'without one'}")
        named = {name: getattr(self, name)
                 for name in ("leaf", "variance", "structure", "circuit", "depth", "repetitions", "sums",
                              "inputs", "epochs", "classifier")}
        options = {name: value for name, value in named.items() if value is not None}
        options["test-share"] = self.test_share
        options.update(self.options or {})
        self.model_ = Model.train(X, y, options=options, infer=self.infer, seed=self._seed(),
                                  threads=_threads(self.n_jobs))
        self.classes_ = np.array(self.model_.classes, dtype=classes.dtype)
        order = np.argsort(self.classes_, kind="stable")
        self._order = order
        self.classes_ = self.classes_[order]
        return self

    def predict_proba(self, X: Any) -> np.ndarray:
        """P(class given row), with columns as in ``classes_``."""
        return self._predict(X, "proba")[:, self._order]

    def predict(self, X: Any) -> np.ndarray:
        """The most probable class of each row."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def score_samples(self, X: Any) -> np.ndarray:
        """The log density of each row, over the columns that it has values in."""
        return self._predict(X, "log_density")

    def conditional(self, X: Any, given: Iterable[Any]) -> np.ndarray:
        """The log density of each row's other columns, given its values in these columns:
        log p(x) - log p(x[given]), both exact."""
        check_is_fitted(self, "model_")
        values = self.model_.read(self._checked(X, reset=False))
        names = list(given)
        unknown = [name for name in names if name not in self.model_.columns]
        if unknown:
            raise ArgumentError(f"{unknown[0]!r} is no column of the model; there are "
                                f"{', '.join(map(str, self.model_.columns))}")
        whole = self.model_.predict_values(values, "log_density")[0]
        others = [j for j, name in enumerate(self.model_.columns) if name not in names]
        values[:, others] = np.nan
        return whole - self.model_.predict_values(values, "log_density")[0]

    def typicality(self, X: Any) -> np.ndarray:
        """The percentile of each row's density among real rows of its predicted class."""
        return self._predict(X, "percentile")

    def sample(self, n: int = 1, *, given: Mapping[Any, Any] | None = None, target: Any = None,
               random_state: int = 0) -> Any:
        """Draws rows from the density, of one class and with some columns given if wanted."""
        check_is_fitted(self, "model_")
        return self.model_.sample(n, given=given, target=target, seed=random_state)

    def complete(self, X: Any) -> Any:
        """The rows with their missing values filled in: the most probable completion."""
        check_is_fitted(self, "model_")
        return self.model_.complete(X)

    # ---- Inside ----

    def _predict(self, X: Any, what: str) -> np.ndarray:
        check_is_fitted(self, "model_")
        X = self._checked(X, reset=False)
        return self.model_.predict_values(self.model_.read(X), what)[0]

    def _checked(self, X: Any, reset: bool) -> Any:
        """Tables go through as they are; whatever else is made an array as scikit-learn does."""
        kind = "sparse" if hasattr(X, "toarray") else family(X)
        if kind in ("polars", "arrow", "dict", "file"):
            if reset:
                for name in ("feature_names_in_", "n_features_in_"):
                    if hasattr(self, name):
                        delattr(self, name)
            return X
        if kind == "pandas":
            validate_data(self, X, reset=reset, skip_check_array=True)
            if reset and len(X) == 0:
                raise ArgumentError("Found array with 0 sample(s) while a minimum of 1 is required.")
            return X
        return validate_data(self, X, reset=reset, dtype=None, ensure_all_finite="allow-nan",
                             allow_nd=True,
                             ensure_min_samples=2 if reset else 1)

    def _seed(self) -> int:
        state = self.random_state
        if state is None:
            return 0
        if isinstance(state, (int, np.integer)):
            return int(state)
        return int(state.randint(2**31))


def _labels(y: Any) -> np.ndarray:
    try:
        from sklearn.utils.multiclass import check_classification_targets
        from sklearn.utils.validation import column_or_1d
    except ImportError:
        return np.asarray(y).reshape(-1)
    labels = column_or_1d(y, warn=True)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ArgumentError("Input y contains NaN or infinity.")
    for part in slices(labels):
        check_classification_targets(labels[part])
    return labels


def _threads(n_jobs: int | None) -> int | None:
    return None if n_jobs is None or n_jobs < 1 else n_jobs


__all__ = ["CircuitClassifier", "NotFittedError"]
