#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does what a document says: runs its commands and compares what they print.

A fenced block marked `sh` is run if it has lines that begin with "$ "; the lines below such a line are what
the command prints, on both streams together.  A line of three dots stands for any number of lines, three
dots within a line for any text, and a backslash at the end of a command continues it.  A command has to end
with exit status 0 (write `; echo $?` to show another).  A fenced block marked `c` whose first line is a
comment like /* name.c: ... */ is saved under that name.

Commands run in order in one scratch folder for each document, in which data/ is the repository's, `otherwise`
and build/release/otherwise are the program under test, and pkg-config finds the installed copy.
"""
import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "tests" / "support"))
from expected_lines import lines_match  # noqa: E402  (found through the line above)

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
C_NAME = re.compile(r"/\* (\w+\.c)\b")


def parse_transcript(lines, first_line):
    """[(line number, command, [expected line])] of a block; lines before the first command are none."""
    steps = []
    continued = False
    for number, line in enumerate(lines, first_line):
        if continued:
            steps[-1][1] += "\n" + line
        elif line.startswith("$ "):
            steps.append([number, line[2:], []])
        elif steps:
            steps[-1][2].append(line.rstrip())
            continue
        continued = bool(steps) and line.endswith("\\")
    return steps


class Runner:
    def __init__(self, document, program, prefix, scratch):
        self.document, self.scratch, self.complaints = document, scratch, []
        (scratch / "data").symlink_to(REPOSITORY / "data")
        for link in ("build/release/otherwise", "bin/otherwise"):
            (scratch / link).parent.mkdir(parents=True)
            (scratch / link).symlink_to(program.resolve())
        self.environment = {
            "PATH": f"{scratch}/bin:{os.environ['PATH']}", "HOME": str(scratch), "LC_ALL": "C.UTF-8",
            "TERM": "dumb", "PKG_CONFIG_PATH": f"{prefix}/lib/pkgconfig", "LD_LIBRARY_PATH": ":".join(
                filter(None, [os.environ.get("LD_LIBRARY_PATH"), f"{prefix}/lib"]))}

    def complain(self, number, sentence):
        self.complaints.append(f"{self.document.name}:{number}: {sentence}")

    def run_step(self, number, command, expected):
        result = subprocess.run(["bash", "-c", command], cwd=self.scratch, env=self.environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True)
        if result.returncode != 0:
            self.complain(number, f"$ {command}\nended with exit status {result.returncode} "
                          f"and printed\n{result.stdout}")
            return
        got = [line.rstrip() for line in result.stdout.splitlines()]
        while expected and not expected[-1]:
            expected.pop()
        if not lines_match(expected, got, "..."):
            difference = difflib.unified_diff(expected, got, "the document says", "the command prints",
                                              lineterm="")
            self.complain(number, "\n".join([f"$ {command}", *difference]))

    def run(self):
        """Runs the whole document; the number of commands and programs that it had."""
        text = self.document.read_text(encoding="utf-8")
        n_run = 0
        for fence in FENCE.finditer(text):
            language, body = fence.groups()
            first_line = text.count("\n", 0, fence.start(2)) + 1
            if language == "sh":
                for step in parse_transcript(body.splitlines(), first_line):
                    self.run_step(*step)
                    n_run += 1
            name = C_NAME.match(body) if language == "c" else None
            if name:
                (self.scratch / name.group(1)).write_text(body, encoding="utf-8")
        return n_run


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=Path, required=True, help="the program under test")
    parser.add_argument("--prefix", type=Path, required=True, help="where a copy is installed")
    parser.add_argument("document", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        runner = Runner(arguments.document, arguments.program, arguments.prefix, Path(scratch))
        n_run = runner.run()
    for complaint in runner.complaints:
        print(complaint)
    print(f"{arguments.document.name}: {n_run} commands run, {len(runner.complaints)} went otherwise")
    return 1 if runner.complaints or n_run == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
