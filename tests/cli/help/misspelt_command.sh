# SPDX-License-Identifier: MIT
"$OTHERWISE" hlep
