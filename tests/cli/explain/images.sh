# SPDX-License-Identifier: MIT
# Images: a sentence, and a picture with a line for each answer.
python3 - <<END
import struct
rows = [[(180 if (x < 3) == (i % 2 == 0) else 20) + (x * 31 + y * 17 + i * 7) % 20 for y in range(6) for x in range(6)]
        for i in range(80)]
open("images.idx", "wb").write(struct.pack(">IIII", 0x803, 80, 6, 6) + bytes(sum(rows, [])))
open("labels.idx", "wb").write(struct.pack(">II", 0x801, 80) + bytes(i % 2 for i in range(80)))
END
"$OTHERWISE" train images.idx --labels labels.idx -o m.ow --quiet >/dev/null
"$OTHERWISE" explain m.ow images.idx --row 1,2,3 --target 1 --method two-step --png strips.png >out
echo "exit code $?"
sed 's/[0-9.]* (L2)/NUMBER (L2)/; s/p = [0-9.]*/p = NUMBER/g; s/[0-9]* %/N %/; s/[0-9]* of 36/N of 36/' out
python3 -c 'import struct; d = open("strips.png", "rb").read(); print(d[1:4], struct.unpack(">II", d[16:24]))'
"$OTHERWISE" explain m.ow images.idx --quiet --row 1 --target 1 --method two-step --png nowhere/strips.png; echo "exit code $?"
