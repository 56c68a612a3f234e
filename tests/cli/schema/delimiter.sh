# SPDX-License-Identifier: MIT
# Tabs would be taken; told to, the program takes the spaces.
printf 'a\tb c\n1\t2 x\n3\t4 y\n' >t.csv
"$OTHERWISE" schema t.csv --label c --delimiter space
printf 'a\tc\n1\tx\n2\ty\n' >t.tsv
"$OTHERWISE" schema t.tsv --label c --delimiter tab
