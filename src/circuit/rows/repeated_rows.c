/* SPDX-License-Identifier: MIT */
#include "circuit/rows/repeated_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"

enum { most_rows = 4096, block_rows = 256 };

/* Equal pairs must be so many times those by chance, and so many for each row: a bootstrap
 * sample has half a pair for each row.  doc/method.md has what tables have. */
static const double times_chance = 25.0, least_share = 0.05;

uint64_t owi_row_content(const float *row, size_t n_columns, int32_t class_index)
{
    uint64_t hash = 0xcbf29ce484222325U ^ (uint64_t)(uint32_t)class_index; /* FNV-1a */
    for (size_t j = 0; j < n_columns; j++) {
        uint32_t bits;
        memcpy(&bits, &row[j], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3U;
        hash ^= hash >> 29;
    }
    return hash;
}

typedef struct {
    size_t n, n_columns;
    float *rows, *column; /* (n, n_columns); n                     */
    int32_t *classes;
    uint64_t *contents;
} sample;

static int compare_contents(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Whichever order gaps get among numbers, they stand together. */
static int compare_cells(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(float));
}

/* The number of pairs of equal elements. */
static double equal_pairs(void *elements, size_t n, size_t size,
                          int (*compare)(const void *, const void *))
{
    const char *at = elements;
    double pairs = 0.0, run = 0.0;
    qsort(elements, n, size, compare);
    for (size_t i = 1; i < n; i++) {
        run = compare(at + i * size, at + (i - 1) * size) == 0 ? run + 1.0 : 0.0;
        pairs += run;
    }
    return pairs;
}

/* Equal pairs of rows of one class, if columns were independent. */
static double pairs_by_chance(const sample *s, int32_t class_index)
{
    double share = 1.0, all = 0.0;
    for (size_t j = 0; j < s->n_columns; j++) {
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++)
            if (s->classes[i] == class_index)
                s->column[n++] = s->rows[i * s->n_columns + j];
        if (n < 2) return 0.0;
        all = (double)n * (double)(n - 1) / 2.0;
        share *= equal_pairs(s->column, n, sizeof *s->column, compare_cells) / all;
    }
    return share * all;
}

static ow_status read_rows(const ow_row_source *source, sample *s)
{
    OWI_TRY(source->rewind(source->user));
    while (s->n < most_rows) {
        size_t n;
        OWI_TRY(source->next(source->user, owi_smaller(block_rows, most_rows - s->n),
                             s->rows + s->n * s->n_columns, s->classes + s->n, &n));
        if (n == 0) return OW_OK;
        s->n += n;
    }
    return OW_OK;
}

ow_status owi_rows_repeat(const owi_call *call, const ow_row_source *source,
                          size_t n_columns, size_t n_classes, bool *repeat)
{
    sample s = {.n_columns = n_columns};
    owi_workspace *workspace;
    const owi_piece pieces[] = {OWI_PIECE(s.rows, most_rows * n_columns),
                                OWI_PIECE(s.column, most_rows),
                                OWI_PIECE(s.classes, most_rows),
                                OWI_PIECE(s.contents, most_rows)};
    *repeat = false;
    OWI_TRY(owi_pieces_new(call->ctx, OWI_PIECES(pieces), &workspace));
    ow_status status = read_rows(source, &s);
    for (size_t i = 0; i < s.n; i++)
        s.contents[i] = owi_row_content(s.rows + i * n_columns, n_columns, s.classes[i]);
    const double pairs = equal_pairs(s.contents, s.n, sizeof *s.contents, compare_contents);
    double by_chance = 0.0;
    const bool many = pairs > least_share * (double)s.n;
    for (size_t c = 0; c < n_classes && status == OW_OK && many; c++) {
        status = owi_call_tick(call);
        by_chance += pairs_by_chance(&s, (int32_t)c);
    }
    *repeat = status == OW_OK && many && pairs > times_chance * by_chance;
    owi_workspace_free(workspace);
    return status;
}
