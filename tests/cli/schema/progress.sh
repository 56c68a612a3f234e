# SPDX-License-Identifier: MIT
# Rows that come slowly: after a second a line tells so, and it is gone before the result.
script -qec true /dev/null </dev/null >/dev/null 2>&1 || { echo "no pseudo-terminal here" >&2; exit 77; }
mkfifo rows
(printf 'age,risk\n20,good\n'; sleep 0.7; echo 30,bad; sleep 0.7; echo 40,bad) >rows &
script -qec 'TERM=xterm "$OTHERWISE" schema rows --label risk' /dev/null </dev/null |
    tr '\r' '\n' | cat -v | sed 's/[0-9]* s so far/N s so far/' | uniq | head -n 3
