# SPDX-License-Identifier: MIT
# From standard input to standard output: the same bytes as from file to file.
circuit="$DATA/../tests/golden/circuits/b_d8_D2.json"
"$OTHERWISE" import "$circuit" -o b.ow
"$OTHERWISE" import - -o - <"$circuit" >piped.ow
cmp b.ow piped.ow && echo same
