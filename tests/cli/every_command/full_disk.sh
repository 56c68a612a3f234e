# SPDX-License-Identifier: MIT
# A full disk under standard output is an error of every command, not a short result.
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n1,2,3,4\n" >rows.csv
ow() { "$OTHERWISE" "$@" --quiet 2>&1 >/dev/full; echo "$1: exit code $?"; }
ow demo
ow schema "$DATA/credit.csv" --label risk
ow train "$DATA/credit.csv" --label risk --repetitions 1 --inputs 2 --epochs 1 -o m.ow
ow predict a.ow rows.csv
ow explain a.ow rows.csv --method two-step
ow evaluate a.ow rows.csv --methods two-step
ow methods
ow sample a.ow
ow inspect a.ow
ow import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o -
ow reproduce toy -o toy
ow data list
ow help
