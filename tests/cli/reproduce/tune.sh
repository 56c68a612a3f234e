# SPDX-License-Identifier: MIT
# Cross-validation on small maps of one's own: tables of sizes and settings, kept, and the same again.
python3 -B "$SUPPORT/make_maps.py" maps.npy labels.txt
"$OTHERWISE" reproduce cub --quick --tune --features maps.npy --labels labels.txt -o out --quiet --threads 1
ls out
grep -o '<h2 id="section-[0-9]*">[^<]*' out/index.html
cut -d, -f1-4,8 out/tuning-structure.csv
cut -d, -f1-3,8 out/tuning-methods.csv
# S has no effect: the last line is the paper's size again.
tail -n 1 out/tuning-structure.csv | cut -d, -f1,2,4-8 >last
grep '^29,25,10,' out/tuning-structure.csv | cut -d, -f1,2,4-8 | cmp - last && echo "S has no effect"
"$OTHERWISE" reproduce cub --quick --tune --features maps.npy --labels labels.txt -o again --quiet --threads 2
python3 -B "$SUPPORT/same_report.py" out again
# What is complete is kept: with one result taken away only that is made again, and the report is the same.
cp -r out resumed
(cd resumed && rm index.html work/quick-tuned-cem-6-tuning-0.json)
"$OTHERWISE" reproduce cub --quick --tune --features maps.npy --labels labels.txt -o resumed --quiet
python3 -B "$SUPPORT/same_report.py" out resumed
