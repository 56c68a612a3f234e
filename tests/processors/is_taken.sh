#!/bin/sh
# SPDX-License-Identifier: MIT
# is_taken.sh PROGRAM avx2|plain: the program runs with the library of that processor.
got=$("$1" sample --backend none none.ow 2>&1)
case $2-$got in
*cpu-avx512* | plain-*cpu-avx2*) ;;
*"only cpu"*cpu-plain*) exit 0 ;;
esac
echo "it has the kernels of another processor: $got"
exit 1
