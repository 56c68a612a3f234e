# SPDX-License-Identifier: MIT
# Ctrl-C in the middle of endless rows.
mkfifo pipe
env --default-signal=INT "$OTHERWISE" schema pipe --label risk -o out.json &
reader=$!
exec 3>pipe # waits until the program has opened it
echo age,risk >&3
yes '20,good
30,bad' >&3 2>/dev/null &
exec 3>&-
sleep 0.2
kill -INT $reader
wait $reader
code=$?
ls
exit $code
