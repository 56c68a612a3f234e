# SPDX-License-Identifier: MIT
# A page that needs nothing else: cards, a map, the method's parameters, the model's card.
. "$SUPPORT/loans.sh"
"$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,9,10,11 --id name --target granted --method nearest \
    --background loans.csv --format html -o page.html
echo $?
grep -o '<h2 id="section-[0-9]*">[^<]*' page.html
grep -o '<article class="card [a-z]*"><h3>[^<]*' page.html
grep -o '<figure><svg[^>]*>' page.html | head -1
grep -o 'https*://[^"]*' page.html | sort -u
tail -n 1 page.html
