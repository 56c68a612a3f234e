# SPDX-License-Identifier: MIT
# The query is line 0; a table that is too wide is turned.
awk -f "$DATA/../tests/cli/loans.awk" >loans.csv
"$OTHERWISE" train loans.csv --label loan --drop name -o loans.ow --quiet >/dev/null
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,10 --target granted --method nearest --background loans.csv --format table -k 2 "$@"; echo "exit code $?"; }
COLUMNS=100 ow
COLUMNS=60 ow --vary income,debt
