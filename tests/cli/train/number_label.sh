# SPDX-License-Identifier: MIT
# A label of numbers that are all different is no label, and the sentence says what to do.
awk 'BEGIN { print "x,price"; for (i = 0; i < 60; i++) print i * 37 % 11 "," 1000.5 + i * 7 }' >rows.csv
"$OTHERWISE" train rows.csv --label price -o m.ow --quiet; echo "exit code $?"
