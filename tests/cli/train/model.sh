# SPDX-License-Identifier: MIT
# A model of another package decides: remembered, refused when it changes, or kept; without a label, and
# with a limit.
ln -s "$DATA/credit.csv" .
cat > tree.txt <<'END'
tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=1
objective=binary sigmoid:1
feature_names=duration amount
feature_infos=[4:72] [250:18424]
tree_sizes=300

Tree=0
num_leaves=3
num_cat=0
split_feature=0 1
threshold=24.5 3999.5
decision_type=2 2
left_child=-1 -2
right_child=1 -3
leaf_value=1.5 0.5 -2
is_linear=0
shrinkage=1


end of trees

parameters:
end of parameters

pandas_categorical:null
END
quiet="--repetitions 2 --inputs 2 --epochs 2 --towards-rows 10"
"$OTHERWISE" train credit.csv --label risk --model tree.txt $quiet -o own.ow 2>/dev/null
"$OTHERWISE" explain own.ow credit.csv --row 4,10 --target good 2>/dev/null
"$OTHERWISE" train credit.csv --label risk --model tree.txt --cutoff good=0.8 $quiet -o cutoff.ow >/dev/null 2>&1
"$OTHERWISE" inspect cutoff.ow | grep -A 1 Cut-off
"$OTHERWISE" explain cutoff.ow credit.csv --row 10 --target good 2>/dev/null
"$OTHERWISE" train credit.csv --drop risk --model tree.txt --embed $quiet -o kept.ow 2>/dev/null | grep -E 'Classes|Decisions|^of|^kept|^in'
sed -i 's/objective=.*/objective=regression/' tree.txt
"$OTHERWISE" predict own.ow credit.csv
"$OTHERWISE" predict kept.ow credit.csv 2>/dev/null | head -3
"$OTHERWISE" train credit.csv --drop risk --model tree.txt -o limit.ow
"$OTHERWISE" train credit.csv --label risk --model tree.txt --target 'points>=1' -o limit.ow 2>&1 | tail -1
"$OTHERWISE" train credit.csv --drop risk --model tree.txt --target 'points>=1' $quiet -o limit.ow 2>/dev/null | grep Classes
"$OTHERWISE" explain limit.ow credit.csv --row 10 --target 'points>=1' 2>/dev/null
rm tree.txt
"$OTHERWISE" inspect own.ow
"$OTHERWISE" train credit.csv --label risk --embed -o limit.ow
