# SPDX-License-Identifier: MIT
COLUMNS=50 "$OTHERWISE" --quiet data list --data sets
COLUMNS=30 "$OTHERWISE" --quiet data list --data sets
