# SPDX-License-Identifier: MIT
# On any number of threads, from a pipe, and to standard output.
ln -s "$DATA/credit.csv" .
ow() { "$OTHERWISE" train "$@" --label risk --epochs 2 --repetitions 2 --inputs 2 --quiet; }
ow credit.csv --threads 1 -o one.ow >/dev/null
ow credit.csv --threads 2 -o two.ow >/dev/null
ow credit.csv --threads 5 -o five.ow >/dev/null
ow - -o piped.ow <credit.csv >/dev/null
ow credit.csv -o - >written.ow
ow credit.csv --seed 1 -o other.ow >/dev/null
for model in two five piped written other; do cmp -s one.ow $model.ow && echo $model: same || echo $model: different; done
