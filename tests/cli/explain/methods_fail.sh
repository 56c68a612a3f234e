# SPDX-License-Identifier: MIT
# What a method can lack or run into: known rows, an autoencoder that learns, a way through the graph.
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --repetitions 1 --inputs 2 --epochs 1 --test-share 0 -o m.ow --quiet >/dev/null
ow() { "$OTHERWISE" "$@" 2>&1; echo "exit code $?"; }
ow explain m.ow credit.csv --row 1 --method face
printf "a,b\n1,2\n" >other.csv; ow explain m.ow credit.csv --row 1 --method face --background other.csv
ow explain m.ow credit.csv --row 1 --method cem --set autoencoder-rate=1e9 --set autoencoder-passes=2
ow evaluate m.ow credit.csv --limit 2 --methods two-step,cem --set autoencoder-rate=1e9 --set autoencoder-passes=2
# Two far heaps of rows, each joined within itself only: from the one no way leads to the other.
awk -v OFS=, 'BEGIN {print "a,b,class"; for (i = 0; i < 40; i++) {far = i % 2 * 100; print far + i % 7, far + i % 5, i % 2 ? "far" : "near"}}' >heaps.csv
"$OTHERWISE" train heaps.csv --label class --test-share 0 -o heaps.ow --quiet >/dev/null
ow explain heaps.ow heaps.csv --row 1 --method face --background heaps.csv --set neighbours=3
ow explain heaps.ow heaps.csv --row 1 --method face --background heaps.csv --set neighbours=39 --format csv
# All rows are joined, but a way must keep to rows with the same a, and no far row has it.
ow explain heaps.ow heaps.csv --row 1 --method face --background heaps.csv --set neighbours=39 --immutable a
