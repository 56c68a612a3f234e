# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --leaf gaussian --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet >/dev/null
ow() { "$OTHERWISE" sample m.ow "$@"; echo "exit code $?"; }
ow -n many
ow --given agee=3
ow --given age
ow --given age=old
ow --given age=3 --given age=4
ow --given housing=ownn
ow --class bda
ow --given risk=bda
ow --class bad --given risk=good
"$OTHERWISE" sample; echo "exit code $?"
"$OTHERWISE" sample nothing.ow; echo "exit code $?"
