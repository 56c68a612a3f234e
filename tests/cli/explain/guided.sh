# SPDX-License-Identifier: MIT
# What people get who say nothing about methods: few changes, and what is locked stays.
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --target granted "$@"; echo "exit code $?"; }
ow --row 8,10 -k 2
ow --row 10 -k 6
ow --row 8,10 --immutable debt --range income=:40
ow --row 8,10 --monotone income=down --max-changes 1 --range debt=5:
ow --row 10 --vary age
ow --format csv --immutable age,job --monotone debt=down --prob 0.7:1 >answers.csv
awk -F, 'NR == FNR { age[FNR - 1] = $2; job[FNR - 1] = $3; debt[FNR - 1] = $5; next }
    FNR > 1 && NF > 1 { n++; if ($3 != age[$1] || $4 != job[$1] || $6 > debt[$1] || $9 < 0.7) print "broken: " $0 }
    END { print n " answers" }' loans.csv answers.csv
tail -1 answers.csv
