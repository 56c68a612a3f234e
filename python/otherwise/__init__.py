# SPDX-License-Identifier: MIT
"""Counterfactual explanations: what would have to be different for a model to decide otherwise.

>>> import otherwise
>>> from otherwise import CircuitClassifier, Explainer

``CircuitClassifier`` learns from a table; ``Explainer`` explains its decisions, or those of any
other model; ``evaluate`` compares methods, and ``judge`` scores answers that any tool has made."""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._errors import OtherwiseError, OtherwiseWarning
from ._native import version as _version

if TYPE_CHECKING:
    from ._classifier import CircuitClassifier
    from ._evaluate import evaluate, judge
    from ._explainer import Explainer
    from ._model import Model
    from ._results import Answer, Explanations, Outcome

__version__ = _version()

# What is imported when it is first asked for, so that `import otherwise` is quick.
_HOMES = {
    "CircuitClassifier": "_classifier",
    "Explainer": "_explainer",
    "Explanations": "_results",
    "Outcome": "_results",
    "Answer": "_results",
    "Model": "_model",
    "evaluate": "_evaluate",
    "judge": "_evaluate",
}
__all__ = ["Answer", "CircuitClassifier", "Explainer", "Explanations", "Model", "OtherwiseError",
           "OtherwiseWarning", "Outcome", "__version__", "evaluate", "judge"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'otherwise' has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
