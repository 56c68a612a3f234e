# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet >/dev/null
"$OTHERWISE" inspect m.ow --json >model.json
python3 - <<END
import json
model = json.load(open("model.json"))
print(" ".join(model))
print(len(model["columns"]), model["columns"][1], model["columns"][0]["leaf"])
print(list(model["log_density_percentiles"]), list(model["log_density_percentiles"]["bad"]))
print(" ".join(model["training"]))
END
