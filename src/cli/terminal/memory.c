/* SPDX-License-Identifier: MIT */
#include "terminal/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/exit_codes.h"

void *memory_checked(void *block)
{
    if (block != NULL) return block;
    fputs("otherwise: out of memory\n", stderr);
    exit(EXIT_RESOURCES);
}

void *memory_new(size_t count, size_t size)
{
    return memory_checked(calloc(count == 0 ? 1 : count, size));
}

void *memory_grow(void *array, size_t n, size_t size)
{
    /* The room doubles whenever n is a power of two, so it need not be remembered. */
    if (n != 0 && (n & (n - 1)) != 0) return array;
    const size_t room = n == 0 ? 1 : 2 * n;
    return memory_checked(room > SIZE_MAX / size ? NULL : realloc(array, room * size));
}

char *memory_copy(const char *text, size_t length)
{
    char *copy = memory_new(length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}
