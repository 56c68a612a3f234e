# SPDX-License-Identifier: MIT
# Only the rows of some classes, from a table and from arrays with labels in a file of their own.
ln -s "$DATA/credit.csv" .
small="--leaf gaussian --repetitions 1 --inputs 2 --epochs 1 --quiet"
"$OTHERWISE" train credit.csv --label purpose --classes "new car,used car" $small -o m.ow | head -2
"$OTHERWISE" train credit.csv --label purpose --classes "new car,usedcar" $small -o n.ow; echo "exit code $?"
"$OTHERWISE" train credit.csv --label purpose --classes "new car" $small -o n.ow; echo "exit code $?"
printf "\\0\\0\\10\\3\\0\\0\\0\\6\\0\\0\\0\\2\\0\\0\\0\\2" >images
printf "\\1\\2\\3\\4\\10\\20\\30\\40\\1\\3\\3\\5\\11\\20\\31\\40\\2\\2\\3\\4\\10\\21\\30\\41" >>images
printf "\\0\\0\\10\\1\\0\\0\\0\\6\\1\\3\\1\\3\\5\\5" >labels
"$OTHERWISE" train images --labels labels --classes 3,1 --test-share 0 $small -o m.ow | head -3
"$OTHERWISE" train images --labels labels --classes 3,4 $small -o n.ow; echo "exit code $?"
"$OTHERWISE" schema credit.csv --label purpose --classes "new car,used car" -o s.json --quiet | head -2
"$OTHERWISE" train credit.csv --schema s.json --classes "new car" $small -o n.ow; echo "exit code $?"
ls *.ow
