# SPDX-License-Identifier: MIT
# Every method with every parameter: its default and presets are values that it takes.
"$OTHERWISE" methods --json >methods.json
. "$SUPPORT/loans.sh"
python3 - <<END
import json, os, subprocess
ow = os.environ["OTHERWISE"]
explain = [ow, "explain", "loans.ow", "loans.csv", "--quiet", "--row", "1", "--target", "granted", "--time-limit", "5",
           "--background", "loans.csv", "--format", "csv"]
for method in json.load(open("methods.json")):
    assert method["summary"] and not method["summary"].endswith(".")
    # Few steps, where a method takes steps: they are for speed, and whether the row flips is not asked here.
    names = {param["name"] for param in method["params"]}
    quick = [word for name, value in [("steps", 5), ("rounds", 1), ("autoencoder-passes", 50)] if name in names
             for word in ("--set", f"{name}={value}")]
    choose = explain + ["--method", method["name"]] + quick
    for preset in [[], ["--preset", "paper"], ["--preset", "reference"]]:
        assert subprocess.run(choose + preset, stdout=subprocess.DEVNULL).returncode in (0, 1)
    for param in method["params"]:
        for value in {param["default"], param["paper"], param["reference"]}:
            setting = f"{param['name']}={value}"
            assert subprocess.run(choose + ["--set", setting], stdout=subprocess.DEVNULL).returncode in (0, 1)
        wrong = subprocess.run(choose + ["--set", param["name"] + "=never"], capture_output=True, text=True)
        assert wrong.returncode == 2 and "never" in wrong.stderr, wrong
print("all of them can be used")
END
