# SPDX-License-Identifier: MIT
ln -s "$DATA/credit.csv" .
"$OTHERWISE" train credit.csv --label risk --unlock all --depth 2 --repetitions 8 --inputs 8 --leaf gaussian --prior empirical --epochs 1 -o m.ow --quiet >/dev/null
"$OTHERWISE" inspect m.ow --svg m.svg | head -1
python3 - <<END
import xml.etree.ElementTree as tree
root = tree.parse("m.svg").getroot()
texts = [element.text for element in root.iter() if element.text and element.text.strip()]
print(root.tag, len(texts) > 30)
for text in ("Model of risk", "bad", "good", "P = 0.700", "8 inputs", "repetition 1", "and 6 more", "S(x)"):
    print(text in texts)
END
"$OTHERWISE" inspect m.ow --svg - | cmp - m.svg && echo same
"$OTHERWISE" inspect - <m.ow | head -1
