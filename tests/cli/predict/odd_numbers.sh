# SPDX-License-Identifier: MIT
# NaN is a gap; an infinity, and what is too large for a number, are errors; so are numbers in another dress.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
ow() { printf "x0,x1,x2,x3\n$1\n" >rows.csv; "$OTHERWISE" predict a.ow rows.csv; echo "exit code $?"; }
ow "nan,NaN,0,0"
ow "inf,0,0,0"
ow "0,-Infinity,0,0"
ow "1e999,0,0,0"
ow "-0,+1,1e-320,.5"
ow "0x10,0,0,0"
ow "1 2,0,0,0"
printf "\\223NUMPY\\1\\0\\166\\0%-117s\\n" "{'descr': '<f8', 'fortran_order': False, 'shape': (1, 4), }" >rows.npy
printf "\\0\\0\\0\\0\\0\\0\\370\\177\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0" >>rows.npy
"$OTHERWISE" predict a.ow rows.npy; echo "exit code $?"
