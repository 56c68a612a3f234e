#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Feature maps to try things with: 60 of 2 x 2 places and 3 channels in two classes, which differ in one place.

    make_maps.py MAPS.npy LABELS.txt
"""
import random
import struct
import sys

random.seed(1)
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (60, 2, 2, 3), }"
header += " " * (117 - len(header)) + "\n"
with open(sys.argv[1], "wb") as maps, open(sys.argv[2], "w", encoding="utf-8") as labels:
    maps.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
    for i in range(60):
        values = [random.random() for _ in range(12)]
        values[9] += 6.0 * (i % 2)
        maps.write(struct.pack("<12f", *values))
        labels.write("finch\n" if i % 2 else "wren\n")
