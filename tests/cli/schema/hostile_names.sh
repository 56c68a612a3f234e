# SPDX-License-Identifier: MIT
# Escape sequences and line ends out of a file do not reach the terminal.
printf 'a\033[2Jb,"two\nlines",risk\n1,x\007,good\n2,y,bad\n' >t.csv
"$OTHERWISE" schema t.csv --label risk
"$OTHERWISE" schema t.csv --label "$(printf '\033[31mred')"
