# SPDX-License-Identifier: MIT
# Two figures and a page, the same bytes from the same seed.
"$OTHERWISE" reproduce toy -o out --quiet
echo $?
ls out
grep -o '<h2 id="section-[0-9]*">[^<]*' out/index.html
"$OTHERWISE" reproduce toy -o again --quiet
diff -r out again && echo same
