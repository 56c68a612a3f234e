# SPDX-License-Identifier: MIT
"$OTHERWISE" --seed x help; echo $?
"$OTHERWISE" help --seed -1; echo $?
"$OTHERWISE" help --threads 0; echo $?
"$OTHERWISE" help --threads; echo $?
"$OTHERWISE" --quiet=yes help; echo $?
