# SPDX-License-Identifier: MIT
"""scikit-learn's checks of an estimator with its default settings; the short tests run them on small circuits.
None is expected to fail."""
from sklearn.utils.estimator_checks import parametrize_with_checks

from otherwise import CircuitClassifier


@parametrize_with_checks([CircuitClassifier()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)
