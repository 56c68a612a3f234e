# SPDX-License-Identifier: MIT
# It tells nothing, and does no harm: warned of, learned, and other values of it are merely unheard of.
(echo x,same,word,y; for i in 1 2 3 4 5 6 7 8 9; do echo $i,5,left,a; echo 1$i,5,left,b; done) >rows.csv
"$OTHERWISE" train rows.csv --label y --test-share 0 -o m.ow 2>&1 >/dev/null | grep -v wrote
printf "x,same,word\n3,5,left\n3,7,left\n13,,\n" >odd.csv
"$OTHERWISE" predict m.ow odd.csv | cut -c 1-14
