# SPDX-License-Identifier: MIT
# A letter for every refused applicant among the first 300 of the German credit data, in two languages: the decision, up to four
# reasons, and advice that names no locked column; reasons may, and the sender is warned of exactly those that do.
"$OTHERWISE" train "$DATA/credit.csv" --schema "$DATA/credit.schema.json" --structure random -o credit.ow --quiet >/dev/null
for language in en de; do
    "$OTHERWISE" letters credit.ow "$DATA/credit.csv" --row 1-300 --target good --language $language --format text -o $language 2>$language.log >/dev/null
done
python3 - "$DATA/credit.schema.json" <<'END'
import json, pathlib, re, subprocess, sys, os
schema = json.load(open(sys.argv[1]))
locked = {c["name"] for c in schema["columns"] if c.get("immutable")}
said = subprocess.run([os.environ["OTHERWISE"], "predict", "credit.ow", os.environ["DATA"] + "/credit.csv", "--json"], capture_output=True, text=True).stdout
refused = [n for n, line in enumerate(said.splitlines()[:300], 1) if json.loads(line)["class"] != "good"]
for language, word in (("en", " instead of "), ("de", " statt ")):
    letters = sorted(pathlib.Path(language).iterdir())
    assert [int(re.search(r"\d+", p.name)[0]) for p in letters] == refused, letters
    named = {}
    for path in letters:
        lines = [line[2:] for line in path.read_text().splitlines() if line.startswith("- ")]
        advice = [line for line in lines if word in line]
        reasons = [line for line in lines if word not in line]
        assert 1 <= len(reasons) <= 4 and advice, (path, lines)
        for line in advice:
            assert line.split(":")[0] not in locked, (path, line)
        for line in reasons:
            if (name := line.split(":")[0]) in locked:
                named[name] = named.get(name, 0) + 1
    log = pathlib.Path(language + ".log").read_text()
    warned = {name: int(n) for n, name in re.findall(r"(\d+) letters? gives? the locked column (\w+)", log)}
    assert warned == named and named, (warned, named)
print("every refused row has its letter, and no advice names a locked column")
END
