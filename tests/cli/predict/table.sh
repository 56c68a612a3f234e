# SPDX-License-Identifier: MIT
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x3,x0,x2,x1\n0.1,-0.5,1,2\n,1,,0\n?,,,\n1e300,0,0,0\n" >rows.csv
"$OTHERWISE" predict a.ow rows.csv
