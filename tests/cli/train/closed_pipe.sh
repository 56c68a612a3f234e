# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --epochs 1 -o m.ow --quiet | true
ls *.ow
