#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wraps the prose of comments in C sources at 92 columns, where a line is wider; clang-format leaves
comments alone.

    wrap_comments.py [--root FOLDER]

A paragraph is laid out anew from its first wide line to its end: a blank line, a line that is indented (a
formula, a table, an item of a list) or the end of the comment.  Wide lines that are indented are left to
their author; check_sources.py names them.
"""
import re
import sys

from source_files import check_arguments, list_files

MAX_COLUMNS = 92
FIRST = re.compile(r"^(\s*)(/\*|\*) (?!- |[0-9]+\. )(?=[^\s*])")
NEXT = re.compile(r"^\s*\* (?=\S)")


def wrap(lines, start):
    """The paragraph that begins with this line, wrapped; and the number of the line behind it."""
    indent, mark = FIRST.match(lines[start]).groups()
    text = FIRST.sub("", lines[start])
    end = start + 1
    while "*/" not in lines[end - 1] and end < len(lines) and NEXT.match(lines[end]):
        text += " " + NEXT.sub("", lines[end])
        end += 1
    wrapped, line = [], f"{indent}{mark} "
    following = indent + (" * " if mark == "/*" else "* ")
    for i, word in enumerate(re.findall(r"\S+\s*", text)):
        if i > 0 and len((line + word).rstrip()) > MAX_COLUMNS:
            wrapped.append(line.rstrip())
            line = following
        line += word
    return wrapped + [line.rstrip()], end


def wrap_comments(lines):
    result, i = [], 0
    while i < len(lines):
        if len(lines[i]) > MAX_COLUMNS and FIRST.match(lines[i]):
            paragraph, i = wrap(lines, i)
            result += paragraph
        else:
            result.append(lines[i])
            i += 1
    return result


def main():
    root = check_arguments(__doc__.splitlines()[0])
    for path in list_files(root, (".c", ".h")):
        text = (root / path).read_text(encoding="utf-8")
        wrapped = "\n".join(wrap_comments(text.split("\n")))
        if wrapped != text:
            (root / path).write_text(wrapped, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
