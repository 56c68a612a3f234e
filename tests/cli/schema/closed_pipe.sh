# SPDX-License-Identifier: MIT
# Standard output is a pipe that nobody reads any more: no complaint, no failure.
mkfifo pipe
(exec 3<pipe) &
exec 4>pipe
wait
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all >&4
echo $?
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all | head -n 1 | sed 's/.*credit/credit/'
