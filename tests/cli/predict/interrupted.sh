# SPDX-License-Identifier: MIT
# Ctrl-C while it waits for rows.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
mkfifo pipe
(exec sleep 3600) >pipe &
python3 -B "$SUPPORT/interrupt.py" asleep "$OTHERWISE" predict a.ow pipe
