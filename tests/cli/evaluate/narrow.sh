# SPDX-License-Identifier: MIT
# Methods that do not fit side by side come one below the other; no line is wider than the terminal.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --scaling minmax --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
head -30 credit.csv >rows.csv
for columns in 80 50; do
    COLUMNS=$columns "$OTHERWISE" evaluate m.ow rows.csv --methods two-step,two-step:paper,two-step:reference,nearest,nearest:paper --noise 0 >table
    echo "$columns: widest $(wc -L <table), headings:"
    grep "two-step\|nearest" table | head -3
done
