# SPDX-License-Identifier: MIT
# The cache folder below the home folder, which is empty.
"$OTHERWISE" data list | sed "s|$HOME|HOME|"
echo
"$OTHERWISE" --quiet data list | sed "s|$HOME|HOME|"
