# SPDX-License-Identifier: MIT
# What a mistake of the program itself looks like from outside: a sentence, exit code 70, the older file as it was.
mkfifo pipe
echo older > out.json
(printf 'age,risk\n20,good\n'; exec sleep 3600) >pipe &
python3 -B "$SUPPORT/interrupt.py" --signals ABRT asleep "$OTHERWISE" schema pipe --label risk -o out.json
code=$?
cat out.json
exit $code
