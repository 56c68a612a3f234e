# SPDX-License-Identifier: MIT
# Rows that time does not reach are told so.
awk -f "$DATA/../tests/cli/loans.awk" >loans.csv
"$OTHERWISE" train loans.csv --label loan --drop name -o loans.ow --quiet >/dev/null
"$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,10 --target granted --method two-step --time-limit 0.000001
echo "exit code $?"
