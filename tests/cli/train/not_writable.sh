# SPDX-License-Identifier: MIT
# Found out before the work begins.
ln -s "$DATA/credit.csv" .
ow() { "$OTHERWISE" train credit.csv --label risk -o "$1"; echo "exit code $?"; }
ow nowhere/m.ow
ow .
ow credit.csv
