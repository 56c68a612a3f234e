# SPDX-License-Identifier: MIT
# Numbers with sixteen decimals: the steps between two of them are more than a double can count.  Values between the classes are
# none that rows have, so that looking for the tipping point meets many that fail.
awk 'BEGIN { print "x,z,y"
    for (i = 0; i < 300; i++) {
        x = (i * 37 % 300 + 1) / 307 + (i % 2) * 8; z = (i * 53 % 300 + 1) / 83
        printf "%.15g,%.15g,%s\n", x, z, (i % 2 ? "yes" : "no")
    } }' >numbers.csv
"$OTHERWISE" train numbers.csv --label y -o numbers.ow --repetitions 2 --inputs 4 --quiet >/dev/null 2>&1
"$OTHERWISE" explain numbers.ow numbers.csv --target yes --surer off --quiet | tail -1 | grep -o '[0-9]* without'
# Of such columns answers have few digits: 0.9, not 0.90000000000000002.
awk 'BEGIN { print "w,z,y"
    for (i = 0; i < 300; i++)
        printf "%.15g,%.15g,%s\n", (i * 37 % 300 + 1) / 307 + (i % 2) * 0.4, (i * 53 % 300 + 1) / 83 + (i % 2), (i % 2 ? "yes" : "no") }' >quotients.csv
"$OTHERWISE" train quotients.csv --label y -o quotients.ow --repetitions 2 --inputs 4 --quiet >/dev/null 2>&1
"$OTHERWISE" explain quotients.ow quotients.csv --target yes --surer off --quiet | grep -- '->' >changes
echo "changed numbers: $(grep -q -- '->' changes && echo some), with nine digits or more: $(grep -c -- '-> .*\.[0-9]\{9\}' changes)"
