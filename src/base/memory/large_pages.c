/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory/large_pages.h"

#include <stdint.h>
#include <sys/mman.h>

enum { page_size = 2 << 20 };

void owi_prefer_large_pages(void *block, size_t size)
{
#if defined(MADV_HUGEPAGE)
    if (size < 2 * (size_t)page_size) return;
    /* The whole pages between its ends. */
    const size_t before = (page_size - (uintptr_t)block % page_size) % page_size;
    (void)madvise((char *)block + before, (size - before) / page_size * page_size,
                  MADV_HUGEPAGE);
#else
    (void)block, (void)size;
#endif
}
