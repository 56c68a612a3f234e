# SPDX-License-Identifier: MIT
"$OTHERWISE" data; echo $?
"$OTHERWISE" data lst; echo $?
"$OTHERWISE" data list more; echo $?
"$OTHERWISE" daat list; echo $?
"$OTHERWISE" help data
"$OTHERWISE" data --help
