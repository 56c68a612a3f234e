# SPDX-License-Identifier: MIT
# Numbers and dates as people write them, and files that are no text.
cat >amounts.csv <<'END'
sep=;
paid on;income;rate;balance;zip;visits;class
28.11.2024;EUR 35.340,75;6,9%;(12,50);01069;3;a
07.04.2023;EUR 5.042,20;12,9%;7,00;12345;n/a;b
01.01.2024;EUR 980,00;4,0%;0,25;04109;12;a
END
"$OTHERWISE" schema amounts.csv --label class -o s.json
grep -o '"format": "[^"]*"\|"also_missing".*]' s.json
"$OTHERWISE" schema s.json --label class
printf 'PK\003\004zip' >book.xlsx
printf 'PAR1' >rows.parquet
printf '[ {"a": 1}]' >rows.json
for file in book.xlsx rows.parquet rows.json; do "$OTHERWISE" schema $file --label y; echo "exit code $?"; done
