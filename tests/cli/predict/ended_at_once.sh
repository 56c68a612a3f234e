# SPDX-License-Identifier: MIT
# However the program ends, its temporary file does not stay: by two Ctrl-C in a row, by a mistake of its own.
# A shell without a terminal has its background jobs ignore SIGINT; env undoes that.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
mkfifo pipe
unfinished() { ls -A | grep -c '^\.otherwise-.*\.tmp$'; }
for signals in "INT INT" ABRT; do
    env --default-signal=INT "$OTHERWISE" predict a.ow pipe -o out.csv --quiet 2>/dev/null &
    reader=$!
    exec 3>pipe # waits until the program has opened it
    { echo x0,x1,x2,x3; yes 1,2,3,4 | head -n 200000; } >&3
    while [ "$(unfinished)" = 0 ]; do sleep 0.05; done
    echo "before: $(unfinished)"
    for signal in $signals; do kill -$signal $reader 2>/dev/null; done
    wait $reader
    echo "$signals: exit code $?, $(unfinished) left"
    exec 3>&-
done
