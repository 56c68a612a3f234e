# SPDX-License-Identifier: MIT
cp "$DATA/credit.csv" .
"$OTHERWISE" schema credit.csv --label risk
