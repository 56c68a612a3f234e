# SPDX-License-Identifier: MIT
# A model that is not there, is none, is cut off, or of a newer version: every command that reads one says the same.
exec 2>&1
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n1,2,3,4\n" >rows.csv
head -c 1000 a.ow >cut.ow
sed "s/\"format_version\": \"1\"/\"format_version\": \"9\"/" a.ow >newer.ow
for model in nothing.ow rows.csv cut.ow newer.ow; do
    echo "== $model"
    "$OTHERWISE" predict $model rows.csv; echo "predict: exit code $?"
    "$OTHERWISE" explain $model rows.csv; echo "explain: exit code $?"
    "$OTHERWISE" evaluate $model rows.csv --methods two-step; echo "evaluate: exit code $?"
    "$OTHERWISE" sample $model; echo "sample: exit code $?"
    "$OTHERWISE" inspect $model; echo "inspect: exit code $?"
done
