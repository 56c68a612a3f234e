# SPDX-License-Identifier: MIT
# The whole of a quick run: files, sections, who is asked how much; two-step is densest, finds an answer for everyone, and one for all.
"$OTHERWISE" reproduce credit --quick -o out --quiet
ls out
grep -o '<h2 id="section-[0-9]*">[^<]*' out/index.html
cut -d, -f1-3 out/results.csv
python3 - <<'END'
import csv

rows = {row["method"]: row for row in csv.DictReader(open("out/results.csv", encoding="utf-8"))}
dense = sorted(rows, key=lambda name: -float(rows[name]["log_density_raw"]))
print(dense[0], rows["two-step"]["validity_target_raw"], float(rows["two-step"]["collapse"]) < 0.01)
print(len(list(csv.DictReader(open("out/ablation.csv", encoding="utf-8")))), "settings of two-step")
END
