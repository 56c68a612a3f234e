# SPDX-License-Identifier: MIT
# A reader that has seen enough ends it silently, also when there is no end of rows.
. "$SUPPORT/loans.sh"
for format in text table json csv dice; do
    (head -1 loans.csv; sed 1d loans.csv; while sed 1d loans.csv; do :; done 2>/dev/null) |
        { "$OTHERWISE" explain loans.ow - --quiet --method two-step --target granted --format $format; echo "exit code $?" >&2; } |
        head -2 >/dev/null
done
