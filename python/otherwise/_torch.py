# SPDX-License-Identifier: MIT
"""Modules of PyTorch as functions from tables of numbers to probabilities."""
from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ._errors import ArgumentError
from ._tables import column_of, keys_of


def is_torch(model: Any) -> bool:
    """Whether this is a torch.nn.Module; whoever has one has imported torch."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


class TorchFunction:
    """A module that takes a float tensor, rows by columns (images as they are).  What it returns is
    taken for probabilities, log-probabilities or logits: whichever it is for the first rows asked
    about, which are all of the Explainer's."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self._kind: str | None = None

    def __call__(self, table: Any) -> np.ndarray:
        import torch

        if isinstance(table, np.ndarray):
            rows = table
        else:
            rows = np.column_stack([column_of(table, key) for key in keys_of(table)])
        if rows.dtype.kind not in "biuf":
            raise ArgumentError("a module of PyTorch takes numbers, and the table has texts: give "
                                "a function that encodes the table and calls the module")
        first = next(self.module.parameters(), torch.empty(0))
        was_training = self.module.training
        self.module.eval()
        with torch.no_grad():
            given = self.module(torch.as_tensor(np.ascontiguousarray(rows), dtype=first.dtype,
                                                device=first.device))
        self.module.train(was_training)
        return self._probabilities(given.detach().cpu().numpy().astype(np.float64))

    def _probabilities(self, given: np.ndarray) -> np.ndarray:
        given = given.reshape(len(given), -1)
        if self._kind is None:
            self._kind = _kind_of(given)
        if self._kind == "probabilities":
            return given
        if given.shape[1] == 1:
            return 1 / (1 + np.exp(-given))
        powers = np.exp(given - given.max(axis=1, keepdims=True))
        return powers / powers.sum(axis=1, keepdims=True)


def _kind_of(given: np.ndarray) -> str:
    one = given.shape[1] == 1
    if ((given >= 0) & (given <= 1)).all() and (
            one or np.allclose(given.sum(axis=1), 1.0, atol=1e-4)):
        return "probabilities"
    return "logits"  # of which log-probabilities are a kind
