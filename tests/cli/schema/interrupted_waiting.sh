# SPDX-License-Identifier: MIT
# Ctrl-C while a pipe has nothing more to give: nothing is printed, nothing half-written.
mkfifo pipe
(printf 'age,risk\n20,good\n'; exec sleep 20) >pipe &
writer=$!
timeout --preserve-status -s INT 0.3 "$OTHERWISE" schema pipe --label risk -o out.json
code=$?
kill $writer
ls
exit $code
