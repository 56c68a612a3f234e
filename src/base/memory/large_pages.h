/* SPDX-License-Identifier: MIT */
/* Pages of 2 MB instead of 4 kB for large blocks, where the system gives them when asked: a
 * block of 12 MB then is 6 pages to be found and cleared when first used, not 3000.
 * Learning with sums for a million parameters is a sixth faster for it. */
#ifndef OWI_LARGE_PAGES_H
#define OWI_LARGE_PAGES_H

#include <stddef.h>

/* Asks for them in the inside of a block, if it is large enough.  Nothing depends on the
 * answer. */
void owi_prefer_large_pages(void *block, size_t size);

#endif
