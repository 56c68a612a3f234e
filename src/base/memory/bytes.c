/* SPDX-License-Identifier: MIT */
/* Blocks that cross the library's boundary.  Before each of them lies a copy of the
 * allocator that it came from:
 *
 *     | ow_allocator | bytes ... |
 *                    ^ what the caller sees
 *
 * so that ow_bytes_free needs no context, and a block may outlive the context. */
#include <stddef.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "otherwise/context.h"

typedef union {
    ow_allocator allocator;
    max_align_t align; /* the bytes behind it are aligned like malloc's */
} block_head;

void *ow_bytes_new(ow_context *ctx, size_t size)
{
    size_t total;
    if (!owi_size_add(size, sizeof(block_head), &total)) total = SIZE_MAX;
    block_head *head = owi_alloc(ctx, total);
    if (head == NULL) return NULL;
    head->allocator = ctx->allocator;
    memset(head + 1, 0, size);
    return head + 1;
}

void *ow_bytes_resize(ow_context *ctx, void *bytes, size_t size)
{
    size_t total;
    if (bytes == NULL) return ow_bytes_new(ctx, size);
    if (!owi_size_add(size, sizeof(block_head), &total)) total = SIZE_MAX;
    block_head *head = owi_resize_array(ctx, (block_head *)bytes - 1, total, 1);
    return head == NULL ? NULL : head + 1;
}

void ow_bytes_free(void *bytes)
{
    if (bytes == NULL) return;
    block_head *head = (block_head *)bytes - 1;
    const ow_allocator allocator = head->allocator;
    allocator.release(allocator.user, head);
}
