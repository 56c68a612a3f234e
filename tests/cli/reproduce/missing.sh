# SPDX-License-Identifier: MIT
# A data file that is not there: its name, its sum and what gets it.
mkdir data
"$OTHERWISE" reproduce mnist --data data -o out
"$OTHERWISE" reproduce adult --data data -o out
"$OTHERWISE" reproduce cub --data data -o out
