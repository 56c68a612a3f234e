# SPDX-License-Identifier: MIT
# Ctrl-C ends it, and no report is left half-written.
python3 -B "$SUPPORT/interrupt.py" file:out "$OTHERWISE" demo -o out >/dev/null
code=$?
ls out
exit $code
