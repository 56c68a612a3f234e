# SPDX-License-Identifier: MIT
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow && "$OTHERWISE" inspect a.ow
