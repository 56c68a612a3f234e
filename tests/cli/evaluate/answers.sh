# SPDX-License-Identifier: MIT
# Answers from files beside those of a method: as explain writes them, and a line for each row.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 2 --inputs 2 --epochs 3 --test-share 0 -o m.ow --quiet >/dev/null
head -60 credit.csv >rows.csv
"$OTHERWISE" explain m.ow rows.csv --target good --method nearest --format csv -o theirs.csv >/dev/null 2>&1
"$OTHERWISE" evaluate m.ow rows.csv --target good --methods nearest --answers again=theirs.csv --answers rows.csv --json >all.json
python3 - <<'END'
import json
methods = json.load(open("all.json"))["methods"]
print([method["name"] for method in methods])
figures = [{name: figure["mean"] for name, figure in method["metrics"].items()} for method in methods]
print("the same:", all(figures[0][name] == figures[1][name] for name in ("validity_target", "l0", "gower", "violations", "density_percentile")))
print("time:", figures[1]["time_mean"], figures[2]["validity_target"])
END
head -3 rows.csv >few.csv
"$OTHERWISE" evaluate m.ow rows.csv --target good --answers few.csv; echo "exit code $?"
"$OTHERWISE" evaluate m.ow few.csv --target good --answers rows.csv; echo "exit code $?"
"$OTHERWISE" evaluate m.ow few.csv --target good --answers theirs.csv; echo "exit code $?"
"$OTHERWISE" evaluate m.ow few.csv --target good --answers no.csv; echo "exit code $?"
"$OTHERWISE" evaluate m.ow few.csv --target good; echo "exit code $?"
