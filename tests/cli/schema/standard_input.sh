# SPDX-License-Identifier: MIT
"$OTHERWISE" schema - --label risk --drop job <<'END'
age,job,risk
20,x,good
30,y,bad
END
