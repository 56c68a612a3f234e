# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk -o credit.ow --quiet >/dev/null
"$OTHERWISE" inspect credit.ow
