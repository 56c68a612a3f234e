# SPDX-License-Identifier: MIT
# A header and nothing below it: nothing to tell.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
echo x0,x1,x2,x3 >rows.csv
"$OTHERWISE" predict a.ow rows.csv; echo "exit code $?"
"$OTHERWISE" predict a.ow rows.csv --json; echo "exit code $?"
