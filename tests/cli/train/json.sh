# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --repetitions 2 --inputs 3 --epochs 2 -o credit.ow --json --quiet >report.json
python3 - <<END
import json
report = json.load(open("report.json"))
print(" ".join(report))
print(report["model"], report["label"], report["rows"], report["columns"], report["interrupted"])
print([(c["name"], round(c["prior"], 3)) for c in report["classes"]])
print({key: report["circuit"][key] for key in ("structure", "depth", "repetitions", "inputs")})
print(report["training"]["train"]["rows"], report["training"]["test"]["rows"])
print(sum(n for line in report["confusion"].values() for n in line.values()))
right = sum(line[name] for name, line in report["confusion"].items())
unseen = report["unseen"]
print(abs(right / 1000 - unseen["accuracy"]) < 1e-12, " ".join(unseen))
print(unseen["rows"], unseen["folds"], unseen["majority_class"], unseen["majority_share"])
END
