# SPDX-License-Identifier: MIT
# As adult.test comes: a line to skip, spaces behind the commas, full stops behind the classes.
printf '|1x3 Cross validator\n25, Private, <=50K.\n38, ?, >50K.\n28, Local-gov, >50K.\n' >adult.test
"$OTHERWISE" schema adult.test --skip 1 --no-header --label x2
