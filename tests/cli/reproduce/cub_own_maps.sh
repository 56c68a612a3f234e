# SPDX-License-Identifier: MIT
# Maps of one's own: 60 of 2 x 2 places and 3 channels in two classes, which differ in one place.
python3 - <<'END'
import random
import struct

random.seed(1)
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (60, 2, 2, 3), }"
header += " " * (117 - len(header)) + "\n"
with open("maps.npy", "wb") as maps, open("labels.txt", "w") as labels:
    maps.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for i in range(60):
        values = [random.random() for _ in range(12)]
        values[9] += 6.0 * (i % 2)
        maps.write(struct.pack("<12f", *values))
        labels.write("finch\n" if i % 2 else "wren\n")
END
"$OTHERWISE" reproduce cub --quick --features maps.npy --labels labels.txt -o out --quiet
ls out
grep -o 'The feature maps are those given with --features' out/index.html | uniq -c
cut -d, -f1 out/results.csv
for i in 1 2 3; do echo "photo-$i.jpg"; done >images.txt
"$OTHERWISE" reproduce cub --quick --features maps.npy --labels labels.txt --images images.txt -o out
