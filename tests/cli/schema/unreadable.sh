# SPDX-License-Identifier: MIT
# A folder is not a file.
mkdir folder
"$OTHERWISE" schema folder --label risk
