# SPDX-License-Identifier: MIT
printf 'age,risk\n20,good\n30,bad\n40,good\n' >t.csv
"$OTHERWISE" schema t.csv --label risk -q -o t.schema.json | head -n 1
