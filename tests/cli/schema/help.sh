# SPDX-License-Identifier: MIT
"$OTHERWISE" help schema
