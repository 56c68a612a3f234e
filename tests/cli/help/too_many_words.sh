# SPDX-License-Identifier: MIT
"$OTHERWISE" help help me please
