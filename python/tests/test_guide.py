# SPDX-License-Identifier: MIT
"""The guides' code runs."""
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("guide", ["doc/python.md"])
def test_blocks_run_one_after_the_other(guide, monkeypatch):
    monkeypatch.chdir(ROOT)
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / guide).read_text(), re.DOTALL)
    assert len(blocks) >= 4
    names: dict = {}
    for block in blocks:
        exec(compile(block, guide, "exec"), names)  # noqa: S102
