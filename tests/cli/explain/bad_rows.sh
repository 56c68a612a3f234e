# SPDX-License-Identifier: MIT
# Files and rows that are none.
exec 2>&1
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow "$@" --quiet --target granted --method two-step; echo "exit code $?"; }
ow nothing.csv
: >empty.csv; ow empty.csv
printf "age,job,income,owns_home\n1,clerk,3,no\n" >column.csv; ow column.csv
(head -2 loans.csv; echo 7,8) >ragged.csv; ow ragged.csv
(head -2 loans.csv; echo x,tall,clerk,1,2,no,granted) >text.csv; ow text.csv
"$OTHERWISE" explain loans.csv loans.csv --target granted; echo "exit code $?"
(head -1 loans.csv; echo x,30,baker,10,20,no,granted) >unseen.csv
"$OTHERWISE" explain loans.ow unseen.csv --target granted --method two-step --strict; echo "exit code $?"
ls
