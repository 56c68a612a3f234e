# SPDX-License-Identifier: MIT
# An NPY file of three maps with two channels, and its labels as text.
python3 - <<'END'
import struct
head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2, 2, 2), }"
head += b" " * (-(len(head) + 11) % 64) + b"\n"
cells = struct.pack("<24f", *[i / 8 for i in range(24)])
open("maps.npy", "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + cells)
END
printf 'auklet\ncormorant\nauklet\n' >labels.txt
"$OTHERWISE" schema maps.npy --labels labels.txt
