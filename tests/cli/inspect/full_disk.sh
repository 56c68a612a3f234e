# SPDX-License-Identifier: MIT
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
"$OTHERWISE" inspect a.ow >/dev/full; echo "exit code $?"
"$OTHERWISE" inspect a.ow --svg - >/dev/full; echo "exit code $?"
"$OTHERWISE" inspect a.ow --svg /dev/full; echo "exit code $?"
