# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --tune --inputs 2 --epochs 1 -o m.ow --quiet | head -9
