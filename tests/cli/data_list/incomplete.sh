# SPDX-License-Identifier: MIT
# A file of the right size, one of the wrong size, one that is missing.
mkdir -p sets/adult
head -c 3974305 /dev/zero >sets/adult/adult.data
echo short >sets/adult/adult.test
"$OTHERWISE" data list --data sets
