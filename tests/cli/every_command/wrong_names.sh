# SPDX-License-Identifier: MIT
# A column, level or class that is not there, in every command that is told one: the nearest spelling, exit code 2.
exec 2>&1
printf 'size,colour,y\n1,red,yes\n2,blue,no\n3,red,yes\n4,blue,no\n' >rows.csv
"$OTHERWISE" train rows.csv --label y --test-share 0 -o m.ow --quiet >/dev/null
ow() { "$OTHERWISE" "$@"; echo "exit code $?"; }
ow schema rows.csv --label yy
ow schema rows.csv --label y --drop sizee
ow train rows.csv --label yy -o t.ow
ow train rows.csv --label y --ordinal colour=red,bleu -o t.ow
ow predict m.ow rows.csv --id nam
ow explain m.ow rows.csv --immutable colur
ow explain m.ow rows.csv --allow colour=bleu
ow explain m.ow rows.csv --target yess
ow evaluate m.ow rows.csv --methods two-step --immutable colur
ow evaluate m.ow rows.csv --methods tow-step
ow sample m.ow --given colur=red
ow sample m.ow --given colour=bleu
ow sample m.ow --class yess
ow reproduce tois
ow data fetch minst
