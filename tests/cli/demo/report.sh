# SPDX-License-Identifier: MIT
# From any folder, without any file: three answers, a comparison and a report.
"$OTHERWISE" demo -o out --quiet >said
echo $?
grep -c '^Row [0-9]*: the model says bad' said
grep -c 'age  \|personal_status  \|foreign_worker  \|purpose  ' said
grep -o '^valid answers' said
tail -n 6 said
grep -o '<h2 id="section-[0-9]*">[^<]*' out/index.html
grep -o 'https*://[^"]*' out/index.html | sort -u
