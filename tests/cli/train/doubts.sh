# SPDX-License-Identifier: MIT
# What should make one doubt a model: classes that differ by capitals, few rows, nothing learned, a column that says the class.
awk 'BEGIN { print "x,y"; for (i = 0; i < 300; i++) print i * 37 % 101 "," (i % 3 ? "no" : "yes") }' >noise.csv
awk 'BEGIN { print "x,told,y"; for (i = 0; i < 300; i++) print i * 37 % 101 "," i % 2 "," (i % 2 ? "no" : "yes") }' >leak.csv
awk 'BEGIN { print "a,b,c,d,y"; for (i = 0; i < 12; i++) print i * 3 % 7 "," i * 5 % 11 "," i % 3 "," i * 7 % 5 "," (i % 3 ? "No" : i % 2 ? "no" : "yes") }' >few.csv
for file in noise leak few; do
    echo $file
    "$OTHERWISE" train $file.csv --label y -o m.ow 2>&1 >/dev/null | grep -v "note:"
done
