/* SPDX-License-Identifier: MIT */
/* Memory of the program's own: small things such as option lists and table cells.  Where
 * even these cannot be had, the program says so and ends with EXIT_RESOURCES. */
#ifndef CLI_MEMORY_H
#define CLI_MEMORY_H

#include <stddef.h>

/* The block itself, if there is one: for what others allocate. */
void *memory_checked(void *block);
/* count elements of this size, zeroed; freed with free(). */
void *memory_new(size_t count, size_t size);
/* Makes room for one more element in an array of n; the new one is not initialised. */
void *memory_grow(void *array, size_t n, size_t size);
/* A copy of length bytes with a NUL behind them. */
char *memory_copy(const char *text, size_t length);

#endif
