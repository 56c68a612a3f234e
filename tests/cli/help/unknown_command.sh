# SPDX-License-Identifier: MIT
# Nothing that is like it.
"$OTHERWISE" frobnicate
