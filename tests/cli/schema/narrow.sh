# SPDX-License-Identifier: MIT
cp "$DATA/credit.csv" .
COLUMNS=60 "$OTHERWISE" schema credit.csv --label risk --drop age,job,housing
COLUMNS=36 "$OTHERWISE" schema credit.csv --label risk | head -n 14
