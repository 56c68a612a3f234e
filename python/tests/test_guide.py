# SPDX-License-Identifier: MIT
"""The guides' code runs."""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("guide, least", [("doc/python.md", 4), ("README.md", 1), ("python/README.md", 1)])
def test_blocks_run_one_after_the_other(guide, least, monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / guide).read_text(), re.DOTALL)
    assert len(blocks) >= least
    names: dict = {"your_model": lambda rows: (rows["duration"] < 24).to_numpy() * 0.8 + 0.1}
    for block in blocks:
        exec(compile(block, guide, "exec"), names)  # noqa: S102
