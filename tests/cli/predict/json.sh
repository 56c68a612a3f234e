# SPDX-License-Identifier: MIT
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n-0.5,2,1,0.1\n1,0,,\n" >rows.csv
"$OTHERWISE" predict a.ow rows.csv --json >lines
python3 - <<END
import json
for line in open("lines"):
    row = json.loads(line)
    print(list(row), row["row"], row["class"], list(row["proba"]), list(row["log_density_by_class"]))
    print(abs(sum(row["proba"].values()) - 1) < 1e-12, 0 <= row["density_percentile"] <= 100)
    print(max(row["proba"], key=row["proba"].get) == row["class"])
END
