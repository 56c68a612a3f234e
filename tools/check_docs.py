#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The documents point at things that exist.

  - every relative link of every .md file, its #heading included;
  - every file or folder that doc/tour.md names in `back quotes`;
  - every page of doc/ that a source file names.
"""
import re
import sys

from source_files import check_arguments, list_files, report

FENCE = re.compile(r"^```.*?^```[^\n]*$", re.MULTILINE | re.DOTALL)
CODE_SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ +(.+?) *$", re.MULTILINE)
# A path in back quotes: with a slash or a suffix, without blanks.
PATH = re.compile(r"^[\w.*-]+(/[\w.*-]+)*(/|\.\w+)$")

PAGE = re.compile(r"(?<![\w/])doc/[\w/-]+\.md\b")


def anchors(text):
    """The names that a Markdown page gives its headings."""
    names = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        kept = re.sub(r"[^\w\- ]", "", heading.lower())
        names.add(kept.replace(" ", "-"))
    return names


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def blank(pattern, text):
    """The text with what matches replaced by blanks, so that line numbers stay."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def check_links(root, path, text):
    complaints = []
    for match in LINK.finditer(blank(CODE_SPAN, blank(FENCE, text))):
        address, _, anchor = match.group(1).partition("#")
        if re.match(r"[a-z]+:", address):
            continue
        target = (root / path).parent / address if address else root / path
        where = f"{path}:{line_of(text, match.start())}"
        if not target.exists():
            complaints.append(f"{where}: the link {match.group(1)} leads nowhere")
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            complaints.append(f"{where}: {target.name} has no heading #{anchor}")
    return complaints


def check_tour(root, path, text):
    complaints = []
    for match in CODE_SPAN.finditer(blank(FENCE, text)):
        name = match.group(1)
        if PATH.match(name) and not any(root.glob(name)):
            complaints.append(f"{path}:{line_of(text, match.start())}: there is no {name}")
    return complaints


def check_mentions(root, path, text):
    return [f"{path}:{line_of(text, match.start())}: there is no {match.group()}"
            for match in PAGE.finditer(text) if not (root / match.group()).exists()]


def main():
    root = check_arguments(__doc__.splitlines()[0])
    complaints = []
    for path in list_files(root, (".md",)):
        text = (root / path).read_text(encoding="utf-8")
        complaints += check_links(root, path, text)
        if str(path) == "doc/tour.md":
            complaints += check_tour(root, path, text)
    for path in list_files(root, (".c", ".h", ".cmake", "CMakeLists.txt", "Makefile")):
        complaints += check_mentions(root, path, (root / path).read_text(encoding="utf-8"))
    return report(complaints)


if __name__ == "__main__":
    sys.exit(main())
