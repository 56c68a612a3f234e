# SPDX-License-Identifier: MIT
# Ctrl-C ends what would go on for days; whole rows have been printed until then.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
python3 -B "$SUPPORT/interrupt.py" file:rows.csv:1 "$OTHERWISE" sample a.ow -n 100000000000 >rows.csv
code=$?
tail -n 1 rows.csv | grep -c "^[^,]*,[^,]*,[^,]*,[^,]*,[01]$"
exit $code
