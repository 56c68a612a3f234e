# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet >/dev/null
"$OTHERWISE" sample m.ow -n 200 --class bad --given age=23 --given "purpose=new car" >rows.csv
python3 - <<END
import csv
rows = list(csv.DictReader(open("rows.csv")))
print(len(rows), {(row["age"], row["purpose"], row["risk"]) for row in rows})
print(len({row["amount"] for row in rows}) > 100)
END
"$OTHERWISE" sample m.ow --given risk=good --given age=40 --given duration=12.4 | tail -1 | grep -c ",good$"
