# SPDX-License-Identifier: MIT
# A folder that cannot be made, a file in its place, a full disk: said before the work where it can be.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
ow() { "$OTHERWISE" evaluate m.ow credit.csv --limit 5 --methods two-step "$@" 2>&1; echo "exit code $?"; }
ow -o no/where
: >file; ow -o file
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
mkdir out; ln -s /dev/full out/rows.csv; ow -o out
ls out
