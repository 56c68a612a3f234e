# SPDX-License-Identifier: MIT
# The file whole, the table as without it, and on standard error what to do next.
printf 'age,risk\n20,good\n30,bad\n40,good\n' >t.csv
echo old >t.schema.json
"$OTHERWISE" schema t.csv --label risk -o t.schema.json
ls
grep -c '"risk"' t.schema.json
