# SPDX-License-Identifier: MIT
# A line for each method and row, and a document with everything else; --json prints the same document.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --repetitions 2 --inputs 2 --epochs 2 --test-share 0 -o m.ow --quiet >/dev/null
"$OTHERWISE" evaluate m.ow credit.csv --limit 40 --target good --methods two-step:paper,nearest --set tries=9 \
    --background credit.csv --seeds 2 --seed 7 -o out --json --quiet >printed.json
cmp printed.json out/summary.json && echo same document
ls out
python3 - <<'END'
import csv, json
rows = list(csv.DictReader(open("out/rows.csv")))
document = json.load(open("out/summary.json"))
print(len(rows), "rows;", sorted({row["seed"] for row in rows}), sorted({row["method"] for row in rows}))
print(document["schema_version"], sorted(document), document["n"]["rows"])
print(document["meta"]["target"], document["meta"]["seed"], document["meta"]["interrupted"])
for method in document["methods"]:
    print(method["name"], method["seeds"], method["params"].get("tries"))
    for name in ("validity_target", "l1", "judge_plausible@25", "ynn"):
        # The document's means are those of the rows, seed by seed.
        means = []
        for seed in ("7", "8"):
            figures = [float(row[name]) for row in rows
                       if row["seed"] == seed and row["method"] == method["name"] and row[name]]
            means.append(sum(figures) / len(figures))
        assert abs(sum(means) / 2 - method["metrics"][name]["mean"]) < 1e-6, name
for metric in document["metrics"][:2]:
    print(metric)
assert all(row["l1"] == "" for row in rows if row["status"] != "found")
END
