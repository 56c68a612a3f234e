# SPDX-License-Identifier: MIT
# Each is a sentence and exit code 3, and nothing is written.
ow() { "$OTHERWISE" train "$@" --label y -o m.ow; echo "exit code $?"; }
ow nothing.csv
: >empty.csv; ow empty.csv
echo x,y >header.csv; ow header.csv
printf "x,y\n1,a\n2\n" >ragged.csv; ow ragged.csv
printf "x,y\n1,a\n2,a\n" >one_class.csv; ow one_class.csv
printf "x,y\n1,\n2,\n" >no_class.csv; ow no_class.csv
printf "x,y\n1,a\n" >one_row.csv; ow one_row.csv
ow .
ls *.ow 2>/dev/null || echo nothing written
