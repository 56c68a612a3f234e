#!/bin/sh
# SPDX-License-Identifier: MIT
# Every C source is laid out as clang-format 14 does it:
#
#     check_format.sh [FOLDER]    names the lines that are not, and fails
#     check_format.sh --fix       lays them out
set -eu
tools=$(cd "$(dirname "$0")" && pwd)
action="--dry-run -Werror"
if [ "${1-}" = --fix ]; then
    action=-i
    shift
fi
cd "${1-$tools/..}"
python3 "$tools/source_files.py" --root . .c .h | xargs clang-format-14 --style=file $action
