# SPDX-License-Identifier: MIT
# A line for each answer, with the file's own columns, which predict reads again; titles that a column has already get an underscore.
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --target granted --method nearest --background loans.csv --format csv "$@"; }
ow --row 8,9,10 --id name -k 2
ow | sed 1d | cut -d, -f8 | sort | uniq -c
ow >answers.csv
"$OTHERWISE" predict loans.ow answers.csv --quiet | awk 'NR > 1 { print $2 }' | sort | uniq -c
sed '1s/age/row/' loans.csv >renamed.csv
"$OTHERWISE" train renamed.csv --label loan --drop name --unlock all -o renamed.ow --quiet >/dev/null
"$OTHERWISE" explain renamed.ow renamed.csv --quiet --row 8 --method nearest --background renamed.csv --format csv | head -1
