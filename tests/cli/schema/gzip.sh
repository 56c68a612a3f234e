# SPDX-License-Identifier: MIT
gzip -c "$DATA/credit.csv" >credit.csv.gz
"$OTHERWISE" schema credit.csv.gz --label risk | head -n 5
head -c 5000 credit.csv.gz >cut.csv.gz
"$OTHERWISE" schema cut.csv.gz --label risk
