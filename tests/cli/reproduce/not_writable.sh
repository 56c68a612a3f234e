# SPDX-License-Identifier: MIT
# A file stands where the report's work folder should be: one sentence.
mkdir out && echo >out/work
"$OTHERWISE" reproduce credit --quick -o out
