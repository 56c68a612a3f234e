# SPDX-License-Identifier: MIT
# Ctrl-C ends it, and no report is left half-written.
timeout --foreground --preserve-status -s INT 0.2 "$OTHERWISE" demo -o out >/dev/null
code=$?
ls out
exit $code
