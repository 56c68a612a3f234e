# SPDX-License-Identifier: MIT
# Ctrl-C keeps what is complete and says so: a whole document with the rows before it.
. "$SUPPORT/loans.sh"
head -1 loans.csv >many.csv
for i in 1 2 3 4 5 6 7 8 9 10; do sed 1d loans.csv; done >part
for i in 1 2 3 4 5 6 7 8 9 10; do cat part; done >more
for i in 1 2 3 4 5 6 7 8 9 10; do cat more; done >>many.csv
python3 -B "$SUPPORT/interrupt.py" "file:.otherwise-*.tmp:100000" "$OTHERWISE" explain loans.ow many.csv --quiet --target granted \
    --format json --method two-step -o answers.json 2>messages
code=$?
sed 's/[0-9][0-9]* rows/N rows/' messages >&2
python3 - <<END
import json
document = json.load(open("answers.json"))
rows = [r["row"] for r in document["results"]]
print(document["meta"]["incomplete"], rows == list(range(1, len(rows) + 1)), len(rows) >= 16)
END
exit $code
