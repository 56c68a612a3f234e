# SPDX-License-Identifier: MIT
# A slip of the pen.
"$OTHERWISE" data fetch mnits
