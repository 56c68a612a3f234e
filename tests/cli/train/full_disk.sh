# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
"$OTHERWISE" train credit.csv --label risk --unlock all --leaf gaussian --repetitions 1 --inputs 2 --epochs 1 -o /dev/full
