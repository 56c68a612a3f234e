# SPDX-License-Identifier: MIT
cp "$DATA/credit.csv" .
"$OTHERWISE" schema credit.csv --label rsik; echo $?
"$OTHERWISE" schema credit.csv --label risk --drop duraton,age; echo $?
"$OTHERWISE" schema credit.csv --label risk --immutable agee; echo $?
"$OTHERWISE" schema credit.csv --label risk --categorical persnal_status; echo $?
"$OTHERWISE" schema credit.csv --label risk --ordinal 'jobb=a|b'; echo $?
"$OTHERWISE" schema credit.csv --label zebra; echo $?
