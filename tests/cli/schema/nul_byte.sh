# SPDX-License-Identifier: MIT
printf 'age,risk\n20,good\n3\0000,bad\n' >t.csv
"$OTHERWISE" schema t.csv --label risk
