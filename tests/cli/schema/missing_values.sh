# SPDX-License-Identifier: MIT
{
    echo a,b,c,risk
    i=0
    while [ $i -lt 50 ]; do
        i=$((i + 1))
        echo "$((51 - i)),$((i % 3)).5,x$((i % 4)),good"
        echo "?,NA,null,bad"
    done
    echo 7,,NaN,
} >t.csv
"$OTHERWISE" schema t.csv --label risk
