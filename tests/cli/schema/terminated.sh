# SPDX-License-Identifier: MIT
# SIGTERM is a wish to stop, too.
mkfifo pipe
"$OTHERWISE" schema pipe --label risk &
exec 3>pipe # waits until the program has opened it
sleep 0.2
kill -TERM $!
exec 3>&-
wait $!
