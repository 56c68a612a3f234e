# SPDX-License-Identifier: MIT
printf 'age,job,risk\n20,x,good\n30,bad\n' >t.csv
"$OTHERWISE" schema t.csv --label risk
