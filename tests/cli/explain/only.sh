# SPDX-License-Identifier: MIT
# Rows with an answer, or those without one, in every form; the others are counted all the same.
. "$SUPPORT/loans.sh"
"$OTHERWISE" explain loans.ow loans.csv --row 1-12 --target granted --only found --quiet --surer off | sed -n '1p;$p'
"$OTHERWISE" explain loans.ow loans.csv --row 1-12 --target granted --only found --format csv --quiet | wc -l
"$OTHERWISE" explain loans.ow loans.csv --row 1-12 --target granted --only not-found --quiet
"$OTHERWISE" explain loans.ow loans.csv --row 1-12 --target granted --vary age --only not-found --quiet | grep "^Row"
"$OTHERWISE" explain loans.ow loans.csv --only some; echo "exit code $?"
