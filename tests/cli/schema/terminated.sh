# SPDX-License-Identifier: MIT
# SIGTERM is a wish to stop, too.
mkfifo pipe
(exec sleep 3600) >pipe &
python3 -B "$SUPPORT/interrupt.py" --signals TERM asleep "$OTHERWISE" schema pipe --label risk
