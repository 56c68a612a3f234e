#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Includes point downwards: each module sees itself, the public headers and the modules below it.

    base <- backend <- circuit <- classifier <- model <- explain <- evaluate <- json
    circuit <- network <- classifier
    base <- data <- model
    base <- trees <- classifier

The program, its page and the examples see the public headers and their own folder; so does report,
which is a library of its own, and which may also include headers of base that declare no symbols.
A public header of the core sees public headers of the core; tests see everything.
"""
import os
import re
import sys
from pathlib import Path

from source_files import check_arguments, list_files, report

# What a folder below src/ may include besides itself and the public headers: folders, or single
# files.
ALLOWED = {
    "base": (),
    "backend": ("base",),
    "trees": ("base",),
    "data": ("base",),
    "circuit": ("base", "backend"),
    "network": ("base", "backend", "circuit"),
    "classifier": ("base", "backend", "circuit", "network", "trees"),
    "model": ("base", "backend", "data", "circuit", "network", "classifier", "trees"),
    "explain": ("base", "backend", "data", "circuit", "network", "classifier", "model", "trees"),
    "evaluate": ("base", "data", "circuit", "classifier", "model", "explain"),
    "json": ("base", "model", "explain", "evaluate"),
    "report": ("src/base/compiler.h", "src/base/memory/sizes.h", "src/base/options_copy.h",
               "src/base/text/utf8.h"),
    "cli": ("serve", "comm"),
    # Processes that train together: a part of the program, which sees how that speaks.
    "comm": ("src/cli/terminal/environment.h", "src/cli/terminal/exit_codes.h",
             "src/cli/terminal/memory.h", "src/cli/terminal/message.h",
             "src/cli/terminal/text_build.h"),
    # The page of `otherwise serve`: a part of the program, which sees how that allocates.
    "serve": ("src/cli/terminal/memory.h", "src/cli/terminal/text_build.h"),
}

# The public headers of the second library.
REPORT_HEADERS = ("report.h", "page.h")

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]', re.MULTILINE)


def module_of(path):
    """The module a file belongs to: a folder of src/, "public", "examples", or None if it is free
    to include anything."""
    if path.parts[0] == "src":
        return path.parts[1]
    return {"include": "public", "examples": "examples"}.get(path.parts[0])


def resolve(root, includer, bracket, name):
    """The file of ours that an include names, as the compiler would find it; None if it is not
    ours."""
    beside = [includer.parent] if bracket == '"' else []
    own = [Path("src/cli")] if includer.parts[:2] == ("src", "cli") else []
    for folder in beside + own + [Path("src"), Path("include")]:
        if (root / folder / name).is_file():
            return Path(os.path.normpath(folder / name))
    return None


def check_file(root, path):
    module = module_of(path)
    if module is None:
        return []
    if path.parts[0] == "src" and module not in ALLOWED:
        return [f"{path}: {module} is no module that tools/check_layers.py knows"]

    complaints = []
    text = (root / path).read_text(encoding="utf-8", errors="replace")
    for match in INCLUDE.finditer(text):
        bracket, name = match.groups()
        line = text.count("\n", 0, match.start(1)) + 1
        found = resolve(root, path, bracket, name)
        if found is None:
            if bracket == '"':
                complaints.append(f"{path}:{line}: \"{name}\" is no file of this repository")
            continue
        target = module_of(found)
        if module == "public" and found.name in REPORT_HEADERS and path.name not in REPORT_HEADERS:
            complaints.append(f"{path}:{line}: the core's headers may not include {found}, which is "
                              "part of the other library")
        allowed = ALLOWED.get(module, ())
        if target not in ("public", module) and target not in allowed and str(found) not in allowed:
            may = ", ".join(("the public headers", *ALLOWED.get(module, ())))
            complaints.append(f"{path}:{line}: {module} may not include {found} (it may: {may})")
    return complaints


def main():
    root = check_arguments(__doc__.splitlines()[0])
    complaints = []
    for path in list_files(root, (".c", ".h", ".cu")):
        complaints += check_file(root, path)
    return report(complaints)


if __name__ == "__main__":
    sys.exit(main())
