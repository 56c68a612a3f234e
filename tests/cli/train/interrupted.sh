# SPDX-License-Identifier: MIT
# Ctrl-C while it learns: the best model so far is written, and is a whole one.  Where every access
# is checked learning begins late, and Ctrl-C before it leaves no model: then it gets more time.
ln -s "$DATA/credit.csv" .
for seconds in 1 5 30; do
    python3 -B "$SUPPORT/interrupt.py" cpu:$seconds "$OTHERWISE" train credit.csv --label risk \
        --unlock all --leaf gaussian --batch 64 --epochs 1000000 -o m.ow >report 2>messages
    code=$?
    [ -e m.ow ] && break
done
cat messages >&2
head -2 report
"$OTHERWISE" inspect m.ow | grep -o "interrupted before the end"
"$OTHERWISE" predict m.ow credit.csv | wc -l
ls *.ow
exit $code
