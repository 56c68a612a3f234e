# SPDX-License-Identifier: MIT
# A level that no training row had, and a number outside their range: missing and kept; with --strict errors.
printf "size,colour,y\n1,red,a\n2,blue,b\n3,red,a\n4,blue,b\n" >rows.csv
"$OTHERWISE" train rows.csv --label y --test-share 0 -o m.ow --quiet >/dev/null
printf "size,colour\n2,green\n3,green\n" >level.csv
printf "size,colour\n9,red\n" >number.csv
"$OTHERWISE" predict m.ow level.csv | wc -l
"$OTHERWISE" predict m.ow number.csv | wc -l
"$OTHERWISE" predict m.ow level.csv --strict; echo "exit code $?"
"$OTHERWISE" predict m.ow number.csv --strict; echo "exit code $?"
