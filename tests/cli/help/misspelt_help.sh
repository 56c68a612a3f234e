# SPDX-License-Identifier: MIT
"$OTHERWISE" help hepl
