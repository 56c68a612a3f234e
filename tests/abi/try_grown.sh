#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs and libraries of different versions: try_grown.sh WORK_FOLDER FOLDER_OF_THE_LIBRARY
set -eu
work=$1
libraries=$2
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

mkdir -p "$work"
rm -rf "$work/include"
python3 -B "$here/grow_headers.py" "$root/include" "$work/include"
cmake -S "$root" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DOW_TESTS=OFF -DOW_BENCH=OFF \
    -DOW_INCLUDE_DIR="$work/include" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_C_COMPILER_LAUNCHER="$LAUNCHER" >/dev/null
cmake --build "$work/build" --target ow_shared -- --quiet

# build HEADERS PROGRAM: against these headers, linked to the library of this version.
build() {
    "$CC" -std=c11 -D_DEFAULT_SOURCE -Wall -Wextra -Werror "$here/use_options.c" -I "$1" -o "$2" \
        -L "$libraries" -lotherwise
}
build "$root/include" "$work/this_version"
build "$work/include" "$work/later_version"

LD_LIBRARY_PATH="$libraries" "$work/this_version" >"$work/expected"
LD_LIBRARY_PATH="$work/build" "$work/this_version" >"$work/older_program"
LD_LIBRARY_PATH="$libraries" "$work/later_version" >"$work/newer_program"
LD_LIBRARY_PATH="$work/build" "$work/later_version" >"$work/both_newer"
# How long it took is another number each time.
for run in expected older_program newer_program both_newer; do
    sed -i 's/"time_ms": [0-9.e-]*/"time_ms": 0/g' "$work/$run"
done
cat "$work/expected"
for run in older_program newer_program both_newer; do
    diff "$work/expected" "$work/$run" || { echo "$run: another result"; exit 1; }
done
