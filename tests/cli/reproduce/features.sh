# SPDX-License-Identifier: MIT
# Feature maps are for one experiment only.
"$OTHERWISE" reproduce toy --features maps.npy
