# SPDX-License-Identifier: MIT
printf 'A11 6 good\nA12 48 bad\nA14 12 good\nA11 42 good\n' >german.data
"$OTHERWISE" schema german.data --no-header --label x2
