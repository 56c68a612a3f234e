# SPDX-License-Identifier: MIT
# Ctrl-C while a pipe has nothing more to give: nothing is printed, nothing half-written.
mkfifo pipe
(printf 'age,risk\n20,good\n'; exec sleep 3600) >pipe &
python3 -B "$SUPPORT/interrupt.py" asleep "$OTHERWISE" schema pipe --label risk -o out.json
code=$?
ls
exit $code
