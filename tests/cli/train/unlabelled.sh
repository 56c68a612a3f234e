# SPDX-License-Identifier: MIT
# Rows without a class are left out; nothing held out means nothing to report on.
printf "x,y\n1,a\n2,b\n3,\n4,b\n5,a\n6,?\n" >rows.csv
"$OTHERWISE" train rows.csv --label y --test-share 0 -v -o m.ow 2>&1 | grep -v wrote
