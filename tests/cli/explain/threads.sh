# SPDX-License-Identifier: MIT
# The same bytes on any number of threads, for every method that needs nothing special, in every form.
. "$SUPPORT/loans.sh"
for method in two-step nearest; do
    for format in text table json csv dice; do
        for threads in 1 2 5; do
            "$OTHERWISE" explain loans.ow loans.csv --quiet --target granted --method $method --background loans.csv -k 2 \
                --format $format --threads $threads | sed 's/"threads": [0-9]*//; s/"time_ms": [0-9.e+-]*//g' >$threads.out
        done
        cmp 1.out 2.out && cmp 1.out 5.out && [ -s 1.out ] && echo $method $format: the same
    done
done
