# SPDX-License-Identifier: MIT
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
"$OTHERWISE" inspect a.ow --svg nowhere/a.svg; echo "exit code $?"
"$OTHERWISE" inspect a.ow --svg a.ow; echo "exit code $?"
"$OTHERWISE" inspect nothing.ow; echo "exit code $?"
"$OTHERWISE" inspect; echo "exit code $?"
