#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Schema, train and explain on the tables of messy_tables.py, without an option but the label.

    check_messy.py PROGRAM [TABLE ...] [--keep FOLDER]

For each table: the schema says of every column what is written beside it; training succeeds; no answer changes a
column that is locked; identifiers and notes come along; and answers, which are printed as the table is written, are
read again as the class that they were given for.  Prints what does not agree, and ends with 1.
"""
import argparse
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import messy_tables

EXPLAINED = "1-40"
QUICK = ("--repetitions", "2", "--inputs", "2", "--epochs", "5", "--towards-rows", "10")


def run(program, *arguments):
    """Standard output and what was said on the way, as one line; a failure ends the check."""
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or (done.returncode == 1 and arguments[0] != "explain"):
        raise RuntimeError(f"{' '.join(arguments)} ends with {done.returncode}: {done.stderr}")
    return done.stdout, " ".join(done.stderr.split())


def describe(schema):
    """What a schema file says of each column, in the words of messy_tables.py."""
    said = {}
    for column in schema["columns"]:
        words = [column["type"]]
        if "format" in column:
            words.append(column["format"])
        if column["immutable"]:
            words.append("locked")
        if column.get("also_missing"):
            words.append("missing " + "|".join(sorted(column["also_missing"])))
        if "rest" in column:
            words.append(column["rest"])
        said[column["name"]] = " ".join(words)
    for name in schema.get("carried", []):
        said[name] = "carried id" if name == schema.get("row_id") else "carried"
    return said


def name_of(column):
    """What the program calls it."""
    return column.called or column.name.strip()


def compare_schema(table, schema):
    said = describe(schema)
    wanted = {name_of(column): column.expected for column in table.columns}
    for name, expected in wanted.items():
        if said.pop(name, "left out") != expected:
            yield f'column "{name}" is {describe(schema).get(name, "left out")}; expected {expected}'
    for name, found in said.items():
        yield f'column "{name}" ({found}) is not in the table'


def read_rows(path, table):
    text = path.read_bytes().decode(table.encoding)
    if table.first_line:
        text = text[len(table.first_line + table.line_end):]
    rows = list(csv.reader(text.splitlines(keepends=True), delimiter=table.delimiter))
    names = [name_of(column) for column in table.columns]
    return [dict(zip(names, map(str.strip, row))) for row in rows[1 + len(table.below):] if row != rows[0]]


def compare_answers(table, rows, document, answers):
    """Everything but what may change is as it came; ids and notes are carried along."""
    fixed = [column for column in table.columns if "locked" in column.expected or "carried" in column.expected]
    free = {name_of(column) for column in table.columns} - {name_of(column) for column in fixed}
    n_found = 0
    for result in document["results"]:
        query = rows[result["row"] - 1]
        carried = {name_of(column): query[name_of(column)] for column in table.columns if "carried" in column.expected}
        if result.get("carried", {}) != carried:
            yield f'row {result["row"]} carries {result.get("carried")}, and should {carried}'
            return
        for answer in result["counterfactuals"]:
            changed = {change.get("column", change.get("feature")) for change in answer["changes"]}
            n_found += 1
            if not changed <= free:
                yield f'row {result["row"]} changes {sorted(changed - free)}'
    if n_found == 0:
        yield "no row has an answer"
    for line in answers:
        query = rows[int(line["row"]) - 1]
        for column in fixed:
            name = name_of(column)
            was, now = query[name], line.get(name, "not there")
            if now != was and not (now == "" and was in column.expected.partition("missing ")[2].split("|")):
                yield f"row {line['row']}: {name} was {was!r}, and is {now!r}"
                return


def check(program, table, folder):
    path, schema, model = folder / f"{table.name}.csv", folder / f"{table.name}.json", folder / f"{table.name}.ow"
    messy_tables.write(table, path)
    _, said = run(program, "schema", str(path), "--label", "decision", "-o", str(schema), *table.options)
    yield from compare_schema(table, json.loads(schema.read_text(encoding="utf-8")))
    _, said_by_train = run(program, "train", str(path), "--label", "decision", "-o", str(model), *table.options, *QUICK)
    for part in table.says:
        if part not in said and part not in said_by_train:
            yield f'not said: {part}; but {said} {said_by_train}'
    answers = folder / f"{table.name}.answers.csv"
    options = ("--row", EXPLAINED, "--surer", "off")
    document, _ = run(program, "explain", str(model), str(path), *options, "--format", "json")
    run(program, "explain", str(model), str(path), *options, "--format", "csv", "-o", str(answers))
    with answers.open(encoding="utf-8", newline="") as file:
        yield from compare_answers(table, read_rows(path, table), json.loads(document), csv.DictReader(file))
    predicted, _ = run(program, "predict", str(model), str(answers), "--strict", "--format", "csv")
    for line in csv.DictReader(predicted.splitlines(keepends=True)):
        if line["predicted"] != line["decision"]:
            yield f'row {line["row"]}: its answer is read again as {line["predicted"]}, not {line["decision"]}'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("tables", nargs="*")
    parser.add_argument("--keep", type=Path, help="write the tables, schemas and models here")
    options = parser.parse_args()
    n_wrong = 0
    with tempfile.TemporaryDirectory(prefix="ow-messy-") as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for table in messy_tables.TABLES:
            if options.tables and table.name not in options.tables:
                continue
            for complaint in check(options.program, table, folder):
                print(f"{table.name}: {complaint}")
                n_wrong += 1
    sys.exit(n_wrong > 0)


if __name__ == "__main__":
    main()
