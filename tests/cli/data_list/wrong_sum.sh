# SPDX-License-Identifier: MIT
# The size alone does not tell; the sum does.
mkdir -p sets/credit
head -c 79793 /dev/zero >sets/credit/german.data
"$OTHERWISE" data list --data sets | tail -n +4
"$OTHERWISE" data list --data sets --check >with_sums
code=$?
tail -n 2 with_sums
exit $code
