# SPDX-License-Identifier: MIT
# On a terminal: its width, and colours unless NO_COLOR is set or it is dumb.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminal here" >&2; exit 77; }
printf 'age,job,risk\n20,clerk or something of that sort,good\n30,y,bad\n40,y,bad\n' >t.csv
on_terminal()
{
    script -qec 'stty cols 50; "$OTHERWISE" schema t.csv --label risk | cat -v; '"$1"' "$OTHERWISE" schema t.csv --label risk' \
        /dev/null | tr -d '\r' | tail -n 4 | cat -v
}
on_terminal TERM=xterm
on_terminal "TERM=xterm NO_COLOR=1"
on_terminal TERM=dumb
