# SPDX-License-Identifier: MIT
# A schema may name a class that the rows do not have, and rows may have one that it does not name.
printf "x,y\n1,a\n2,b\n3,a\n4,b\n5,c\n6,c\n" >all.csv
"$OTHERWISE" schema all.csv --label y -o s.json --quiet >/dev/null
(echo x,y; grep "[ab]$" all.csv) >two.csv
"$OTHERWISE" train two.csv --schema s.json -o m.ow; echo "exit code $?"
"$OTHERWISE" schema two.csv --label y -o t.json --quiet >/dev/null
"$OTHERWISE" train all.csv --schema t.json --test-share 0 -o m.ow 2>&1 >/dev/null | grep -v wrote
ls *.ow
