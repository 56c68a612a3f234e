# SPDX-License-Identifier: MIT
# Nobody listens there.
"$OTHERWISE" data fetch credit --to sets --from http://127.0.0.1:9/
