# SPDX-License-Identifier: MIT
# Ctrl-C in the middle of endless rows.
mkfifo pipe
(echo age,risk; exec yes '20,good
30,bad') >pipe 2>/dev/null &
python3 -B "$SUPPORT/interrupt.py" cpu:0.1 "$OTHERWISE" schema pipe --label risk -o out.json
code=$?
ls
exit $code
