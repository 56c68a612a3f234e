# SPDX-License-Identifier: MIT
# A circuit whose first class can have one of its leaves only far away from the evidence.
sed "s/\"class_prior\": *\[[^]]*\]/\"class_prior\": [0, 1]/" "$DATA/../tests/golden/circuits/a_d4_D1.json" >c.json
"$OTHERWISE" import c.json -o c.ow
"$OTHERWISE" sample c.ow -n 50 | cut -d, -f5 | sort | uniq -c | tr -s " "
"$OTHERWISE" sample c.ow --class 0 | wc -l
