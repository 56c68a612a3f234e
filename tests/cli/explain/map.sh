# SPDX-License-Identifier: MIT
# The map shows the columns that are asked for, or the principal axes; what cannot be an axis is named.
exec 2>&1
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,10 --target granted --method face --background loans.csv "$@"; echo "exit code $?"; }
captions() { grep -oE 'if only [^,.]* change\.|<figcaption class="caption">[^,:]* against [^,:]*' "$1"; }
ow --format html -o page.html; captions page.html
ow --format html -o page.html --map debt,age; captions page.html
ow --format html -o page.html --map principal; captions page.html
ow --format html --map debt,agee
ow --format html --map debt,job
ow --format html --map debt,debt
ow --format html --map debt
ow --format html --map debt,age,income
ow --map debt,age
