/* SPDX-License-Identifier: MIT */
#include "base/memory/workspace.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

#if defined(OWI_ASAN)
enum { red_zone = 64 };
#else
enum { red_zone = 0 };
#endif

struct owi_workspace {
    ow_context *ctx;
    char *block; /* behind this header, aligned */
    size_t size, used;

    /* The first piece that did not fit, and what was left for it. */
    bool has_failed;
    size_t failed_count, failed_element_size, failed_left;
};

size_t owi_workspace_piece(size_t count, size_t element_size)
{
    size_t size;
    if (!owi_size_multiply(count, element_size, &size) ||
        !owi_size_add(size, owi_alignment - 1 + red_zone, &size))
        return SIZE_MAX;
    return size - size % owi_alignment;
}

size_t owi_workspace_add(size_t a, size_t b)
{
    size_t sum;
    return owi_size_add(a, b, &sum) ? sum : SIZE_MAX;
}

ow_status owi_workspace_new(ow_context *ctx, size_t size, owi_workspace **out)
{
    OWI_REQUIRE(ctx != NULL && out != NULL);
    *out = NULL;
    const size_t header = owi_workspace_piece(1, sizeof(owi_workspace));
    owi_workspace *ws = owi_alloc_aligned(ctx, owi_workspace_add(header, size), 1);
    if (ws == NULL) return OW_ERR_MEMORY;
    *ws = (owi_workspace){.ctx = ctx, .block = (char *)ws + header};
    ws->size = size;
    owi_workspace_reset(ws);
    *out = ws;
    return OW_OK;
}

void owi_workspace_free(owi_workspace *ws)
{
    if (ws == NULL) return;
    OWI_UNPOISON(ws->block, ws->size); /* whoever gets this memory next may touch it */
    owi_free_aligned(ws->ctx, ws);
}

void *owi_workspace_take(owi_workspace *ws, size_t count, size_t element_size)
{
    const size_t left = ws->size - ws->used;
    const size_t taken = owi_workspace_piece(count, element_size);
    if (taken > left) {
        if (!ws->has_failed) {
            ws->has_failed = true;
            ws->failed_count = count;
            ws->failed_element_size = element_size;
            ws->failed_left = left;
        }
        return NULL;
    }
    char *piece = ws->block + ws->used;
    OWI_UNPOISON(piece, count * element_size);
    ws->used += taken;
    return piece;
}

void *owi_carve(owi_carver *carver, size_t count, size_t element_size)
{
    carver->size =
        owi_workspace_add(carver->size, owi_workspace_piece(count, element_size));
    if (carver->workspace == NULL) return NULL;
    return owi_workspace_take(carver->workspace, count, element_size);
}

ow_status owi_pieces_room(ow_context *ctx, size_t n, const owi_piece *pieces,
                          owi_workspace **out)
{
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        size = owi_workspace_add(size, owi_workspace_piece(pieces[i].count,
                                                           pieces[i].element_size));
    const ow_status status = owi_workspace_new(ctx, size, out);
    for (size_t i = 0; i < n; i++) {
        void *piece = status == OW_OK ? owi_workspace_take(*out, pieces[i].count,
                                                           pieces[i].element_size)
                                      : NULL;
        memcpy(pieces[i].pointer, &piece, sizeof piece);
    }
    return status;
}

ow_status owi_pieces_new(ow_context *ctx, size_t n, const owi_piece *pieces,
                         owi_workspace **out)
{
    const ow_status status = owi_pieces_room(ctx, n, pieces, out);
    for (size_t i = 0; i < n && status == OW_OK; i++) {
        void *piece;
        memcpy(&piece, pieces[i].pointer, sizeof piece);
        memset(piece, 0, pieces[i].count * pieces[i].element_size);
    }
    return status;
}

size_t owi_workspace_mark(const owi_workspace *ws)
{
    return ws->used;
}

void owi_workspace_release(owi_workspace *ws, size_t mark)
{
    assert(mark <= ws->used);
    ws->used = mark;
    OWI_POISON(ws->block + mark, ws->size - mark);
}

void owi_workspace_reset(owi_workspace *ws)
{
    owi_workspace_release(ws, 0);
    ws->has_failed = false;
}

ow_status owi_workspace_status(const owi_workspace *ws)
{
    if (!ws->has_failed) return OW_OK;
    return owi_fail(
        OW_ERR_MEMORY,
        "out of scratch memory: no %zu times %zu bytes among the %zu left of %zu",
        ws->failed_count, ws->failed_element_size, ws->failed_left, ws->size);
}
