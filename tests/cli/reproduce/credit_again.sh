# SPDX-License-Identifier: MIT
# The same report from the same seed, with one thread or two.
if grep -q __asan_init "$OTHERWISE"; then
    echo "twice takes too long where every access is checked" >&2
    exit 77
fi
"$OTHERWISE" reproduce credit --quick -o out --quiet --threads 1
"$OTHERWISE" reproduce credit --quick -o again --quiet --threads 2
python3 -B "$SUPPORT/same_report.py" out again
