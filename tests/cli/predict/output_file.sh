# SPDX-License-Identifier: MIT
# A file appears whole or not at all, and never in the place of one that is read; Ctrl-C keeps the rows that are complete.
exec 2>&1
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf 'x0,x1,x2,x3\n1,2,3,4\n0,0,1,0\n' >rows.csv
ow() { "$OTHERWISE" predict a.ow rows.csv "$@"; echo "exit code $?"; }
"$OTHERWISE" predict a.ow rows.csv >want
ow -o rows.txt; cmp want rows.txt && echo the same
ow --json -o rows.json; wc -l <rows.json
ow -o nowhere/rows.txt
ow -o rows.csv
ow -o - | tail -1
echo old >kept.txt
printf 'x0,x1,x2,x3\n1,2,3,4\n0,0\n' >ragged.csv
"$OTHERWISE" predict a.ow ragged.csv -o kept.txt; echo "exit code $?"; cat kept.txt
if [ -c /dev/full ]; then ow -o /dev/full; else echo "no /dev/full" >&2; fi
mkfifo pipe
(awk 'BEGIN { print "x0,x1,x2,x3"; for (i = 0; i < 300000; i++) print i % 5 ",1,0," i % 3 }'; echo >written; exec sleep 3600) >pipe &
python3 -B "$SUPPORT/interrupt.py" file:written "$OTHERWISE" predict a.ow pipe -o part.txt 2>messages; echo "exit code $?"
sed 's/[0-9][0-9]* rows/N rows/' messages
told=$(tr -dc 0-9 <messages)
[ "$told" -gt 1000 ] && [ "$(tail -n 1 part.txt | cut -c 1-7 | tr -d ' ')" = "$told" ] && echo as many as it says
ls -A
