# SPDX-License-Identifier: MIT
# A model of images does not take images of another size, nor tables.
image() { printf "\\0\\0\\10\\3\\0\\0\\0\\4\\0\\0\\0\\2\\0\\0\\0\\$1"; printf "abcdefghijklmnopqrstuvwxyz" | head -c $((8 * $1)); }
image 2 >small; image 3 >large
printf "p\nq\np\nq\n" >labels
"$OTHERWISE" train small --labels labels --test-share 0 --epochs 1 -o m.ow --quiet >/dev/null
"$OTHERWISE" predict m.ow small | wc -l
"$OTHERWISE" predict m.ow large; echo "exit code $?"
printf "a,b\n1,2\n" >table.csv
"$OTHERWISE" predict m.ow table.csv; echo "exit code $?"
