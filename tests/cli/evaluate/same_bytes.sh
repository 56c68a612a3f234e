# SPDX-License-Identifier: MIT
# Every method, the second circuit and the neighbours on any number of threads: each row's figures and the summary, times aside.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 2 --inputs 2 --epochs 2 --test-share 0 -o m.ow --quiet >/dev/null
for threads in 1 2 5; do
    "$OTHERWISE" evaluate m.ow credit.csv --limit 40 --methods all,wachter:paper --background credit.csv \
        --set steps=20 --set rounds=2 --set autoencoder-passes=2 --threads $threads -o $threads --quiet >/dev/null
    python3 -c "
import csv, json, sys

def timeless(value):
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if not k.startswith('time_') and 'seconds' not in k and k != 'threads'}
    return [timeless(v) for v in value] if isinstance(value, list) else value

for row in csv.DictReader(open(sys.argv[1] + '/rows.csv')):
    print(list(timeless(row).values()))
print(json.dumps(timeless(json.load(open(sys.argv[1] + '/summary.json'))), indent=1))" $threads >$threads.txt
done
grep -c "^\[" 1.txt
cmp 1.txt 2.txt && cmp 1.txt 5.txt && echo same
