# SPDX-License-Identifier: MIT
"$OTHERWISE" train --help
