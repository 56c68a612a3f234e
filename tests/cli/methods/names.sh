# SPDX-License-Identifier: MIT
# People and programs are told of the same methods.
"$OTHERWISE" methods | grep -o '^[a-z-]*:' | tr -d : >people
"$OTHERWISE" methods --json | python3 -c 'import json, sys; print(*(m["name"] for m in json.load(sys.stdin)), sep="\n")' >programs
cmp people programs && grep -x two-step people
