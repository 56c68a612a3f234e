# SPDX-License-Identifier: MIT
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
{ "$OTHERWISE" sample a.ow -n 1000000000; echo "exit code $?" >&2; } | head -1
