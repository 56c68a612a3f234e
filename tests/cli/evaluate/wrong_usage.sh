# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
ow() { "$OTHERWISE" evaluate m.ow credit.csv "$@" 2>&1; echo "exit code $?"; }
ow
ow --methods two-stop
ow --methods two-step:papers
ow --methods two-step,face
ow --methods two-step,nearest --set class-stop=1
ow --methods two-step --set class-step
ow --methods two-step --set class-step=far
ow --methods two-step --set nearest.tries=3
ow --methods two-step --target god
ow --methods two-step --immutable aeg
ow --methods two-step --seeds 0
ow --methods two-step --noise 2
"$OTHERWISE" evaluate m.ow --methods two-step 2>&1; echo "exit code $?"
# Its own input would be overwritten.
cp credit.csv rows.csv
"$OTHERWISE" evaluate m.ow rows.csv --methods two-step -o . 2>&1; echo "exit code $?"
cmp credit.csv rows.csv
"$OTHERWISE" evaluate m.ow - --background - --methods two-step 2>&1; echo "exit code $?"
