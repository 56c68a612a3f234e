/* SPDX-License-Identifier: MIT */
/* Memory from the context's allocator.  Each of these returns NULL after
 * recording the sentence for OW_ERR_MEMORY, so that a caller only has to write
 *
 *     if (block == NULL) return OW_ERR_MEMORY;
 *
 * Asking for 0 bytes gives a block that may be freed. */
#ifndef OWI_ALLOC_H
#define OWI_ALLOC_H

#include <stddef.h>

#include "base/compiler.h"
#include "otherwise/context.h"

void *owi_alloc(ow_context *ctx, size_t size);
void *owi_alloc_zeroed(ow_context *ctx, size_t size);
/* count * size bytes, zeroed; a product that overflows fails like any other. */
void *owi_alloc_array(ow_context *ctx, size_t count, size_t size);
/* Resizes block (NULL: a new one) to count * size bytes; on failure it is unchanged. */
void *owi_resize_array(ow_context *ctx, void *block, size_t count, size_t size);
void owi_free(ow_context *ctx, void *block);

/* count * size bytes at a multiple of owi_alignment, for vector code; not zeroed; freed by
 * owi_free_aligned only. */
enum { owi_alignment = 64 };
void *owi_alloc_aligned(ow_context *ctx, size_t count, size_t size);
void owi_free_aligned(ow_context *ctx, void *block);

/* A copy of length bytes of text with a NUL behind them. */
char *owi_copy_text(ow_context *ctx, const char *text, size_t length);
/* What printf would print, however long it is. */
char *owi_format_text(ow_context *ctx, const char *format, ...) OWI_PRINTF(2, 3);

/* Makes room for at least wanted elements in a growing array, at least doubling it; array
 * is the address of the pointer to it, of whatever type (not void **, which C would not let
 * stand for the others).  On failure both are unchanged.
 *     OWI_TRY(owi_grow(ctx, &list, &capacity, n + 1, sizeof *list)); */
ow_status owi_grow(ow_context *ctx, void *array, size_t *capacity, size_t wanted,
                   size_t element_size);

/* The same for a growing text or file that is handed to the caller in the end
 * (ow_bytes_free). */
ow_status owi_grow_bytes(ow_context *ctx, char **bytes, size_t *capacity, size_t wanted);

#endif
