# SPDX-License-Identifier: MIT
# Whoever closes standard output hears that nothing could be written.
"$OTHERWISE" help >&-
echo $?
"$OTHERWISE" help 2>&- | head -n 1
"$OTHERWISE" nonsense 2>&-
