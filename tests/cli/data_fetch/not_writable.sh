# SPDX-License-Identifier: MIT
# The folder cannot be made.
echo >sets
"$OTHERWISE" data fetch credit --to sets/here
