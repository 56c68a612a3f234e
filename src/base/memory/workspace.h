/* SPDX-License-Identifier: MIT */
/* Scratch memory: one block, sized once, carved from the front and given back all at once.
 *
 *     | a ~~ | b ~~ | c ~~ |  free ...                 |
 *
 * Every piece starts at a multiple of 64 bytes.  Under AddressSanitizer 64 bytes behind
 * each piece (~~) and everything free are untouchable.  A request that does not fit returns
 * NULL and sticks: ask once at the end instead of after every piece. */
#ifndef OWI_WORKSPACE_H
#define OWI_WORKSPACE_H

#include <stdbool.h>
#include <stddef.h>

#include "otherwise/context.h"

typedef struct owi_workspace owi_workspace;

ow_status owi_workspace_new(ow_context *ctx, size_t size, owi_workspace **out);
void owi_workspace_free(owi_workspace *ws);

/* What a piece of count elements takes, padding included; add these up to size a
 * workspace.  SIZE_MAX if that overflows, and adding to SIZE_MAX stays SIZE_MAX. */
size_t owi_workspace_piece(size_t count, size_t element_size);
size_t owi_workspace_add(size_t a, size_t b);

/* Uninitialised; valid until the mark before it is released. */
void *owi_workspace_take(owi_workspace *ws, size_t count, size_t element_size);

/* Sizing and taking by the same lines: run them once without a workspace, which only
 * counts, make one of that size, and run them again. */
typedef struct {
    owi_workspace *workspace; /* NULL: count only */
    size_t size;              /* so far           */
} owi_carver;
void *owi_carve(owi_carver *carver, size_t count, size_t element_size);

/* Scratch by a table: each entry is a pointer and the number of elements that it shall
 * point to.  All of them come from one workspace of just that size, zeroed; one check, one
 * free.
 *
 *     const owi_piece pieces[] = {OWI_PIECE(s->rows, n * width), OWI_PIECE(s->which, n)};
 *     OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &s->workspace));
 *     ...
 *     owi_workspace_free(s->workspace);
 *
 * On failure *out and all the pointers are NULL. */
typedef struct {
    void *pointer; /* the address of a pointer, of whatever type (as for owi_grow) */
    size_t count, element_size;
} owi_piece;
#define OWI_PIECE(pointer, count)                                                          \
    {                                                                                      \
        &(pointer), (count), sizeof *(pointer)                                             \
    }
#define OWI_PIECES(table) sizeof(table) / sizeof *(table), (table)
ow_status owi_pieces_new(ow_context *ctx, size_t n, const owi_piece *pieces,
                         owi_workspace **out);

/* The same without zeroes, for arrays that are written before they are read. */
ow_status owi_pieces_room(ow_context *ctx, size_t n, const owi_piece *pieces,
                          owi_workspace **out);

/* Remembers how far the workspace is used, and goes back there. */
size_t owi_workspace_mark(const owi_workspace *ws);
void owi_workspace_release(owi_workspace *ws, size_t mark);
/* Back to empty; also clears the failure. */
void owi_workspace_reset(owi_workspace *ws);

/* OW_ERR_MEMORY, with the sentence, if any piece since the last reset did not fit. */
ow_status owi_workspace_status(const owi_workspace *ws);

#endif
