#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs an example and compares what it prints with what its source says: run_example.py SOURCE
PROGRAM [--accept]

The opening comment of the source has, indented by four blanks, the command after a $ and below it
what the program prints.  --accept writes what it prints there."""
import re
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^ \*     \$ (?P<command>.*)\n(?P<output>(?: \*(?:     .*)?\n)*?) \*/$",
                   re.MULTILINE)


def main():
    source, program = Path(sys.argv[1]), sys.argv[2]
    text = source.read_text(encoding="utf-8")
    block = BLOCK.search(text)
    if block is None:
        sys.exit(f"{source}: its opening comment shows no run")
    arguments = block["command"].split()[1:]
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    shown = "".join(f" *     {line}".rstrip() + "\n" for line in done.stdout.splitlines())
    if "--accept" in sys.argv:
        start, end = block.span("output")
        source.write_text(text[:start] + shown + text[end:], encoding="utf-8")
        return 0
    if shown == block["output"]:
        return 0
    print(f"{source} says that it prints\n{block['output']}but it prints\n{shown}", end="")
    return 1


if __name__ == "__main__":
    sys.exit(main())
