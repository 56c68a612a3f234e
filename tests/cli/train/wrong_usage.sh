# SPDX-License-Identifier: MIT
# Each is a complaint and exit code 2, and nothing is written.
ln -s "$DATA/credit.csv" .
ow() { "$OTHERWISE" train credit.csv "$@"; echo "exit code $?"; }
ow -o m.ow
ow --label rsik -o m.ow
ow --label risk
ow --label risk --drop agee -o m.ow
ow --label risk --leaf gausian -o m.ow
ow --label risk --variance many -o m.ow
ow --label risk --variance 0 -o m.ow
ow --label risk --split-groups -o m.ow
ow --label risk --depth deep -o m.ow
ow --label risk --repetitions 0 -o m.ow
ow --label risk --test-share 1 -o m.ow
ow --label risk --discriminative 2 -o m.ow
ow --label risk --backend gpu -o m.ow 2>&1 | sed "s/, only .*/, only .../"
ow --label risk --delimiter x -o m.ow
ow --label risk --classifier forest -o m.ow
ow --label risk --hidden 64 -o m.ow
ow --label risk --classifier mlp --hidden 64,many -o m.ow
ow --label risk --classifier mlp --hidden 0 -o m.ow
ow --label risk --classifier mlp --hidden 1,2,3,4,5,6,7,8 -o m.ow
"$OTHERWISE" train; echo "exit code $?"
ls *.ow 2>/dev/null || echo nothing written
