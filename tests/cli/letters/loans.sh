# SPDX-License-Identifier: MIT
# A letter for each refused row, in two languages and forms; texts of the table cannot become markup; a template of one's own.
. "$SUPPORT/loans.sh"
exec 2>&1
"$OTHERWISE" letters loans.ow loans.csv --id name --target granted --row 1-12 -o letters --date 2026-01-31 --format text
for letter in letters/*; do echo "== $letter"; cat "$letter"; done
echo "== German, one's own texts, markup in a name"
sed 's/person 8,/"<b>R \& D<\/b>",/' loans.csv >marked.csv
echo '{"income": "Ihr Einkommen", "debt": "Ihre <Schulden>"}' >texts.json
"$OTHERWISE" letters loans.ow marked.csv --id name --target granted --row 1-12 -o html --date 31.01.2026 --language de --reasons texts.json
sed -n '/<main>/,/<\/main>/p' html/*
echo "== a template"
printf '{{name}} {{decision}} {{advice}}\n' >template.txt
"$OTHERWISE" letters loans.ow loans.csv --id name --target granted --row 1-12 -o own --format text --template template.txt
cat own/*
printf '{{nothing}}' >template.txt
"$OTHERWISE" letters loans.ow loans.csv --target granted -o own --template template.txt; echo "exit code $?"
"$OTHERWISE" letters loans.ow loans.csv --target granted; echo "exit code $?"
"$OTHERWISE" letters loans.ow loans.csv -o own; echo "exit code $?"
