# SPDX-License-Identifier: MIT
"$OTHERWISE" schema credit.csv --lable risk; echo $?
"$OTHERWISE" schema credit.csv --label; echo $?
"$OTHERWISE" schema credit.csv --label risk --scaling std; echo $?
"$OTHERWISE" schema credit.csv --label risk --levels aphabetic; echo $?
"$OTHERWISE" schema credit.csv --label risk --skip -1; echo $?
"$OTHERWISE" schema credit.csv --label risk --delimiter x; echo $?
"$OTHERWISE" schema credit.csv more.csv --label risk; echo $?
