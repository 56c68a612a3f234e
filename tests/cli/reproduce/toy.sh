# SPDX-License-Identifier: MIT
# Two figures and a page, the same bytes from the same seed with one thread or two, but for the command and the hour told.
"$OTHERWISE" reproduce toy -o out --quiet --threads 1
echo $?
ls out
grep -o '<h2 id="section-[0-9]*">[^<]*' out/index.html
"$OTHERWISE" reproduce toy -o again --quiet --threads 2
diff -r -I '>Command<' -I '>Made<' out again && echo same
"$OTHERWISE" reproduce toy -o other --quiet --seed 1
cmp -s out/moons.svg other/moons.svg || echo "another seed, another figure"
