# SPDX-License-Identifier: MIT
# The same document on standard output by --json, by -o - and in the file; it reads as JSON.
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all --json >printed.json || exit 1
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all -o - >dash.json || exit 1
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all --quiet -o file.json >/dev/null || exit 1
cmp printed.json dash.json && cmp printed.json file.json && echo same
python3 -m json.tool printed.json >/dev/null && echo JSON
