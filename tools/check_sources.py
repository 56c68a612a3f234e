#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every source file keeps to, as far as a script can see it.

  - its first line (second, after #!) is the SPDX line;
  - no other file has its name, and none is called utils, helpers, common or misc;
  - it has one idea: at most 600 lines, and no C function over 100 (CONTRIBUTING.md wants 400 and 50);
  - no line of C is wider than 92 columns, comments included, and no folder of src/ has over 35 files;
  - it promises nothing, and names no path of one machine and nothing outside the repository.
"""
import re
import sys
from collections import Counter, defaultdict

from source_files import check_arguments, list_files, report

CODE = (".c", ".h", ".cu", ".py", ".sh", ".cmake", "CMakeLists.txt", "Makefile")
PROSE = (".md", ".json", ".in")

MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 100
MAX_COLUMNS = 92  # as .clang-format has it, which leaves comments alone
MAX_FOLDER_FILES = 35

VAGUE = {"utils", "util", "helpers", "helper", "common", "misc"}

# The same name on purpose: one in each folder, or the same kernel for each backend, or the public
# face of an internal header.
REPEATED = re.compile(r"(^|/)(CMakeLists\.txt|Makefile|README\.md)$"
                      r"|^src/backend/[^/]+/|^tests/cli/|^include/otherwise/")

SPDX = "SPDX-License-Identifier: MIT"
MACHINE_PATH = re.compile(r"(?<![\w.])/(work|farm|root|home)/(?!(user|you)\b)[\w.]")
OUTSIDE = "../" + "shared"
UNFINISHED = re.compile(r"\b(TO" r"DO|FIX" r"ME|XX" r"X)\b")


def check_names(paths):
    by_name = defaultdict(list)
    complaints = []
    for path in paths:
        if path.stem in VAGUE:
            complaints.append(f"{path}: \"{path.stem}\" says nothing of what is in it")
        if not REPEATED.search(str(path)):
            by_name[path.name].append(path)
    for name, places in by_name.items():
        if len(places) > 1:
            complaints.append(f"{places[1]}: the name {name} is taken by {places[0]}")
    return complaints


def check_folders(paths):
    counts = Counter(path.parent for path in paths if path.parts[0] == "src")
    return [f"{folder}: {n} files, at most {MAX_FOLDER_FILES}"
            for folder, n in sorted(counts.items()) if n > MAX_FOLDER_FILES]


def check_width(path, lines):
    return [f"{path}:{number}: {len(line)} columns, at most {MAX_COLUMNS}"
            for number, line in enumerate(lines, 1) if len(line) > MAX_COLUMNS]


def check_functions(path, lines):
    """Functions by the layout that clang-format gives them: from a { to a } in the first column."""
    complaints = []
    start = None
    for number, line in enumerate(lines, 1):
        if line.startswith("{"):
            start = number
        elif line.startswith("}") and start is not None:
            length = number - start + 1
            if length > MAX_FUNCTION_LINES:
                complaints.append(f"{path}:{start}: a function of {length} lines, "
                                  f"at most {MAX_FUNCTION_LINES}")
            start = None
    return complaints


def check_code(path, lines):
    complaints = []
    head = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
    if not head or SPDX not in head[0]:
        complaints.append(f"{path}:1: the first line is not the SPDX line")
    if len(lines) > MAX_FILE_LINES:
        complaints.append(f"{path}: {len(lines)} lines, at most {MAX_FILE_LINES}")
    if path.suffix in (".c", ".h", ".cu"):
        complaints += check_functions(path, lines) + check_width(path, lines)
    return complaints


def check_text(path, lines):
    complaints = []
    for number, line in enumerate(lines, 1):
        if MACHINE_PATH.search(line):
            complaints.append(f"{path}:{number}: names a path of one machine")
        if OUTSIDE in line:
            complaints.append(f"{path}:{number}: names {OUTSIDE}, which is not part of the repository")
        if UNFINISHED.search(line):
            complaints.append(f"{path}:{number}: says what is left to do; an issue does that")
    return complaints


def main():
    root = check_arguments(__doc__.splitlines()[0])
    code = list_files(root, CODE)
    complaints = check_names(code) + check_folders(code)
    for path in code + list_files(root, PROSE):
        lines = (root / path).read_text(encoding="utf-8", errors="replace").splitlines()
        if path in code:
            complaints += check_code(path, lines)
        complaints += check_text(path, lines)
    return report(complaints)


if __name__ == "__main__":
    sys.exit(main())
