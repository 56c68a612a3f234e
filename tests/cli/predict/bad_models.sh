# SPDX-License-Identifier: MIT
# Not there, not a model, cut off at several places, of a newer format, damaged.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n1,2,3,4\n" >rows.csv
ow() { "$OTHERWISE" predict "$1" rows.csv; echo "exit code $?"; }
ow nothing.ow
ow rows.csv
: >empty.ow; ow empty.ow
head -c 1000 a.ow >cut1.ow; ow cut1.ow
head -c 20000 a.ow >cut2.ow; ow cut2.ow
sed "s/\"format_version\": \"1\"/\"format_version\": \"9\"/" a.ow >newer.ow; ow newer.ow
sed "s/otherwise-model/otherwise-modem/" a.ow >other.ow; ow other.ow
sed "s/shared/shores/" a.ow >damaged.ow; ow damaged.ow
