# SPDX-License-Identifier: MIT
# An experiment that is none: the nearest name.
"$OTHERWISE" reproduce mnits
