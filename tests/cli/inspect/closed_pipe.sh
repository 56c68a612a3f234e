# SPDX-License-Identifier: MIT
"$OTHERWISE" import "$DATA/../tests/golden/circuits/b_d8_D2.json" -o b.ow
{ "$OTHERWISE" inspect b.ow; echo "exit code $?" >&2; } | true
