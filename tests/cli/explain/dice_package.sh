# SPDX-License-Identifier: MIT
# The package itself reads it back.
python3 -c 'import dice_ml' 2>/dev/null || { echo "the Python package dice-ml is not installed (pip install dice-ml)" >&2; exit 77; }
. "$SUPPORT/loans.sh"
"$OTHERWISE" explain loans.ow loans.csv --quiet --row 8,9,10 --target granted --method nearest --background loans.csv --format dice -k 2 >a.json
python3 - <<END
from dice_ml.counterfactual_explanations import CounterfactualExplanations
loaded = CounterfactualExplanations.from_json(open("a.json").read())
for one in loaded.cf_examples_list:
    print(one.test_instance_df.values.tolist(), one.new_outcome)
    print(one.final_cfs_df.values.tolist())
assert loaded.metadata["version"] == "2.0"
assert CounterfactualExplanations.from_json(loaded.to_json()) == loaded
END
