# SPDX-License-Identifier: MIT
# Rows keep their numbers and their order, and their answers do not depend on who else is asked for.
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --target granted --method nearest --background loans.csv --format csv "$@"; }
ow >all.csv
cut -d, -f1 all.csv | sed 1d | sort -nc && echo in order
for row in 8 10 237; do (head -1 all.csv; grep "^$row," all.csv) >want; ow --row $row | cmp - want && echo row $row the same; done
(head -1 all.csv; grep -E "^(8|10|20)," all.csv) >want
ow --row 10 --row 20,8 --row 8 | cmp - want && echo together the same
"$OTHERWISE" explain loans.ow - --quiet --target granted --method nearest --background loans.csv --format csv <loans.csv | cmp - all.csv && echo a pipe is the same
