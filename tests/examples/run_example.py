#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an example and compares what it prints with what its source says: run_example.py SOURCE PROGRAM

The opening comment of the source ends with the command after a $, indented by four blanks, and below it what
the program prints, in which a line of three dots stands for any lines."""
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from expected_lines import lines_match  # noqa: E402  (found through the line above)

BLOCK = re.compile(r"^ \*     \$ (?P<command>.*)\n(?P<output>(?: \*(?:     .*)?\n)*?"
                   r"(?: \*     .*)?) \*/$", re.MULTILINE)


def main():
    source, program = Path(sys.argv[1]), sys.argv[2]
    block = BLOCK.search(source.read_text(encoding="utf-8"))
    if block is None:
        sys.exit(f"{source}: its opening comment shows no run")
    expected = [line[len(" *     "):] for line in block["output"].splitlines()]
    arguments = block["command"].split()[1:]
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    got = [line.rstrip() for line in done.stdout.splitlines()]
    if lines_match(expected, got, "..."):
        return 0
    print(f"{source} does not say what {' '.join([program, *arguments])} prints:\n{done.stdout}", end="")
    return 1


if __name__ == "__main__":
    sys.exit(main())
