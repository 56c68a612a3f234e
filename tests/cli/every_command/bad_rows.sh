# SPDX-License-Identifier: MIT
# Rows that are not there, none at all, ragged, or without a column: every command that reads them says where and what.
exec 2>&1
printf 'size,colour,y\n1,red,a\n2,blue,b\n3,red,a\n4,blue,b\n' >rows.csv
"$OTHERWISE" train rows.csv --label y --test-share 0 -o m.ow --quiet >/dev/null
: >empty.csv
head -n 1 rows.csv >header.csv
printf 'size,colour,y\n1,red,a\n2,blue\n' >ragged.csv
printf 'size,y\n1,a\n2,b\n' >column.csv
for rows in nothing.csv empty.csv header.csv ragged.csv column.csv; do
    echo "== $rows"
    "$OTHERWISE" schema $rows --label colour; echo "schema: exit code $?"
    "$OTHERWISE" train $rows --label colour -o t.ow; echo "train: exit code $?"
    "$OTHERWISE" predict m.ow $rows >/dev/null; echo "predict: exit code $?"
    "$OTHERWISE" explain m.ow $rows >/dev/null; echo "explain: exit code $?"
    "$OTHERWISE" evaluate m.ow $rows --methods two-step >/dev/null; echo "evaluate: exit code $?"
done
ls t.ow 2>/dev/null || echo no model
