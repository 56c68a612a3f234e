# SPDX-License-Identifier: MIT
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all >/dev/full; echo $?
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all -o /dev/full
