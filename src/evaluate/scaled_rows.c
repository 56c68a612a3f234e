/* SPDX-License-Identifier: MIT */
#include "evaluate/scaled_rows.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "explain/core/distance.h"

enum { T = owi_scaled_tile };

/* A category that is missing: a level of its own. */
static const float no_level = -1.0f;

/* ---- Rows ---- */

ow_status owi_scaled_rows_init(owi_scaled_rows *rows, ow_context *ctx,
                               const ow_model *model, size_t n_rows, size_t stride,
                               const double *values)
{
    const size_t d = ow_schema_n_columns(ow_model_schema(model));
    const size_t n_tiles = n_rows / T + (n_rows % T != 0);
    *rows =
        (owi_scaled_rows){.ctx = ctx, .n_rows = n_rows, .n_columns = d, .n_tiles = n_tiles};
    const owi_piece pieces[] = {OWI_PIECE(rows->is_number, d),
                                OWI_PIECE(rows->low, d),
                                OWI_PIECE(rows->scale, d),
                                OWI_PIECE(rows->scaled, d),
                                {&rows->tiles, n_tiles * d, T * sizeof *rows->tiles}};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &rows->workspace));
    owi_column_scales(model, rows->scale);
    for (size_t j = 0; j < d; j++) {
        const ow_column_type type = ow_schema_column(ow_model_schema(model), j)->type;
        rows->is_number[j] = type == OW_TYPE_CONTINUOUS || type == OW_TYPE_INTEGER;
        rows->low[j] = rows->is_number[j] ? ow_model_figures(model, j).low : 0.0;
    }
    for (size_t i = 0; i < n_rows; i++) {
        float *tile = rows->tiles + i / T * d * T + i % T;
        owi_scale_row(rows, values + i * stride * d, rows->scaled);
        for (size_t j = 0; j < d; j++) tile[j * T] = rows->scaled[j];
    }
    return OW_OK;
}

void owi_scaled_rows_clear(owi_scaled_rows *rows)
{
    owi_workspace_free(rows->workspace);
}

void owi_scale_row(const owi_scaled_rows *rows, const double *values, float *scaled)
{
    for (size_t j = 0; j < rows->n_columns; j++)
        if (rows->is_number[j]) /* from low on: floats keep more of a number far from 0 */
            scaled[j] = (float)((values[j] - rows->low[j]) / rows->scale[j]);
        else
            scaled[j] = isnan(values[j]) ? no_level : (float)values[j];
}

void owi_scaled_row(const owi_scaled_rows *rows, size_t row, float *scaled)
{
    const float *tile = rows->tiles + row / T * rows->n_columns * T + row % T;
    for (size_t j = 0; j < rows->n_columns; j++) scaled[j] = tile[j * T];
}

/* ---- Distances ---- */

/* sum[i] = the distance of a row from row i of the tile. */
static void tile_distances(const owi_scaled_rows *rows, const float *scaled,
                           const float *tile, float sum[T])
{
    for (size_t i = 0; i < T; i++) sum[i] = 0.0f;
    for (size_t j = 0; j < rows->n_columns; j++) {
        const float *column = tile + j * T, x = scaled[j];
        if (!rows->is_number[j])
            for (size_t i = 0; i < T; i++) sum[i] += column[i] != x ? 1.0f : 0.0f;
        else if (isnan(x))
            for (size_t i = 0; i < T; i++) sum[i] += isnan(column[i]) ? 0.0f : 1.0f;
        else
            for (size_t i = 0; i < T; i++) {
                const float difference = fabsf(column[i] - x);
                sum[i] += isnan(difference) ? 1.0f : difference;
            }
    }
}

/* Keeps the k nearest in order; rows come with increasing numbers, so that of equals the
 * first stays. */
static void keep(owi_neighbour *nearest, size_t *n, size_t k, size_t row, float distance)
{
    if (*n == k && distance >= nearest[k - 1].distance) return;
    size_t at = *n < k ? (*n)++ : k - 1;
    for (; at > 0 && distance < nearest[at - 1].distance; at--)
        nearest[at] = nearest[at - 1];
    nearest[at] = (owi_neighbour){row, distance};
}

typedef struct {
    const owi_scaled_rows *rows;
    const float *scaled;
    const size_t *own;
    size_t k;
    owi_neighbour *found;
} search;

/* A tile stays in the cache while all rows of the chunk are compared with it. */
enum { chunk_rows = 16 };

static ow_status search_chunk(void *user, const owi_chunk *chunk)
{
    const search *s = user;
    const owi_scaled_rows *rows = s->rows;
    const size_t d = rows->n_columns;
    size_t n_found[chunk_rows] = {0};
    for (size_t t = 0; t < rows->n_tiles; t++) {
        const size_t n_here = owi_smaller(T, rows->n_rows - t * T);
        for (size_t q = 0; q < chunk->n; q++) {
            const size_t query = chunk->first + q;
            float distance[T];
            tile_distances(rows, s->scaled + query * d, rows->tiles + t * d * T, distance);
            for (size_t i = 0; i < n_here; i++)
                if (s->own == NULL || s->own[query] != t * T + i)
                    keep(s->found + query * s->k, &n_found[q], s->k, t * T + i,
                         distance[i]);
        }
    }
    return OW_OK;
}

ow_status owi_find_neighbours(const owi_call *call, const owi_scaled_rows *rows, size_t n,
                              const float *scaled, const size_t *own, size_t k,
                              owi_neighbour *found)
{
    search s = {.rows = rows, .scaled = scaled, .own = own, .k = k, .found = found};
    if (k == 0) return OW_OK;
    return owi_parallel_rows(call, n, chunk_rows, search_chunk, &s);
}
