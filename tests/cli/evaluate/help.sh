# SPDX-License-Identifier: MIT
"$OTHERWISE" evaluate --help
