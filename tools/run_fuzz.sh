#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs each fuzz target of a build with libFuzzer: run_fuzz.sh BUILD_FOLDER SECONDS [TARGET]
#
# What it learns is kept in BUILD_FOLDER/corpus_<name>, so that the next run starts from there; an input that crashes,
# hangs or leaks is left in BUILD_FOLDER/findings, and the script fails.
set -eu
cd "$(dirname "$0")/.."
build=$1
seconds=$2
pattern=${3-*}
mkdir -p "$build/findings"
failed=

for target in "$build"/fuzz/fuzz_$pattern; do
    name=${target##*/fuzz_}
    learnt=$build/corpus_$name
    echo "== fuzzing $name for $seconds s"
    if "$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$name-" "$learnt" "tests/fuzz/corpus/$name" \
        >"$build/findings/$name.log" 2>&1; then
        grep -E '^(Done|stat::number_of_executed_units|stat::peak_rss_mb)' "$build/findings/$name.log"
    else
        tail -n 40 "$build/findings/$name.log"
        failed="$failed $name"
    fi
done

[ -z "$failed" ] || echo "found something:$failed (inputs in $build/findings)"
[ -z "$failed" ]
