# SPDX-License-Identifier: MIT
"$OTHERWISE" --version
"$OTHERWISE" help --version
