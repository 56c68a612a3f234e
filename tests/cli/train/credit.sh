# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk -o credit.ow
ls *.ow
