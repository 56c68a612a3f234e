# SPDX-License-Identifier: MIT
"$OTHERWISE" explain --help
