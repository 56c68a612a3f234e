# SPDX-License-Identifier: MIT
"$OTHERWISE" data list --quiet --json --data sets >list.json || exit 1
python3 - <<'END'
import json
found = json.load(open("list.json"))
print(found["folder"], found["checked"])
for dataset in found["datasets"]:
    assert dataset["licence"] and dataset["publisher"] and not dataset["complete"]
    print(dataset["name"], len(dataset["files"]), {file["state"] for file in dataset["files"]})
END
