# SPDX-License-Identifier: MIT
# Not there, not JSON, JSON of another kind, a weight that is none.
ow() { "$OTHERWISE" import "$1" -o m.ow; echo "exit code $?"; }
circuit="$DATA/../tests/golden/circuits/a_d4_D1.json"
ow nothing.json
echo "{\"format\": " >half.json; ow half.json
echo "{\"format\": \"other\"}" >other.json; ow other.json
sed "s/\"C\": *2/\"C\": 3/" "$circuit" >classes.json; ow classes.json
sed "s/\"var\": *\[ *\[ *1.0/\"var\": [[-1.0/" "$circuit" >variance.json; ow variance.json
sed "s/\"class_prior\": *\[0.5/\"class_prior\": [0.7/" "$circuit" >prior.json; ow prior.json
sed "s/\"scope\":\[0,1\]/\"scope\":[0,2]/" "$circuit" >scope.json; ow scope.json
ls
