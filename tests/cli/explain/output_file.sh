# SPDX-License-Identifier: MIT
# A file appears whole or not at all, and never in the place of one that is read.
exec 2>&1
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,9 --target granted --method nearest --background loans.csv "$@"; echo "exit code $?"; }
ow >want; sed -i '$d' want
ow -o answers.txt; cmp want answers.txt && echo the same
ow --format json -o answers.json; python3 -c 'import json; print(len(json.load(open("answers.json"))["results"]))'
ow -o nowhere/answers.txt
ow -o .
ow -o loans.csv
ow -o - | tail -1
echo old >kept.txt
(cat loans.csv; echo 7,8) >ragged.csv
"$OTHERWISE" explain loans.ow ragged.csv --quiet --method two-step --target granted -o kept.txt; echo "exit code $?"; cat kept.txt
if [ -c /dev/full ]; then ow -o /dev/full; "$OTHERWISE" explain loans.ow loans.csv --quiet --row 8 --method two-step >/dev/full; echo "exit code $?"; else echo "no /dev/full" >&2; fi
ls -A
