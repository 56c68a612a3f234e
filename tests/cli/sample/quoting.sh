# SPDX-License-Identifier: MIT
# Names and levels that need quotes come back as they were.
printf "\"a,b\",\"say \"\"hi\"\"\",y\n1,\" x\",p\n2,\"q,r\",s\n3,\" x\",p\n4,\"q,r\",s\n" >rows.csv
"$OTHERWISE" train rows.csv --label y --test-share 0 -o m.ow --quiet >/dev/null
"$OTHERWISE" sample m.ow -n 40 >drawn.csv
head -1 drawn.csv
cut -d, -f2- drawn.csv | grep -o "\".*" | sort -u
"$OTHERWISE" predict m.ow drawn.csv --strict | wc -l 2>&1
