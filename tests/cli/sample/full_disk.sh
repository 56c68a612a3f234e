# SPDX-License-Identifier: MIT
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
"$OTHERWISE" sample a.ow -n 10 >/dev/full
