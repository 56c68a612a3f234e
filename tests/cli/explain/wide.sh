# SPDX-License-Identifier: MIT
# 56 columns, of which 12 are sums of two others: each value of a column that others follow takes a table of its own, so
# that pairs are made of 16 values of such a column, not of all.  Passes are counted, because a clock depends on the machine.
awk 'function draw(n) { seed = (seed * 16807) % 2147483647; return int(seed / 2147483647 * n) }
BEGIN { seed = 7
    for (i = 0; i < 12; i++) printf "a%d,b%d,sum%d,", i, i, i
    for (i = 0; i < 20; i++) printf "x%d,", i
    print "class"
    for (r = 0; r < 400; r++) {
        t = 0
        for (i = 0; i < 12; i++) { a = draw(200); b = draw(300); if (i < 3) t += a + b; printf "%d,%d,%d,", a, b, a + b }
        for (i = 0; i < 20; i++) printf "%d,", draw(50)
        print (t + draw(60) > 780 ? "yes" : "no")
    } }' >wide.csv
"$OTHERWISE" train wide.csv --label class -o wide.ow --structure random --repetitions 2 --inputs 4 --quiet >/dev/null 2>&1
"$OTHERWISE" explain wide.ow wide.csv --row 1-12 --target yes --surer off --format json --quiet >wide.json
grep -o '"forward": *[0-9]*' wide.json | awk '{ n++; if ($2 > most) most = $2 }
    END { print (n > 4 ? "several answers" : n + 0 " answers"); print (most > 40000 ? most " passes for one" : "at most 40,000 passes for one") }'
