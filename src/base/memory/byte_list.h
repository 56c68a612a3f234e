/* SPDX-License-Identifier: MIT */
/* Bytes put one behind the other, and taken off again in the same order by a process of the
 * same program. */
#ifndef OWI_BYTE_LIST_H
#define OWI_BYTE_LIST_H

#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

/* All zero but for ctx is empty; the owner frees bytes with owi_free. */
typedef struct {
    ow_context *ctx;
    unsigned char *bytes;
    size_t n, capacity;
} owi_byte_list;

static inline ow_status owi_byte_list_add(owi_byte_list *list, const void *bytes,
                                          size_t size)
{
    OWI_TRY(owi_grow(list->ctx, &list->bytes, &list->capacity, list->n + size + 1, 1));
    if (size > 0) memcpy(list->bytes + list->n, bytes, size);
    list->n += size;
    return OW_OK;
}

/* The next bytes, lent; *at goes on behind them. */
static inline const void *owi_bytes_pass(const unsigned char **at, size_t size)
{
    const unsigned char *here = *at;
    *at += size;
    return here;
}

static inline void owi_bytes_take(const unsigned char **at, void *to, size_t size)
{
    if (size > 0) memcpy(to, owi_bytes_pass(at, size), size);
}

#endif
