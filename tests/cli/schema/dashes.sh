# SPDX-License-Identifier: MIT
# Options behind operands, -- before a name that looks like an option.
printf 'age,risk\n20,good\n30,bad\n' >--label
"$OTHERWISE" schema --label=risk -- --label
