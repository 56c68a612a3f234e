# SPDX-License-Identifier: MIT
# A reader that goes away is no failure: silence, and the code that there would have been.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
awk 'BEGIN { print "x0,x1,x2,x3"; for (i = 0; i < 3000; i++) print i % 5 ",1,0," i % 3 }' >rows.csv
ow() { { "$OTHERWISE" "$@" --quiet; echo "$1: exit code $?" >&2; } 2>&3 | :; }
exec 3>&1
ow demo
ow schema "$DATA/credit.csv" --label risk
ow train "$DATA/credit.csv" --label risk --repetitions 1 --inputs 2 --epochs 1 -o m.ow
ow predict a.ow rows.csv
ow explain a.ow rows.csv --method two-step --row 1-3 --target 1
ow evaluate a.ow rows.csv --methods two-step --limit 3 --target 1
ow methods
ow sample a.ow -n 100000
ow inspect a.ow
ow import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o -
ow reproduce toy -o toy
ow data list
ow help
