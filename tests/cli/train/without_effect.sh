# SPDX-License-Identifier: MIT
# Options that the circuit has no use for are named; what is too deep is cut.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --repetitions 1 --inputs 2 --epochs 1 --sums 3 -o m.ow 2>&1 >/dev/null | grep -v wrote
printf "x,y\n1,a\n2,b\n3,a\n4,b\n" >rows.csv
"$OTHERWISE" train rows.csv --label y --depth 3 --repetitions 4 -o m.ow 2>&1 >/dev/null | grep -v wrote
