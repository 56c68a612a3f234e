# SPDX-License-Identifier: MIT
# On any number of threads, times aside.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --repetitions 2 --inputs 2 --epochs 2 --test-share 0 -o m.ow --quiet >/dev/null
for threads in 1 2 5; do
    "$OTHERWISE" evaluate m.ow credit.csv --limit 60 --methods two-step,nearest --background credit.csv \
        --threads $threads -o $threads --quiet >/dev/null
    python3 -c "
import csv, sys
for row in csv.DictReader(open(sys.argv[1] + '/rows.csv')):
    del row['time_mean']
    print(list(row.values()))" $threads >$threads.txt
done
wc -l <1.txt
cmp 1.txt 2.txt && cmp 1.txt 5.txt && echo same
