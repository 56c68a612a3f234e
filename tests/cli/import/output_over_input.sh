# SPDX-License-Identifier: MIT
cp "$DATA/../tests/golden/circuits/a_d4_D1.json" a.json
"$OTHERWISE" import a.json -o a.json
