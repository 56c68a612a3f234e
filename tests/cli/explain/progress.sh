# SPDX-License-Identifier: MIT
# After a second a line tells how much time is left, and it is gone before the next results.
. "$SUPPORT/loans.sh"
head -1 loans.csv >many.csv
for i in 1 2 3 4 5 6 7 8 9 10; do sed 1d loans.csv; done >part
for i in 1 2 3 4 5 6 7 8 9 10; do cat part; done >more
for i in 1 2 3 4 5 6 7 8 9 10; do cat more; done >>many.csv
python3 -B "$SUPPORT/interrupt.py" --terminal 'says:explaining rows: [0-9]+ %, [0-9a-z ]+ left' "$OTHERWISE" explain loans.ow \
    many.csv --method two-step --format csv -o out.csv | tr '\r' '\n' | grep -o 'explaining rows: [0-9]* %, [0-9a-z ]* left' |
    sed 's/[0-9]* %, .* left/N %, TIME left/' | uniq
