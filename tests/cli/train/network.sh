# SPDX-License-Identifier: MIT
# A network decides; what is said of it, and what predict and inspect make of it.
ln -s "$DATA/credit.csv" .
ow() { "$OTHERWISE" train credit.csv --label risk --classifier mlp --epochs 1 --repetitions 2 --inputs 2 --quiet "$@"; }
ow --hidden 8 -o m.ow | grep -A 2 Decisions | sed "s/for [0-9.]* %/for .. %/"
"$OTHERWISE" inspect m.ow --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["network"])'
"$OTHERWISE" inspect m.ow | grep -c Decisions
"$OTHERWISE" predict m.ow credit.csv --json --quiet | python3 -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
print(len(rows), all(abs(sum(row["proba"].values()) - 1) < 1e-9 for row in rows))
print(all(row["class"] == max(row["proba"], key=row["proba"].get) for row in rows))'
ow --hidden 8 --threads 5 -o five.ow >/dev/null
cmp m.ow five.ow && echo same bytes
ow -o usual.ow >/dev/null
"$OTHERWISE" inspect usual.ow --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["network"])'
