# SPDX-License-Identifier: MIT
# A category spread over columns of 0 and 1 stays one: in every answer of every method one of them is 1.
awk 'BEGIN {
    print "area1,area2,area3,soil_clay,soil_sand,height,grows"
    for (i = 0; i < 240; i++) {
        a = i % 3; s = int(i / 3) % 3
        print (a == 0) "," (a == 1) "," (a == 2) "," (s == 1) "," (s == 2) "," 100 + i % 11 "," (a == s && i % 11 < 9 ? "well" : "badly")
    }
}' >t.csv
"$OTHERWISE" train t.csv --label grows -o t.ow --quiet >/dev/null || exit
for method in guided two-step wachter cem face nearest; do
    "$OTHERWISE" explain t.ow t.csv --row 1-60 --target well --method $method --background t.csv --format csv --quiet >answers.csv
    awk -F, -v method=$method 'NR > 1 && $3 != "" { n++; whole += $3 + $4 + $5 == 1 && $6 + $7 <= 1 }
        END { print method ": " (n > 0 ? "answers" : "no answer") ", " (n == whole ? "all whole" : n - whole " not whole") }' answers.csv
done
