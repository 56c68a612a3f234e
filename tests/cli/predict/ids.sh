# SPDX-License-Identifier: MIT
# Names of rows, from a column that the model does not know.
. "$SUPPORT/loans.sh"
head -4 loans.csv >few.csv
"$OTHERWISE" predict loans.ow few.csv --id name | awk '{ print $1, $2, $NF }'
"$OTHERWISE" predict loans.ow few.csv --id name --json | cut -c1-50
"$OTHERWISE" predict loans.ow few.csv --id nam; echo "exit code $?"
