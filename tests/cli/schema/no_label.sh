# SPDX-License-Identifier: MIT
# Whoever forgot the column's name is told all of them.
printf 'age,"job, if any",risk\n20,x,good\n30,y,bad\n' >t.csv
"$OTHERWISE" schema t.csv
