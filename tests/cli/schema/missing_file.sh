# SPDX-License-Identifier: MIT
"$OTHERWISE" schema nowhere.csv --label risk
