# SPDX-License-Identifier: MIT
# A table of all columns with the decision behind them; columns that the file has already keep their names.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --leaf gaussian --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet >/dev/null
head -3 credit.csv >few.csv
"$OTHERWISE" predict m.ow few.csv --format csv | cut -d, -f1-4,21-
"$OTHERWISE" predict m.ow few.csv --format csv -o once.csv
"$OTHERWISE" predict m.ow once.csv --format csv | head -1 | cut -d, -f21-
"$OTHERWISE" predict m.ow once.csv --format csv | awk -F, 'NR > 1 { print $22 == $25, $23 == $26, $24 == $27 }'
