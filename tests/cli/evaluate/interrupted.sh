# SPDX-License-Identifier: MIT
# Ctrl-C: the seeds that are complete are printed and written.  Where every access is checked the first takes its time.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
for seconds in 1 5 30; do
    python3 -B "$SUPPORT/interrupt.py" cpu:$seconds "$OTHERWISE" evaluate m.ow credit.csv --target good \
        --methods two-step --background credit.csv --seeds 1000 -o out >table 2>messages
    code=$?
    [ -e out/summary.json ] && break
done
cat messages >&2
head -1 table | cut -d" " -f1-3
python3 - <<'END'
import csv, json
document = json.load(open("out/summary.json"))
n_seeds = document["methods"][0]["seeds"]
assert 1 <= n_seeds < 1000
assert sum(1 for _ in csv.DictReader(open("out/rows.csv"))) == 1000 * n_seeds
print("interrupted:", document["meta"]["interrupted"])
END
exit $code
