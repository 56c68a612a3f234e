# SPDX-License-Identifier: MIT
"""Virtual environments with certain versions of XGBoost and LightGBM, made once and kept."""
import subprocess
import sys
import venv
from pathlib import Path

# The packages themselves, then what they need, of versions that go together.
SETS = {
    "old": (("xgboost==1.7.6", "lightgbm==3.3.5"), ("numpy<2", "scipy<1.13", "pandas<2.1", "scikit-learn<1.3")),
    "middle": (("xgboost==2.1.4", "lightgbm==4.1.0"), ("numpy<2", "scipy", "pandas<3")),
    "new": (("xgboost==3.2.0", "lightgbm==4.7.0"), ("numpy", "scipy", "pandas", "narwhals")),
}


def pip(python, *arguments):
    return subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments], capture_output=True, text=True,
                          check=False)


def make(folder, name):
    """The environment's Python, or None after a sentence where the packages cannot be had."""
    packages, needs = SETS[name]
    here = Path(folder) / name
    python, done = here / "bin" / "python", here / "done"
    if done.exists():
        return python
    venv.create(here, with_pip=True, clear=True)
    # Without what the packages themselves ask for: XGBoost would bring 300 MB for GPUs.
    for arguments in (("install", *needs), ("install", "--no-deps", *packages)):
        result = pip(python, *arguments)
        if result.returncode != 0:
            reason = (result.stderr.strip().splitlines() or ["pip failed"])[-1]
            print(f"skipped: {' and '.join(packages)} cannot be installed here: {reason}", file=sys.stderr)
            return None
    done.touch()
    return python
