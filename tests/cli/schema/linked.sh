# SPDX-License-Identifier: MIT
# Two columns that determine each other are noted in both.
{
    echo education,years,age,income
    i=0
    while [ $i -lt 40 ]; do
        i=$((i + 1))
        case $((i % 3)) in
        0) echo "Bachelors,13,$((20 + i * 7 % 31)),high" ;;
        1) echo "HS-grad,9,$((20 + i * 5 % 37)),low" ;;
        2) echo "Masters,14,$((20 + i * 3 % 29)),high" ;;
        esac
    done
} >t.csv
"$OTHERWISE" schema t.csv --label income
