# SPDX-License-Identifier: MIT
# Ctrl-C before any row has come: there is no model to write.
mkfifo pipe
(exec sleep 20) >pipe &
writer=$!
timeout --foreground --preserve-status -s INT 0.5 "$OTHERWISE" train pipe --label risk -o m.ow
code=$?
kill $writer
ls *.ow 2>/dev/null || echo nothing written
exit $code
