# SPDX-License-Identifier: MIT
# A file of the right name with other bytes is not taken for the published one.
mkdir -p data/adult
echo "39, State-gov" >data/adult/adult.data
"$OTHERWISE" reproduce adult --data data -o out
