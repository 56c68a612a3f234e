# SPDX-License-Identifier: MIT
# An identifier, a number spoilt by a text, a code far outside, a column that never varies.
{
    echo id,age,score,same,risk
    i=0
    while [ $i -lt 60 ]; do
        i=$((i + 1))
        age=$((20 + i * 7 % 40))
        [ $((i % 12)) = 0 ] && age=-9
        score=$i.5
        [ $i = 30 ] && score=unclear
        echo "r$i,$age,$score,1,$([ $((i % 2)) = 0 ] && echo good || echo bad)"
    done
} >t.csv
"$OTHERWISE" schema t.csv --label risk
