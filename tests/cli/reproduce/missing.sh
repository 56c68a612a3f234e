# SPDX-License-Identifier: MIT
# A data file that is not there: its name, its sum and the command that gets it.
mkdir data
"$OTHERWISE" reproduce mnist --data data -o out
