# SPDX-License-Identifier: MIT
# The report's folder is looked at before anything is learned.
echo >out
"$OTHERWISE" demo -o out
