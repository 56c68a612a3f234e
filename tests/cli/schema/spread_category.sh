# SPDX-License-Identifier: MIT
# A category spread over columns of 0 and 1 is found, also where its first level was left out; a free 0/1 column stays free.
awk 'BEGIN {
    print "area1,area2,area3,soil_clay,soil_sand,soil_wet,height,grows"
    for (i = 0; i < 240; i++) {
        a = i % 3; s = int(i / 3) % 3
        print (a == 0) "," (a == 1) "," (a == 2) "," (s == 1) "," (s == 2) "," (i % 7 < 3) "," 100 + i % 11 "," (a == s ? "well" : "badly")
    }
}' >t.csv
"$OTHERWISE" schema t.csv --label grows -o t.json
grep '"linked' t.json
