# SPDX-License-Identifier: MIT
# What a mistake of the program itself looks like from outside: a sentence, exit code 70, the older file as it was.
mkfifo pipe
echo older > out.json
"$OTHERWISE" schema pipe --label risk -o out.json &
exec 3>pipe # waits until the program has opened it
printf 'age,risk\n20,good\n' >&3
sleep 0.2
kill -ABRT $!
exec 3>&-
wait $!
code=$?
cat out.json
exit $code
