# SPDX-License-Identifier: MIT
"$OTHERWISE" methods --help
