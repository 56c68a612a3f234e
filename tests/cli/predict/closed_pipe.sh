# SPDX-License-Identifier: MIT
# A reader that has seen enough ends it silently, also when there is no end of rows.
"$OTHERWISE" import "$DATA/../tests/golden/circuits/a_d4_D1.json" -o a.ow
(echo x0,x1,x2,x3; yes 1,2,3,4) | { "$OTHERWISE" predict a.ow -; echo "exit code $?" >&2; } | head -3
