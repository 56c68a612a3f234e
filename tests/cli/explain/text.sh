# SPDX-License-Identifier: MIT
# Rows with an answer, without one and of the target class already, named by a column that the model does not know.
. "$SUPPORT/loans.sh"
head -13 loans.csv >few.csv
ow() { "$OTHERWISE" explain loans.ow few.csv --quiet --target granted --method nearest --background loans.csv "$@"; echo "exit code $?"; }
ow --id name --set sparse=yes --immutable age
ow --row 8 -k 2
ow --row 10 --vary age
ow --row 8,10 --max-changes 1 --immutable debt
ow --row 10 --prob 0.9999:1
ow --row 10 --min-density q99
