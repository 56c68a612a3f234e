# SPDX-License-Identifier: MIT
# A file or folder that cannot be written: exit code 4, from every command that writes one, and before long work.
exec 2>&1
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n1,2,3,4\n" >rows.csv
: >file
ow() { "$OTHERWISE" "$@" --quiet >/dev/null; echo "$1: exit code $?"; }
ow demo -o file/there
ow evaluate a.ow rows.csv --methods two-step -o file/there
ow reproduce toy -o file/there
for to in nowhere/there file/there .; do
    ow schema "$DATA/credit.csv" --label risk -o $to
    ow train "$DATA/credit.csv" --label risk -o $to
    ow predict a.ow rows.csv -o $to
    ow explain a.ow rows.csv -o $to
    ow inspect a.ow --svg $to
    ow import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o $to
done
