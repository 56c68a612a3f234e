# SPDX-License-Identifier: MIT
# A name that would move the cursor, and one that is not UTF-8.
"$OTHERWISE" --quiet data list --data "$(printf 'a\033[2Jb')" | head -n 1
"$OTHERWISE" --quiet data list --json --data "$(printf 'gr\366\337e')" | head -n 2
"$OTHERWISE" --quiet data list --json --data "$(printf 'a\033b')" | head -n 2
