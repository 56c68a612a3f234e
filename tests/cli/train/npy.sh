# SPDX-License-Identifier: MIT
# An NPY array of numbers with labels as text, some classes of it.
printf "\\223NUMPY\\1\\0\\166\\0%-117s\\n" "{'descr': '|u1', 'fortran_order': False, 'shape': (6, 2), }" >rows.npy
printf "\\1\\2\\10\\11\\2\\1\\11\\10\\1\\1\\5\\5" >>rows.npy
printf "low\nhigh\nlow\nhigh\nlow\nmiddle\n" >labels
"$OTHERWISE" train rows.npy --labels labels --classes low,high --test-share 0 -o m.ow --quiet | head -2
"$OTHERWISE" predict m.ow rows.npy | wc -l
printf "low\nhigh\n" >few
"$OTHERWISE" train rows.npy --labels few -o m.ow; echo "exit code $?"
