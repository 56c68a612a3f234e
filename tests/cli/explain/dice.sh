# SPDX-License-Identifier: MIT
# DiCE's JSON 2.0: the same fields in the same order.
. "$SUPPORT/loans.sh"
"$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,9,10 --target granted --method nearest --background loans.csv --format dice -k 2
"$OTHERWISE" explain loans.ow loans.csv --quiet --row 8 --vary age --method nearest --background loans.csv --format dice
echo "exit code $?"
