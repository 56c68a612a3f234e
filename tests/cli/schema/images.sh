# SPDX-License-Identifier: MIT
# An IDX file of four pictures, two by three pixels, with its labels.
printf '\0\0\010\003\0\0\0\004\0\0\0\002\0\0\0\003' >images.idx
printf '\000\001\002\003\004\377\000\011\010\007\006\005\000\001\001\001\001\001\000\002\002\002\002\002' >>images.idx
printf '\0\0\010\001\0\0\0\004\007\003\007\003' >labels.idx
"$OTHERWISE" schema images.idx --labels labels.idx
"$OTHERWISE" schema images.idx --labels labels.idx --label class; echo $?
"$OTHERWISE" schema images.idx; echo $?
