# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all -o credit.ow --quiet >/dev/null
"$OTHERWISE" inspect credit.ow
"$OTHERWISE" inspect -v credit.ow
