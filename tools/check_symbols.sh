#!/bin/sh
# SPDX-License-Identifier: MIT
# What the linker sees of the library: check_symbols.sh SHARED_LIBRARY STATIC_LIBRARY
#
#   - the shared library exports ow_ names only; the static one has ow_ and owi_ names only;
#   - no variable outlives a call but thread-local ones;
#   - nothing prints, exits, reads the environment or catches signals;
#   - memory comes from the context: only context.c calls malloc and its kin.
set -eu
exported=$(nm -D --defined-only --format=posix "$1")
symbols=$(nm --format=sysv "$2")

{
    echo "$exported" | awk '
        $1 !~ /^ow_/ { print "exported by the shared library, without the prefix ow_: " $1 }'

    echo "$symbols" | awk -F'|' '
        BEGIN {
            split("printf vprintf puts putchar perror stdout stderr exit _exit quick_exit " \
                  "getenv secure_getenv signal sigaction", list, " ")
            for (i in list) forbidden[list[i]] = 1
            split("malloc calloc realloc free aligned_alloc posix_memalign strdup strndup", list, " ")
            for (i in list) allocates[list[i]] = 1
        }
        /^Symbols from / { member = $0; sub(/.*\[/, "", member); sub(/\].*/, "", member) }
        NF < 7 { next }
        {
            name = $1; class = $3; type = $4; section = $7
            gsub(/ /, "", name); gsub(/ /, "", class); gsub(/ /, "", type)
            sub(/@.*/, "", name); sub(/^__/, "", name); sub(/_chk$/, "", name)
        }
        class == "U" && name in forbidden { print member ": the library may not use " name }
        class == "U" && name in allocates && member != "context.c.o" {
            print member ": calls " name "; memory comes from base/alloc.h"
        }
        class ~ /[A-TV-Z]/ && name !~ /^owi?_/ {
            print member ": visible outside its file, without the prefix ow_ or owi_: " name
        }
        type == "OBJECT" && (section ~ /^\.(data|bss)/ || section ~ /COM/) \
            && section !~ /^\.data\.rel\.ro/ {
            print member ": a variable that all callers would share: " name
        }'
} | sort | awk '{ print } END { exit NR > 0 }'
