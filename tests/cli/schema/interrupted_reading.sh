# SPDX-License-Identifier: MIT
# Ctrl-C in the middle of endless rows.
mkfifo pipe
(echo age,risk; yes '20,good
30,bad') >pipe 2>/dev/null &
timeout --preserve-status -s INT 0.3 "$OTHERWISE" schema pipe --label risk -o out.json
code=$?
ls
exit $code
