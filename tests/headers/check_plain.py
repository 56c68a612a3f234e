#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Public headers are plain declarations that a foreign-function interface such as cffi can read:
check_plain.py INCLUDE_FOLDER COMPILER

No macro but the include guards, OW_API and OW_MUST_CHECK; no condition but those around C++ and the
compiler's attributes; no function bodies, bit fields or types that are not C's.  Where cffi is
installed it reads them, too."""
import re
import subprocess
import sys
from pathlib import Path

MACROS = {"OW_API", "OW_MUST_CHECK"}
# Include guards, and what the Arrow C data interface itself prescribes.
PREFIXES = ("OTHERWISE_", "ARROW_")
CONDITIONS = {"#ifdef __cplusplus", "#if defined(__GNUC__)"}


def look_at_lines(header):
    complaints = []
    text = re.sub(r"/\*.*?\*/", lambda m: "\n" * m.group(0).count("\n"),
                  header.read_text(encoding="utf-8"), flags=re.DOTALL)
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if line.startswith("#define") and not (words[1] in MACROS or words[1].startswith(PREFIXES)):
            complaints.append(f"{header}:{number}: the macro {words[1]}")
        if re.match(r"#\s*(if|ifdef)\b", line) and line.strip() not in CONDITIONS:
            complaints.append(f"{header}:{number}: the condition {line.strip()}")
        if re.search(r"\)\s*\{", line):
            complaints.append(f"{header}:{number}: the body of a function")
        if re.match(r"\s+\w[\w ]*\s\w+\s*:\s*\d+;", line):
            complaints.append(f"{header}:{number}: a bit field")
    return complaints


def declarations(folder, compiler):
    """What the preprocessor makes of all headers, without those of the system."""
    source = "".join(f'#include "otherwise/{h.name}"\n' for h in sorted((folder / "otherwise").glob("*.h")))
    run = subprocess.run([compiler, "-E", "-x", "c", "-std=c11", "-DOW_API=", "-DOW_MUST_CHECK=",
                          f"-I{folder}", "-"], input=source, text=True, stdout=subprocess.PIPE, check=True,
                         stderr=subprocess.DEVNULL)
    ours, lines = False, []
    for line in run.stdout.splitlines():
        marker = re.match(r'# \d+ "([^"]*)"', line)
        if marker:
            ours = "otherwise/" in marker.group(1)
        elif ours and not line.startswith("#"):
            lines.append(re.sub(r"__attribute__\(\([^()]*(\([^()]*\))?\)\)", "", line).replace("_Bool", "bool"))
    return "\n".join(lines)


def main():
    folder, compiler = Path(sys.argv[1]), sys.argv[2]
    complaints = [c for h in sorted(folder.glob("otherwise/*.h")) for c in look_at_lines(h)]
    text = declarations(folder, compiler)
    names = set(re.findall(r"\b(ow_\w+)\(", text))
    if len(names) < 100:
        complaints.append(f"only {len(names)} functions found")
    try:
        import cffi  # pylint: disable=import-outside-toplevel
        cffi.FFI().cdef(text)
        print(f"cffi {cffi.__version__} has read {len(names)} functions")
    except ImportError:
        print(f"{len(names)} functions; cffi is not installed here")
    for complaint in complaints:
        print(complaint)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
