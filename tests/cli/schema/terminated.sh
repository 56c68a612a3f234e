# SPDX-License-Identifier: MIT
# SIGTERM is a wish to stop, too.
mkfifo pipe
(exec sleep 20) >pipe &
writer=$!
timeout --preserve-status -s TERM 0.3 "$OTHERWISE" schema pipe --label risk
code=$?
kill $writer
exit $code
