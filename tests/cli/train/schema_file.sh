# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" schema credit.csv --label risk --immutable age -o s.json --quiet >/dev/null
"$OTHERWISE" train credit.csv --schema s.json --leaf gaussian --repetitions 1 --inputs 2 --epochs 1 -o m.ow --quiet | head -2
ow() { "$OTHERWISE" train credit.csv --schema s.json -o m.ow "$@"; echo "exit code $?"; }
ow --drop age
ow --label age
ow --scaling log1p
sed "s/\"name\": \"age\"/\"name\": \"years\"/" s.json >other.json
"$OTHERWISE" train credit.csv --schema other.json -o m.ow; echo "exit code $?"
