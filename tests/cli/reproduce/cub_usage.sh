# SPDX-License-Identifier: MIT
# What is said about maps has to go together.
"$OTHERWISE" reproduce cub --features maps.npy
"$OTHERWISE" reproduce cub --labels labels.txt
"$OTHERWISE" reproduce cub --features maps.npy --labels labels.txt --boxes
