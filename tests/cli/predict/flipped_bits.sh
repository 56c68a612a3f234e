# SPDX-License-Identifier: MIT
# A model file with one bit flipped, at many places: an answer or a sentence with exit code 3, never anything else.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
printf "x0,x1,x2,x3\n1,2,3,4\n" >rows.csv
OTHERWISE="$OTHERWISE" python3 - <<'PYTHON'
import os, subprocess
model = open("a.ow", "rb").read()
seen = set()
for turn in range(40):
    at = turn * 73 if turn < 37 else len(model) - turn
    damaged = bytearray(model)
    damaged[at] ^= 1 << turn % 8
    open("b.ow", "wb").write(damaged)
    run = subprocess.run([os.environ["OTHERWISE"], "predict", "b.ow", "rows.csv"], capture_output=True, text=True)
    if run.returncode == 3:
        assert run.stdout == "" and run.stderr.startswith("otherwise: b.ow") and run.stderr.count("\n") == 1, run.stderr
    else:
        assert run.returncode == 0 and run.stdout.count("\n") == 2, (at, run.returncode, run.stderr)
    seen.add(run.returncode)
print(sorted(seen))
PYTHON
