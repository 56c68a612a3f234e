/* SPDX-License-Identifier: MIT */
#include "explain/face/near_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/transpose.h"
#include "explain/descent/entry_means.h"

/* Fewer points than this go one by one: a tile would compute mostly spare lanes. */
enum { least_tile = 16 };
/* Rows that a tile of points is multiplied with before the next tick. */
enum { block_rows = 2048 };

/* ---- The rows ---- */

/* x less the centre, and |x|^2 of that. */
static double centre_row(const owi_near_rows *known, const float *row, float *at)
{
    double square = 0.0;
    for (size_t j = 0; j < known->width; j++) {
        at[j] = isnan(row[j]) ? 0.0f : row[j] - known->centre[j];
        square += (double)at[j] * (double)at[j];
    }
    return square;
}

ow_status owi_near_rows_init(owi_near_rows *known, const owi_call *call,
                             const owi_backend *backend, size_t n_rows, size_t width,
                             const float *rows)
{
    ow_context *ctx = call->ctx;
    *known =
        (owi_near_rows){.ctx = ctx, .backend = backend, .n_rows = n_rows, .width = width};
    size_t n_entries;
    if (n_rows >= UINT32_MAX || width >= UINT32_MAX ||
        !owi_size_multiply(n_rows, width, &n_entries))
        return owi_fail(OW_ERR_MEMORY, "%zu rows of %zu entries are too many for distances",
                        n_rows, width);

    const owi_piece pieces[] = {OWI_PIECE(known->centre, width),
                                OWI_PIECE(known->rows, n_entries),
                                OWI_PIECE(known->bias, n_rows),
                                OWI_PIECE(known->scope, width)};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &known->workspace));
    OWI_TRY(owi_entry_means(call, n_rows, width, rows, known->centre));
    double largest = 0.0;
    for (size_t i = 0; i < n_rows; i++) {
        if (i % block_rows == 0) OWI_TRY(owi_call_tick(call));
        const double square = centre_row(known, rows + i * width, known->rows + i * width);
        known->bias[i] = (float)(-0.5 * square);
        largest = fmax(largest, square);
    }
    known->longest = sqrt(largest);
    for (size_t j = 0; j < width; j++) known->scope[j] = (uint32_t)j;
    known->ends[1] = (uint32_t)width;
    return OW_OK;
}

void owi_near_rows_clear(owi_near_rows *known)
{
    owi_workspace_free(known->workspace);
    *known = (owi_near_rows){0};
}

/* ---- Points ---- */

double owi_point_distance(const owi_point *point, size_t row)
{
    const size_t width = point->known->width;
    const float *b = point->known->rows + row * width;
    double square = 0.0;
    for (size_t j = 0; j < width; j++) {
        const double difference = (double)point->at[j] - (double)b[j];
        square += difference * difference;
    }
    return sqrt(square);
}

size_t owi_point_nearest(const owi_point *point, size_t k, owi_may_link_fn may_link,
                         const void *user, owi_near *found)
{
    size_t n = 0;
    double farthest = INFINITY; /* squared, of the k found so far */
    if (k == 0) return 0;
    for (size_t row = 0; row < point->known->n_rows; row++) {
        if (owi_point_square(point, row) - point->error > farthest) continue;
        if (may_link != NULL && !may_link(user, point->index, (uint32_t)row)) continue;
        const double distance = owi_point_distance(point, row);
        if (n == k && distance >= found[k - 1].distance) continue;

        if (n < k) n++;
        size_t at = n - 1;
        for (; at > 0 && found[at - 1].distance > distance; at--) found[at] = found[at - 1];
        found[at] = (owi_near){.row = (uint32_t)row, .distance = distance};
        if (n == k) farthest = found[k - 1].distance * found[k - 1].distance;
    }
    return n;
}

/* ---- Visits ---- */

typedef struct {
    const owi_call *call;
    const owi_near_rows *known;
    const float *points;
    owi_point_fn body;
    void *user;
    size_t lanes;
    size_t worker_floats; /* of scratch for each worker: */
    float *scratch; /* at (lanes, width), tile (width, lanes), product (n_rows, lanes) */
} visit;

/* What rounding can do to |x|^2 - 2 (x b - |b|^2 / 2) in a sum of width + 2 floats, twice
 * over. */
static double worst_error(const owi_near_rows *known, double square)
{
    const double length = sqrt(square), longest = known->longest;
    return ((double)known->width + 8.0) * (double)FLT_EPSILON * (length + longest) *
           (length + longest);
}

/* product[b] = x b - |b|^2 / 2 of every row b and point of the tile. */
static ow_status multiply(const visit *work, const float *tile, float *product)
{
    const owi_near_rows *known = work->known;
    const size_t width = known->width, lanes = work->lanes;
    for (size_t first = 0; first < known->n_rows; first += block_rows) {
        const owi_leaf_shape shape = {.n_regions = 1,
                                      .n_components =
                                          owi_smaller(block_rows, known->n_rows - first),
                                      .n_features = width,
                                      .scope_start = known->ends,
                                      .scope = known->scope};
        OWI_TRY(owi_call_tick(work->call));
        known->backend->leaf_forward(known->backend, &shape,
                                     (owi_batch){.n_tiles = 1, .lanes = lanes},
                                     known->rows + first * width, known->bias + first, tile,
                                     product + first * lanes);
    }
    return OW_OK;
}

static ow_status visit_chunk(void *user, const owi_chunk *chunk)
{
    const visit *work = user;
    const owi_near_rows *known = work->known;
    const size_t width = known->width, lanes = work->lanes;
    float *at = work->scratch + chunk->worker * work->worker_floats;
    float *tile = at + width * lanes, *product = tile + width * lanes;
    double square[owi_tile_lanes];

    if (chunk->n < lanes) memset(tile, 0, width * lanes * sizeof *tile);
    for (size_t i = 0; i < chunk->n; i++)
        square[i] =
            centre_row(known, work->points + (chunk->first + i) * width, at + i * width);
    owi_transpose(chunk->n, width, at, width, tile, lanes);
    OWI_TRY(multiply(work, tile, product));
    for (size_t i = 0; i < chunk->n; i++) {
        OWI_TRY(owi_call_tick(work->call));
        OWI_TRY(work->body(work->user, &(owi_point){.known = known,
                                                    .index = chunk->first + i,
                                                    .worker = chunk->worker,
                                                    .at = at + i * width,
                                                    .square = square[i],
                                                    .error = worst_error(known, square[i]),
                                                    .product = product + i,
                                                    .stride = lanes}));
    }
    return OW_OK;
}

static size_t visit_lanes(size_t n_points)
{
    return n_points < least_tile ? 1 : owi_tile_lanes;
}

size_t owi_near_rows_workers(const owi_call *call, size_t n_points)
{
    return owi_parallel_workers(call, n_points, visit_lanes(n_points));
}

ow_status owi_near_rows_visit(const owi_call *call, const owi_near_rows *known,
                              size_t n_points, const float *points, owi_point_fn body,
                              void *user)
{
    visit work = {.call = call,
                  .known = known,
                  .points = points,
                  .body = body,
                  .user = user,
                  .lanes = visit_lanes(n_points)};
    size_t entries, total;
    if (!owi_size_add(2 * known->width, known->n_rows, &entries) ||
        !owi_size_multiply(entries, work.lanes, &work.worker_floats) ||
        !owi_size_multiply(owi_near_rows_workers(call, n_points), work.worker_floats,
                           &total))
        return owi_fail(OW_ERR_MEMORY, "%zu rows of %zu entries are too many for distances",
                        known->n_rows, known->width);
    work.scratch = owi_alloc_aligned(known->ctx, total, sizeof *work.scratch);
    if (work.scratch == NULL) return OW_ERR_MEMORY;
    const ow_status status =
        owi_parallel_rows(call, n_points, work.lanes, visit_chunk, &work);
    owi_free_aligned(known->ctx, work.scratch);
    return status;
}
