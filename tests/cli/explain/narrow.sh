# SPDX-License-Identifier: MIT
# Values that do not fit beside each other stand below each other, and sentences are wrapped.
. "$SUPPORT/loans.sh"
COLUMNS=20 "$OTHERWISE" explain loans.ow loans.csv --quiet --row 9 --target refused --method nearest --background loans.csv
