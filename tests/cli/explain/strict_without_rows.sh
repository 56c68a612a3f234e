# SPDX-License-Identifier: MIT
# An imported model has seen no rows whose range a number could leave.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n9,2,3,4\n" >rows.csv
"$OTHERWISE" explain a.ow rows.csv --strict
