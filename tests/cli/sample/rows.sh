# SPDX-License-Identifier: MIT
# Rows as train reads them; fewer are the beginning of more, and threads do not matter.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet >/dev/null
"$OTHERWISE" sample m.ow -n 300 >rows.csv
wc -l <rows.csv
[ "$(head -1 rows.csv)" = "$(head -1 credit.csv)" ] && echo the titles of the table
head -21 rows.csv >want
"$OTHERWISE" sample m.ow -n 20 | cmp - want && echo fewer rows, the same ones
"$OTHERWISE" sample m.ow -n 300 --seed 1 | cmp -s - rows.csv || echo another seed, other rows
for threads in 1 2 5; do "$OTHERWISE" sample m.ow -n 300 --threads $threads | cmp - rows.csv && echo the same on $threads; done
"$OTHERWISE" sample m.ow -n 0 | wc -l
"$OTHERWISE" predict m.ow rows.csv --quiet | wc -l
