# SPDX-License-Identifier: MIT
# --data before OTHERWISE_DATA before the cache folder.
export OTHERWISE_DATA=variable XDG_CACHE_HOME=/cache
"$OTHERWISE" --quiet data list --data option | head -n 1
"$OTHERWISE" --quiet data list | head -n 1
OTHERWISE_DATA= "$OTHERWISE" --quiet data list | head -n 1
