# SPDX-License-Identifier: MIT
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n1,2,3,4\n" >rows.csv
"$OTHERWISE" predict a.ow rows.csv >/dev/full
