# SPDX-License-Identifier: MIT
[ -c /dev/full ] || { echo "no /dev/full" >&2; exit 77; }
"$OTHERWISE" data list --quiet --json >/dev/full
