# SPDX-License-Identifier: MIT
# Where nothing may change nothing can be found: the exit code says so, and the table is there all the same.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
"$OTHERWISE" evaluate m.ow credit.csv --limit 20 --target other --methods two-step --vary telephone --prob 0.999:1 >table
code=$?
grep "^answered\|^valid \|^validity_target \|^coverage" table
exit $code
