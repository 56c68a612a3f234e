# SPDX-License-Identifier: MIT
# Each line is text or a request of the man macros.
"$OTHERWISE" help --man >page || exit 1
grep "^\.SH" page
grep '^[.]' page | grep -v '^\.\(TH\|S[HS]\|TP\|PP\|B\|I\|RI\|nf\|fi\)\( \|$\)'
grep "^'" page
exit 0
