#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Are two reports the same but for times?

    same_report.py ONE OTHER

Compares all files of two folders, those below work/ too.  Times are left out where their column or key says that they are: in CSV files,
in JSON files and in the tables of pages, and so are the command and the date that a page tells.  Everything else must agree
to the byte.  Prints how many files agree, by kind, and ends with 1
after naming those that do not.
"""
import csv
import itertools
import json
import re
import sys
from collections import Counter
from pathlib import Path

TIME_KEY = re.compile(r"time_|.*seconds")
TOLD = re.compile(r'<tr><th scope="row">(Command|Made)</th>.*?</tr>', re.S)
TIME_HEADINGS = {"seconds", "ms per row"}


def without_csv_times(text):
    """The rows, times made empty."""
    rows = list(csv.reader(text.splitlines()))
    timed = [i for i, name in enumerate(rows[0]) if TIME_KEY.match(name)]
    for row in rows[1:]:
        for i in timed:
            row[i] = ""
    return rows


def without_json_times(value):
    """The same document without its times, however deep they are."""
    if isinstance(value, dict):
        return {key: without_json_times(item) for key, item in value.items()
                if not TIME_KEY.match(key)}
    if isinstance(value, list):
        return [without_json_times(item) for item in value]
    return value


def without_table_times(match):
    """A table of a page, the cells below a heading of times made empty."""
    table = match.group(0)
    headings = re.findall(r"<th[^>]*scope=.?col.?[^>]*>(.*?)</th>", table, re.S)
    timed = {i for i, heading in enumerate(headings) if heading in TIME_HEADINGS}

    def mend_row(row):
        counter = itertools.count()
        return re.sub(r"(<t[dh][^>]*>)(.*?)(</t[dh]>)",
                      lambda cell: cell.group(0) if next(counter) not in timed
                      else cell.group(1) + cell.group(3), row.group(0), flags=re.S)

    head, body_tag, body = table.partition("<tbody")
    return head + body_tag + re.sub(r"<tr.*?</tr>", mend_row, body, flags=re.S)


def content(path):
    """What must agree."""
    if path.suffix == ".csv":
        return without_csv_times(path.read_text(encoding="utf-8"))
    if path.suffix == ".json":
        return without_json_times(json.loads(path.read_text(encoding="utf-8")))
    if path.suffix == ".html":
        page = TOLD.sub("", path.read_text(encoding="utf-8"))
        return re.sub(r"<table.*?</table>", without_table_times, page, flags=re.S)
    return path.read_bytes()


def main():
    one, other = Path(sys.argv[1]), Path(sys.argv[2])
    names = [{path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}
             for folder in (one, other)]
    wrong = sorted(str(name) for name in names[0] ^ names[1])
    same = Counter()
    for name in sorted(names[0] & names[1]):
        if content(one / name) == content(other / name):
            same[name.suffix] += 1
        else:
            wrong.append(str(name))
    for kind, n in sorted(same.items()):
        print(f"{n} {kind} the same")
    for name in wrong:
        print(f"{name} differs")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
