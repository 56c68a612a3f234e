# SPDX-License-Identifier: MIT
ow() { "$OTHERWISE" predict "$@"; echo "exit code $?"; }
ow
ow m.ow
ow - -
ow m.ow rows.csv more
ow m.ow rows.csv --srtict
