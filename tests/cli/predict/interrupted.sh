# SPDX-License-Identifier: MIT
# Ctrl-C while it waits for rows.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
mkfifo pipe
(exec sleep 20) >pipe &
writer=$!
timeout --foreground --preserve-status -s INT 0.5 "$OTHERWISE" predict a.ow pipe
code=$?
kill $writer
exit $code
