#!/bin/sh
# SPDX-License-Identifier: MIT
# One explanation from a cold start: bench_start.sh [PROGRAM]
#
# Trains a model of data/credit.csv once and then measures with hyperfine how long it takes to load it, explain one row and print the
# text; beside it, what starting the program alone takes.  The aim is 20 ms.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
program=$(realpath "${1:-$root/build/release/otherwise}")
command -v hyperfine >/dev/null || { echo "bench_start.sh needs hyperfine (apt-get install hyperfine)" >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
cp "$root/data/credit.csv" .
"$program" train credit.csv --label risk -o credit.ow --quiet >/dev/null
hyperfine --shell=none --warmup 5 --style basic --ignore-failure --export-json times.json \
    --command-name "explain one row" "$program explain credit.ow credit.csv --row 17 --target bad --quiet" \
    --command-name "the same on one thread" \
    "$program explain credit.ow credit.csv --row 17 --target bad --quiet --threads 1" \
    --command-name "start and stop" "$program --version" >/dev/null 2>&1
python3 - <<END
import json
aim = 20
print(f"{'':24}{'median':>9}{'least':>9}{'processor':>11}   (ms)")
for run in json.load(open("times.json"))["results"]:
    figures = run["median"], run["min"], run["user"] + run["system"]
    print(f"{run['command']:24}" + "".join(f"{1e3 * f:{w}.1f}" for f, w in zip(figures, (9, 9, 11))))
    if run["command"] == "explain one row":
        reached = 1e3 * run["median"] < aim
print(f"The aim, {aim} ms for one row explained: {'reached' if reached else 'missed'}")
END
