#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The files of this repository, for the checks beside this file.

    source_files.py [--root FOLDER] SUFFIX...    prints those that end so, one a line
"""
import argparse
import os
import subprocess
from pathlib import Path


def list_files(root, suffixes=("",)):
    """Paths below root, relative and sorted: what git tracks or would add; in a folder that git
    does not know (an unpacked archive), everything but build/."""
    root = Path(root)
    if (root / ".git").exists():
        listing = subprocess.run(
            ["git", "-c", "safe.directory=*", "-C", str(root), "ls-files", "-z",
             "--cached", "--others", "--exclude-standard"],
            check=True, stdout=subprocess.PIPE)
        names = [name for name in os.fsdecode(listing.stdout).split("\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")
                 if path.relative_to(root).parts[0] != "build"]
    return [Path(name) for name in sorted(names)
            if name.endswith(tuple(suffixes)) and (root / name).is_file()]


def repository_root():
    return Path(__file__).resolve().parent.parent


def check_arguments(description):
    """The one option that every check has: the tree to look at."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", type=Path, default=repository_root(),
                        help="the tree to check (default: this repository)")
    return parser.parse_args().root.resolve()


def report(complaints):
    """Prints the complaints; the exit status says whether there were any."""
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=Path, default=repository_root())
    parser.add_argument("suffixes", nargs="+", metavar="SUFFIX")
    arguments = parser.parse_args()
    for name in list_files(arguments.root, arguments.suffixes):
        print(name)
