# SPDX-License-Identifier: MIT
"$OTHERWISE" help data list | head -n 3
"$OTHERWISE" data list --help | head -n 1
"$OTHERWISE" data list --cheque
