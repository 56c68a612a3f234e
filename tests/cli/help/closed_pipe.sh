# SPDX-License-Identifier: MIT
# The reader takes one line and goes.  Standard output is a pipe whose other end is closed before
# the program starts, so that it cannot be too fast.
mkfifo pipe
(exec 3<pipe; exec 3<&-; : >gone) &
exec 4>pipe
wait
"$OTHERWISE" help >&4
echo $?
