# SPDX-License-Identifier: MIT
# The data are not overwritten by their own schema, not even under another name.
printf 'age,risk\n20,good\n30,bad\n' >t.csv
ln t.csv other.csv
"$OTHERWISE" schema t.csv --label risk -o t.csv; echo $?
"$OTHERWISE" schema t.csv --label risk -o other.csv; echo $?
wc -l <t.csv
