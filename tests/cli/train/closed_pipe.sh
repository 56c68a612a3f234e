# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --leaf gaussian --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet | true
ls *.ow
