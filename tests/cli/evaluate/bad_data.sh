# SPDX-License-Identifier: MIT
# No model, no rows, rows of another table, as rows and as background.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
ow() { "$OTHERWISE" evaluate "$@" --methods two-step 2>&1; echo "exit code $?"; }
ow nothing.ow credit.csv
ow m.ow nothing.csv
head -1 credit.csv >empty.csv; ow m.ow empty.csv
printf "a,b\n1,2\n" >other.csv; ow m.ow other.csv
ow m.ow credit.csv --background other.csv
ow m.ow credit.csv --background empty.csv
