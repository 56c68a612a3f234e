# SPDX-License-Identifier: MIT
"""Whether a program printed what was written down, where that leaves something open."""
import re


def line_matches(pattern, line, wildcard):
    return re.fullmatch(".*".join(map(re.escape, pattern.split(wildcard))), line) is not None


def lines_match(pattern_lines, lines, wildcard):
    """Whether the lines are those of the pattern, in which the wildcard stands for any text within a line, and
    a line ... for any lines.  Each ... starts where it stands and takes as few lines as will do, so one position to
    fall back to is enough."""
    row, star_pattern, star_row = 0, None, 0
    at = 0
    while row < len(lines):
        if at < len(pattern_lines) and pattern_lines[at] == "...":
            star_pattern, star_row = at, row
            at += 1
        elif at < len(pattern_lines) and line_matches(pattern_lines[at], lines[row], wildcard):
            at += 1
            row += 1
        elif star_pattern is not None:
            star_row += 1
            at, row = star_pattern + 1, star_row
        else:
            return False
    return all(line == "..." for line in pattern_lines[at:])
