# SPDX-License-Identifier: MIT
# Ctrl-C before any row has come: there is no model to write.
mkfifo pipe
(exec sleep 3600) >pipe &
python3 -B "$SUPPORT/interrupt.py" asleep "$OTHERWISE" train pipe --label risk -o m.ow
code=$?
ls *.ow 2>/dev/null || echo nothing written
exit $code
