# SPDX-License-Identifier: MIT
# Ctrl-C while a pipe has nothing more to give: nothing is printed, nothing half-written.
# A shell without a terminal has its background jobs ignore SIGINT; env undoes that.
mkfifo pipe
env --default-signal=INT "$OTHERWISE" schema pipe --label risk -o out.json &
exec 3>pipe # waits until the program has opened it
printf 'age,risk\n20,good\n' >&3
sleep 0.2
kill -INT $!
exec 3>&-
wait $!
code=$?
ls
exit $code
