# SPDX-License-Identifier: MIT
# Columns in any order, others beside them, the label there or not: the same answers.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --leaf gaussian --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet >/dev/null
"$OTHERWISE" predict m.ow credit.csv >want
head -40 want >want40
python3 - credit.csv <<END
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))[:40]
csv.writer(open("other.csv", "w"), delimiter=";").writerows([row[-2::-1] + ["7"] for row in rows])
END
sed -i "1s/;7/;extra/" other.csv
"$OTHERWISE" predict m.ow other.csv | cmp - want40 && echo same
"$OTHERWISE" predict m.ow - <credit.csv | cmp - want && echo same
"$OTHERWISE" predict - credit.csv <m.ow | cmp - want && echo same
for threads in 1 2 5; do "$OTHERWISE" predict m.ow credit.csv --threads $threads | cmp - want && echo the same on $threads; done
gzip -c credit.csv >rows.csv.gz
"$OTHERWISE" predict m.ow rows.csv.gz | cmp - want && echo same
