# SPDX-License-Identifier: MIT
# An IDX file with labels: pixels are Gaussian.
printf "\\0\\0\\10\\3\\0\\0\\0\\6\\0\\0\\0\\2\\0\\0\\0\\2" >images
printf "\\1\\2\\3\\4\\10\\20\\30\\40\\1\\3\\3\\5\\11\\20\\31\\40\\2\\2\\3\\4\\10\\21\\30\\41" >>images
printf "low\nhigh\nlow\nhigh\nlow\nhigh\n" >labels
"$OTHERWISE" train images --labels labels --test-share 0 --epochs 1 -o m.ow --quiet -v
"$OTHERWISE" train images -o m.ow; echo "exit code $?"
