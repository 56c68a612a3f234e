# SPDX-License-Identifier: MIT
# What may not be passed on.
"$OTHERWISE" data fetch cub --to sets
