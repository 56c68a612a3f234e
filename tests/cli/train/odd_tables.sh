# SPDX-License-Identifier: MIT
# Learned from all the same: a class with one row, a column that never varies, a column of gaps, one column, two rows.
ow() { "$OTHERWISE" train rows.csv --label y -o m.ow --quiet >report && "$OTHERWISE" predict m.ow rows.csv | wc -l; }
printf "x,z,y\n1,5,a\n2,5,b\n3,5,a\n4,5,b\n5,5,c\n" >rows.csv; ow
printf "x,z,y\n1,,a\n2,,b\n3,,a\n4,7,b\n" >rows.csv; ow
printf "x,y\n1,a\n2,b\n3,a\n4,b\n" >rows.csv; ow
printf "x,y\n1,a\n2,b\n" >rows.csv; ow
