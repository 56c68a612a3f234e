# SPDX-License-Identifier: MIT
"$OTHERWISE" schema --label risk
