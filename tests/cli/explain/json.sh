# SPDX-License-Identifier: MIT
# The document keeps doc/explanation.schema.json, says what was asked, and names the model by the sum of its file.
python3 -c 'import jsonschema' 2>/dev/null || { echo "python3-jsonschema is not installed" >&2; exit 77; }
. "$SUPPORT/loans.sh"
ow() { "$OTHERWISE" explain loans.ow loans.csv --quiet --format json "$@"; echo "exit code $?" >&2; }
check() { python3 - "$@" <<END
import hashlib, json, sys
import jsonschema
from collections import Counter
document = json.load(open(sys.argv[1]))
schema = json.load(open("$DATA/../doc/explanation.schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
jsonschema.validate(document, schema)
assert document["meta"]["model_sha256"] == hashlib.sha256(open("loans.ow", "rb").read()).hexdigest()
status = Counter((r["status"], r["reason"], r["blocking"]) for r in document["results"])
for key in sorted(status, key=str): print(*key, status[key])
assert document["summary"]["rows"] == len(document["results"])
for r in document["results"]:
    for c in r["counterfactuals"]:
        changed = {n: v for n, v in c["values"].items() if v != r["query"]["values"][n]}
        assert changed == {x["column"]: x["to"] for x in c["changes"]}
        assert c["distance"]["l0"] == len(changed)
        assert c["class"] == max(c["proba"], key=c["proba"].get)
        assert abs(sum(c["proba"].values()) - 1) < 1e-9
        assert not c["valid"] or c["class"] == r["target"] and r["status"] == "found"
for r in document["results"]:
    proba = document["meta"]["surer_proba"]
    found = r["status"] == "found"
    first = r["counterfactuals"][0]["proba"][r["target"]] if found else None
    assert (r["surer"] is not None) == (found and first < proba - 0.005)
    if r["surer"] and r["surer"]["status"] == "found":
        assert r["surer"]["counterfactual"]["proba"][r["target"]] >= proba
print(sum(r["surer"] is not None for r in document["results"]), "second answers")
meta = document["meta"]
del meta["model_sha256"], meta["time_ms"], meta["version"], meta["threads"]
print(json.dumps(meta))
END
}
ow --target granted --method nearest --background loans.csv -k 2 >a.json; check a.json
ow --target granted --method nearest --background loans.csv --surer 0.9 >a.json; check a.json
ow --target granted --method nearest --background loans.csv --surer off >a.json; check a.json
ow --target other --method two-step --set class-step=3 --immutable age --range income=:30 --allow "job=craft|clerk"     --monotone debt=down --max-changes 3 --min-density q10 --prob 0.6:0.9 --seed 7 --id name --row 3,8,10 >a.json; check a.json
printf "age,job,income,debt,owns_home\n,,,,\n30,?,20,30,no\n" >gaps.csv
"$OTHERWISE" explain loans.ow gaps.csv --method two-step --format json >a.json; check a.json
printf "age,job,income,debt,owns_home\n" >none.csv
"$OTHERWISE" explain loans.ow none.csv --method two-step --format json >a.json; check a.json
