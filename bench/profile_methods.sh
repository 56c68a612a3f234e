#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How much of a method's time goes into the engine's products: the kernels of src/backend/cpu, as perf sees them.
#
#     bench/profile_methods.sh METHOD MODEL.ow ROWS [QUERIES]
#
# Runs bench_methods of build/release (or $BUILD) for this method without a preset, in preset paper and in preset reference, under
# perf (linux-perf), and prints the share of the kernels and the ten functions that take most time.
set -euo pipefail
export LC_ALL=C
if [ $# -lt 3 ]; then
    echo "usage: profile_methods.sh METHOD MODEL.ow ROWS [QUERIES]" >&2
    exit 2
fi
build=${BUILD:-build/release}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Every function that the backend's object files define, with its clones (.part.0, .constprop.0) under its own name.
nm --defined-only "$build"/CMakeFiles/ow_objects.dir/src/backend/cpu/*.o "$build"/CMakeFiles/ow_objects.dir/src/backend/*.o |
    awk '$2 ~ /^[tT]$/ {sub(/\..*/, "", $3); print $3}' | sort -u > "$scratch/kernels"

perf record --quiet -o "$scratch/perf.data" \
    "$build/bench/bench_methods" -n "${4:-64}" -m "$1" "$2" "$3" > "$scratch/times" 2> "$scratch/log" ||
    { cat "$scratch/log" >&2; exit 1; }
perf report --stdio --no-children -i "$scratch/perf.data" -F overhead,symbol 2> "$scratch/log" |
    awk '/^ *[0-9.]+%/ {share = $1; sub(/%/, "", share); name = $3; sub(/\..*/, "", name); print share, name}' > "$scratch/shares"

cat "$scratch/times"
awk -v method="$1" '
    FNR == NR { kernel[$1] = 1; next }
    { total += $1 }
    $2 in kernel { products += $1 }
    FNR <= 10 { lines = lines sprintf("  %5.1f %%  %s%s\n", $1, $2, $2 in kernel ? "  (kernel)" : "") }
    END { printf "%s: %.0f %% of the time in the kernels\n%s", method, 100 * products / total, lines }
' "$scratch/kernels" "$scratch/shares"
