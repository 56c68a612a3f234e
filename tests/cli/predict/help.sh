# SPDX-License-Identifier: MIT
"$OTHERWISE" predict --help
