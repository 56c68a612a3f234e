/* SPDX-License-Identifier: MIT */
#include "evaluate/rank_pairs.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "base/numeric/sorted.h"

enum { most_rows = 500, fewest_rows = 10, most_columns = 64 };
static const double ordinary = 0.99;

struct owi_rank_pairs {
    ow_context *ctx;
    owi_workspace *workspace;
    const ow_schema *schema;
    size_t n_rows, n_columns;
    double *sorted;  /* (columns, rows): the numbers that are there, ascending   */
    size_t *n_there; /* columns                                                  */
    float *ranks;    /* (columns, rows): NaN where missing                       */
    float *limit;    /* (columns, columns): of the first and a later column      */
    float *own;      /* scratch: rows                                            */
};

/* The middle of the places that a value could take; levels are their index. */
static float rank_of(const owi_rank_pairs *p, size_t column, double value)
{
    if (isnan(value)) return NAN;
    if (ow_schema_column(p->schema, column)->n_levels > 0) return (float)value;
    const double *sorted = p->sorted + column * p->n_rows;
    size_t below = 0, upto = 0;
    for (size_t i = 0; i < p->n_there[column]; i++) {
        below += sorted[i] < value;
        upto += sorted[i] <= value;
    }
    return (float)((double)(below + upto) / 2.0 /
                   (double)owi_larger(p->n_there[column], 1));
}

/* The distance of a point from the nearest row, one row aside (SIZE_MAX: none); infinite
 * where something is missing. */
static float nearest(const owi_rank_pairs *p, size_t i, size_t j, float u, float v,
                     size_t aside)
{
    const float *a = p->ranks + i * p->n_rows, *b = p->ranks + j * p->n_rows;
    float least = INFINITY;
    for (size_t r = 0; r < p->n_rows; r++) {
        const float x = fabsf(a[r] - u), y = fabsf(b[r] - v);
        const float larger = x > y ? x : y;
        if (larger < least && r != aside && !isnan(x) && !isnan(y)) least = larger;
    }
    return least;
}

static void find_limit(owi_rank_pairs *p, size_t i, size_t j, double *distances)
{
    size_t n = 0;
    for (size_t r = 0; r < p->n_rows; r++) {
        const float u = p->ranks[i * p->n_rows + r], v = p->ranks[j * p->n_rows + r];
        const float distance = nearest(p, i, j, u, v, r);
        if (isfinite(distance)) distances[n++] = (double)distance;
    }
    float *limit = &p->limit[i * p->n_columns + j];
    *limit = INFINITY;
    if (n < fewest_rows) return;
    owi_sort_numbers(distances, n);
    *limit = (float)owi_quantile(distances, n, ordinary);
}

static ow_status fill(owi_rank_pairs *p, const owi_call *call, size_t stride,
                      const double *values, double *distances)
{
    const size_t d = p->n_columns;
    for (size_t j = 0; j < d; j++) {
        double *sorted = p->sorted + j * p->n_rows;
        for (size_t r = 0; r < p->n_rows; r++) {
            const double value = values[r * stride * d + j];
            if (!isnan(value)) sorted[p->n_there[j]++] = value;
        }
        owi_sort_numbers(sorted, p->n_there[j]);
        for (size_t r = 0; r < p->n_rows; r++)
            p->ranks[j * p->n_rows + r] = rank_of(p, j, values[r * stride * d + j]);
    }
    for (size_t i = 0; i < d; i++)
        for (size_t j = i + 1; j < d; j++) {
            OWI_TRY(owi_call_tick(call));
            find_limit(p, i, j, distances);
        }
    return OW_OK;
}

ow_status owi_rank_pairs_new(ow_context *ctx, const owi_call *call, const ow_schema *schema,
                             size_t n_known, const double *values, owi_rank_pairs **out)
{
    const size_t d = ow_schema_n_columns(schema);
    *out = NULL;
    if (n_known < fewest_rows || d > most_columns ||
        ow_schema_layout(schema).kind != OW_LAYOUT_TABLE)
        return OW_OK;
    const size_t stride = n_known / most_rows + (n_known % most_rows != 0);
    const size_t n = (n_known - 1) / stride + 1;
    double *distances = owi_alloc_array(ctx, n, sizeof *distances);
    owi_rank_pairs *p = owi_alloc_zeroed(ctx, sizeof *p);
    ow_status status = p != NULL && distances != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) {
        *p = (owi_rank_pairs){.ctx = ctx, .schema = schema, .n_rows = n, .n_columns = d};
        const owi_piece pieces[] = {OWI_PIECE(p->sorted, n * d), OWI_PIECE(p->n_there, d),
                                    OWI_PIECE(p->ranks, n * d), OWI_PIECE(p->limit, d * d),
                                    OWI_PIECE(p->own, d)};
        status = owi_pieces_new(ctx, OWI_PIECES(pieces), &p->workspace);
    }
    if (status == OW_OK) status = fill(p, call, stride, values, distances);
    if (status == OW_OK)
        *out = p;
    else
        owi_rank_pairs_free(p);
    owi_free(ctx, distances);
    return status;
}

void owi_rank_pairs_free(owi_rank_pairs *pairs)
{
    if (pairs == NULL) return;
    owi_workspace_free(pairs->workspace);
    owi_free(pairs->ctx, pairs);
}

static bool differs(const double *query, const double *values, size_t j)
{
    return query[j] != values[j] && !(isnan(query[j]) && isnan(values[j]));
}

double owi_rank_pairs_odd(const owi_rank_pairs *pairs, const double *query,
                          const double *values)
{
    const size_t d = pairs->n_columns;
    size_t n = 0, n_odd = 0;
    bool any = false;
    for (size_t j = 0; j < d; j++) {
        any |= differs(query, values, j);
        pairs->own[j] = rank_of(pairs, j, values[j]);
    }
    for (size_t i = 0; i < d; i++)
        for (size_t j = i + 1; j < d; j++) {
            const float limit = pairs->limit[i * d + j];
            if (any && !differs(query, values, i) && !differs(query, values, j)) continue;
            if (isnan(pairs->own[i]) || isnan(pairs->own[j]) || isinf(limit)) continue;
            n++;
            n_odd += nearest(pairs, i, j, pairs->own[i], pairs->own[j], SIZE_MAX) > limit;
        }
    return n > 0 ? (double)n_odd / (double)n : NAN;
}
