# SPDX-License-Identifier: MIT
# Where one method solves nothing there are no rows to compare distances on, and the table says so.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
"$OTHERWISE" evaluate m.ow credit.csv --limit 20 --methods guided,face --background credit.csv --immutable amount,age >table
grep "^validity_target \|solved\|compare" table
