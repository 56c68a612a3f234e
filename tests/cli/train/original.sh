# SPDX-License-Identifier: MIT
# How many rows a model decides otherwise than the original that it was exported from.
cat > short.sh <<'END'
while IFS=, read -r status duration rest; do
    case $duration in duration | '') ;; ? | 1[01]) echo 0.9 ;; *) echo 0.2 ;; esac
done
END
awk -F, -v OFS=, 'NR == 1 { print $0, "original"; next }
    { print $0, NR == 8 || NR == 42 ? ($2 < 12 ? "bad" : "good") : $2 < 12 ? "good" : "bad" }' "$DATA/credit.csv" > rows.csv
train() { "$OTHERWISE" train rows.csv --label risk --repetitions 2 --inputs 2 --epochs 2 --unlock all -o own.ow "$@" 2>&1 >/dev/null | grep -v wrote; }
train --model-command 'sh short.sh' --original original
awk -F, -v OFS=, 'NR > 1 { $NF = $2 < 12 ? "good" : "bad" } { print }' rows.csv > again.csv && mv again.csv rows.csv
train --model-command 'sh short.sh' --original original
train --model-command 'sh short.sh' --original purpose
train --model-command 'sh short.sh' --original orginal
train --original original
