# SPDX-License-Identifier: MIT
# Answers that change a column which people perhaps cannot change are warned of, unless an option names it; a row that is
# unlike all others is called that, in every form; and identifiers come along.
awk 'BEGIN { print "customer_id,years_employed,amount,y"
    for (i = 0; i < 300; i++) {
        years = i * 37 % 41; amount = i * 53 % 101
        print "C" i "," years "," amount "," (years * 2 > amount ? "yes" : "no")
    } }' >loans.csv
"$OTHERWISE" train loans.csv --label y -o loans.ow --repetitions 2 --inputs 4 --quiet >/dev/null
printf 'customer_id,years_employed,amount\nC7,12,40\nX,-900,5000\n' >rows.csv
"$OTHERWISE" explain loans.ow rows.csv --row 1 --target yes --immutable amount --surer off | grep -c years_employed
"$OTHERWISE" explain loans.ow rows.csv --row 1 --target yes --vary years_employed --surer off | grep -c years_employed
"$OTHERWISE" explain loans.ow rows.csv --row 1 --target yes --immutable years_employed --surer off | grep -c years_employed
"$OTHERWISE" explain loans.ow rows.csv --row customer_id=X --quiet | grep -A1 unlike
"$OTHERWISE" explain loans.ow rows.csv --row id=X --quiet | grep -c unlike
"$OTHERWISE" explain loans.ow rows.csv --quiet --format json | grep -o '"row": [0-9]*, "id": "[^"]*", "carried": {[^}]*}'
"$OTHERWISE" explain loans.ow rows.csv --quiet --format json | grep -o '"unlike_seen": [a-z]*'
"$OTHERWISE" explain loans.ow rows.csv --quiet --format html | grep -c "unlike those"
"$OTHERWISE" explain loans.ow rows.csv --row 1 --target yes --quiet --format csv | cut -d, -f1-3
