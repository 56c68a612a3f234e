# SPDX-License-Identifier: MIT
# Rows that time does not reach are told so.
. "$SUPPORT/loans.sh"
"$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,10 --target granted --method two-step --time-limit 0.000001
echo "exit code $?"
