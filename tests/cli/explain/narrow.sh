# SPDX-License-Identifier: MIT
# Values that do not fit beside each other stand below each other, and sentences are wrapped.
awk -f "$DATA/../tests/cli/loans.awk" >loans.csv
"$OTHERWISE" train loans.csv --label loan --drop name -o loans.ow --quiet >/dev/null
COLUMNS=20 "$OTHERWISE" explain loans.ow loans.csv --quiet --row 9 --target refused --method nearest --background loans.csv
