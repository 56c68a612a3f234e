# SPDX-License-Identifier: MIT
: >empty.csv
"$OTHERWISE" schema empty.csv --label risk; echo $?
printf 'age,risk\n' >header.csv
"$OTHERWISE" schema header.csv --label risk
