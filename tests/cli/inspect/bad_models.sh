# SPDX-License-Identifier: MIT
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
for size in 0 7 8 9 500 4000 20000; do
    head -c $size a.ow >cut.ow
    "$OTHERWISE" inspect cut.ow 2>/dev/null; echo "$size bytes: exit code $?"
done
"$OTHERWISE" inspect "$DATA/credit.csv" 2>&1 | sed "s/.*\(credit.csv\)/\1/"
