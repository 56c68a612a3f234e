# SPDX-License-Identifier: MIT
printf 'age,risk,age\n20,good,1\n30,bad,2\n' >t.csv
"$OTHERWISE" schema t.csv --label risk
