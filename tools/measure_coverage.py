#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How much of src/ the tests run: lines and functions, by module.

    measure_coverage.py BUILD           after the tests of a build with gcov counters have run
    measure_coverage.py --reset BUILD   forgets what has run so far

--least N fails where less than N percent of all lines have run; --files also prints every file of which less
than that has run.
"""
import argparse
import json
import subprocess
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def documents(build):
    """What gcov says of every object: one JSON document each."""
    notes = sorted(build.rglob("*.gcno"))

    def ask(note):
        done = subprocess.run(["gcov", "--json-format", "--stdout", str(note)], cwd=build,
                              capture_output=True, text=True, check=False)
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    with ThreadPoolExecutor() as pool:
        for answers in pool.map(ask, notes):
            yield from answers


def source_of(name, folder):
    """The path below the repository of a source of src/, or None."""
    path = (Path(folder) / name).resolve()
    if ROOT / "src" not in path.parents:
        return None
    return path.relative_to(ROOT)


def collect(build):
    """{path: {line: count}} and {path: {function: count}}, over all programs that have the source."""
    lines, functions = defaultdict(dict), defaultdict(dict)
    for document in documents(build):
        for file in document["files"]:
            path = source_of(file["file"], document["current_working_directory"])
            if path is None:
                continue
            for line in file["lines"]:
                number = line["line_number"]
                lines[path][number] = max(lines[path].get(number, 0), line["count"])
            for function in file["functions"]:
                name = function["name"]
                functions[path][name] = max(functions[path].get(name, 0), function["execution_count"])
    return lines, functions


def share(counts):
    """(run, all) of a list of counts."""
    return sum(1 for count in counts if count > 0), len(counts)


def percent(run, n):
    return 100.0 * run / n if n else 100.0


def print_row(name, lines, functions):
    print(f"{name:<24}{lines[0]:>7} of {lines[1]:>6}  {percent(*lines):6.2f} %"
          f"{functions[0]:>7} of {functions[1]:>5}  {percent(*functions):6.2f} %")


def report(lines, functions):
    """Prints the table; (run, all) of the lines."""
    modules = defaultdict(lambda: ([], []))
    for path in lines:
        for name in (path.parts[1], "all"):
            modules[name][0].extend(lines[path].values())
            modules[name][1].extend(functions[path].values())
    print(f"{'module':<24}{'lines that run':>26}{'functions that run':>25}")
    for name in sorted(modules, key=lambda name: (name == "all", name)):
        print_row(name, share(modules[name][0]), share(modules[name][1]))
    return share(modules["all"][0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reset", action="store_true")
    parser.add_argument("--least", type=float, default=0.0)
    parser.add_argument("--files", action="store_true")
    parser.add_argument("build", type=Path)
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    if arguments.reset:
        for counters in build.rglob("*.gcda"):
            counters.unlink()
        return 0
    lines, functions = collect(build)
    if not lines:
        sys.exit(f"{build} has no counters of gcov")
    if arguments.files:
        for path in sorted(lines):
            if percent(*share(lines[path].values())) < arguments.least:
                print_row(str(path)[4:], share(lines[path].values()), share(functions[path].values()))
    run, n = report(lines, functions)
    if percent(run, n) < arguments.least:
        print(f"less than {arguments.least} % of the lines have run")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
