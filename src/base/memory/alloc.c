/* SPDX-License-Identifier: MIT */
#include "base/memory/alloc.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/large_pages.h"
#include "base/memory/sizes.h"

static void *none(size_t size)
{
    (void)owi_fail(OW_ERR_MEMORY, "out of memory: no %zu bytes to be had", size);
    return NULL;
}

static void *too_many(size_t count, size_t size)
{
    (void)owi_fail(OW_ERR_MEMORY, "out of memory: no machine holds %zu times %zu bytes",
                   count, size);
    return NULL;
}

/* C's objects end at PTRDIFF_MAX bytes; allocators need not be asked for more. */
static bool is_possible(size_t size)
{
    return size <= PTRDIFF_MAX;
}

void *owi_alloc(ow_context *ctx, size_t size)
{
    if (!is_possible(size)) return none(size);
    void *block = ctx->allocator.allocate(ctx->allocator.user, size == 0 ? 1 : size);
    if (block == NULL) return none(size);
    owi_prefer_large_pages(block, size);
    return block;
}

void *owi_alloc_zeroed(ow_context *ctx, size_t size)
{
    void *block = owi_alloc(ctx, size);
    if (block != NULL) memset(block, 0, size);
    return block;
}

void *owi_alloc_array(ow_context *ctx, size_t count, size_t size)
{
    size_t total;
    if (!owi_size_multiply(count, size, &total)) return too_many(count, size);
    return owi_alloc_zeroed(ctx, total);
}

void *owi_resize_array(ow_context *ctx, void *block, size_t count, size_t size)
{
    size_t total;
    if (!owi_size_multiply(count, size, &total)) return too_many(count, size);
    if (block == NULL) return owi_alloc(ctx, total);
    if (!is_possible(total)) return none(total);
    void *resized =
        ctx->allocator.resize(ctx->allocator.user, block, total == 0 ? 1 : total);
    return resized != NULL ? resized : none(total);
}

void owi_free(ow_context *ctx, void *block)
{
    if (block != NULL) ctx->allocator.release(ctx->allocator.user, block);
}

/* The block handed out starts at the first aligned address that leaves room for a
 * pointer before it; that pointer remembers where the allocator's block began. */
void *owi_alloc_aligned(ow_context *ctx, size_t count, size_t size)
{
    size_t total;
    if (!owi_size_multiply(count, size, &total) ||
        !owi_size_add(total, owi_alignment + sizeof(void *), &total))
        return too_many(count, size);
    char *start = owi_alloc(ctx, total);
    if (start == NULL) return NULL;
    uintptr_t first = (uintptr_t)start + sizeof(void *);
    char *block =
        start + sizeof(void *) + (owi_alignment - first % owi_alignment) % owi_alignment;
    memcpy(block - sizeof(void *), &start, sizeof start);
    return block;
}

void owi_free_aligned(ow_context *ctx, void *block)
{
    if (block == NULL) return;
    void *start;
    memcpy(&start, (char *)block - sizeof(void *), sizeof start);
    owi_free(ctx, start);
}

char *owi_copy_text(ow_context *ctx, const char *text, size_t length)
{
    size_t size;
    if (!owi_size_add(length, 1, &size)) return none(length);
    char *copy = owi_alloc(ctx, size);
    if (copy == NULL) return NULL;
    if (length > 0) memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *owi_format_text(ow_context *ctx, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments); /* below 0: over INT_MAX */
    va_end(arguments);
    const size_t size = length < 0 ? SIZE_MAX : (size_t)length + 1;
    char *text = owi_alloc(ctx, size);
    if (text == NULL) return NULL;
    va_start(arguments, format);
    vsnprintf(text, size, format, arguments);
    va_end(arguments);
    return text;
}

static size_t next_capacity(size_t capacity, size_t wanted)
{
    size_t larger = capacity < 8 ? 8 : capacity;
    if (!owi_size_multiply(larger, 2, &larger) || larger < wanted) larger = wanted;
    return larger;
}

ow_status owi_grow(ow_context *ctx, void *array, size_t *capacity, size_t wanted,
                   size_t element_size)
{
    if (wanted <= *capacity) return OW_OK;
    const size_t larger = next_capacity(*capacity, wanted);
    void *block;
    memcpy(&block, array, sizeof block);
    block = owi_resize_array(ctx, block, larger, element_size);
    if (block == NULL) return OW_ERR_MEMORY;
    memcpy(array, &block, sizeof block);
    *capacity = larger;
    return OW_OK;
}

ow_status owi_grow_bytes(ow_context *ctx, char **bytes, size_t *capacity, size_t wanted)
{
    if (wanted <= *capacity) return OW_OK;
    const size_t larger = next_capacity(*capacity, wanted);
    char *block = ow_bytes_resize(ctx, *bytes, larger);
    if (block == NULL) return OW_ERR_MEMORY;
    *bytes = block;
    *capacity = larger;
    return OW_OK;
}
