#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Copies the public headers and appends fields to every struct that begins with its size:
grow_headers.py FROM TO

A library built against the copy is one of a later version.  Prints how many structs have grown."""
import re
import sys
from pathlib import Path

STRUCT = re.compile(r"typedef struct \{\n(    size_t size;.*?)\n\} (\w+);", re.DOTALL)


def main():
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    grown = []
    for header in sorted(source.glob("otherwise/*.h")):
        def grow(match):
            grown.append(match.group(2))
            return (f"typedef struct {{\n{match.group(1)}\n"
                    f"    const char *later_text;\n    double later[3];\n}} {match.group(2)};")
        text = STRUCT.sub(grow, header.read_text(encoding="utf-8"))
        (target / "otherwise").mkdir(parents=True, exist_ok=True)
        (target / "otherwise" / header.name).write_text(text, encoding="utf-8")
    print(len(grown), *grown)
    return 0 if len(grown) >= 8 else 1


if __name__ == "__main__":
    sys.exit(main())
