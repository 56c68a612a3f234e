# SPDX-License-Identifier: MIT
# A path below a file: nobody may write there, not even root.
: >file
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all -o file/x; echo $?
"$OTHERWISE" schema "$DATA/credit.csv" --label risk --unlock all -o nowhere/x
