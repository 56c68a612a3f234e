# SPDX-License-Identifier: MIT
# The query is line 0; a table that is too wide is turned.
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,10 --target granted --method nearest --background loans.csv --format table -k 2 "$@"; echo "exit code $?"; }
COLUMNS=100 ow
COLUMNS=60 ow --vary income,debt
