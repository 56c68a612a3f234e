# SPDX-License-Identifier: MIT
"$OTHERWISE" --qiet help; echo $?
"$OTHERWISE" -z; echo $?
"$OTHERWISE" help --treads 3
