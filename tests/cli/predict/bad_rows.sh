# SPDX-License-Identifier: MIT
# A missing column, a ragged row, text for a number, an image of another size.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
ow() { "$OTHERWISE" predict a.ow "$@"; echo "exit code $?"; }
printf "x0,x1,x3\n1,2,3\n" >column.csv; ow column.csv
printf "x0,x1,x2,x3\n1,2,3,4\n1,2,3\n" >ragged.csv; ow ragged.csv
printf "x0,x1,x2,x3\n1,2,tall,4\n" >text.csv; ow text.csv
: >empty.csv; ow empty.csv
ow nothing.csv
