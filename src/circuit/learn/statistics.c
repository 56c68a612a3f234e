/* SPDX-License-Identifier: MIT */
#include "circuit/learn/statistics.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "base/threads/team.h"

/* Rows are divided into about so many chunks, which bounds the number of processes that can
 * share them.  Fewer rows than `shortest` take less time than adding their sums; a batch
 * is four tiles, over which the statistics kernel keeps its sums in registers. */
enum { many_chunks = 32, shortest = 2 * owi_tile_lanes, batch_rows = 4 * owi_tile_lanes };

/* How many rows a chunk has: whole tiles, by the number of rows alone. */
static size_t chunk_rows_of(size_t n_rows)
{
    const size_t tiles = n_rows / (many_chunks * owi_tile_lanes);
    return owi_larger(tiles * owi_tile_lanes, shortest);
}

typedef struct owi_collect_worker {
    owi_pass pass;
    float *sums;     /* of one chunk: layout.n, valid for the parts that it has met */
    bool *met;       /* (parts): which those are                                    */
    double *figures; /* of one chunk: 3 C, see set_adjoints                            */
    float *rows;     /* a batch of one class's rows                                 */
} worker;

/* ---- Making and unmaking ---- */

static void clear_worker(ow_context *ctx, worker *w)
{
    owi_pass_clear(&w->pass);
    owi_free_aligned(ctx, w->sums);
    owi_free(ctx, w->figures);
    owi_free(ctx, w->rows);
    owi_free(ctx, w->met);
}

static ow_status init_worker(const owi_statistics_sum *sums, worker *w)
{
    ow_context *ctx = sums->circuit->ctx;
    const ow_circuit_spec *spec = &sums->circuit->spec;

    *w = (worker){0};
    OWI_TRY(owi_pass_init(&w->pass, sums->circuit, sums->backend, batch_rows, true));
    w->sums = owi_alloc_aligned(ctx, sums->layout.n, sizeof *w->sums);
    w->figures = owi_alloc_array(ctx, 3 * spec->n_classes, sizeof *w->figures);
    w->rows = owi_alloc_array(ctx, batch_rows * spec->n_columns, sizeof *w->rows);
    w->met = owi_alloc_array(ctx, owi_sum_n_parts(sums->circuit), sizeof *w->met);
    if (w->sums != NULL && w->figures != NULL && w->rows != NULL && w->met != NULL)
        return OW_OK;
    clear_worker(ctx, w);
    return OW_ERR_MEMORY;
}

ow_status owi_statistics_init(owi_statistics_sum *sums, const owi_call *call,
                              const ow_circuit *circuit, const owi_backend *backend,
                              double share)
{
    ow_context *ctx = circuit->ctx;
    const size_t C = circuit->spec.n_classes, parts = owi_sum_n_parts(circuit);

    *sums = (owi_statistics_sum){.call = call,
                                 .circuit = circuit,
                                 .backend = backend,
                                 .share = share,
                                 .layout = owi_sum_layout_of(circuit)};
    const size_t n_workers = owi_smaller(call->threads, owi_most_workers);
    ow_status status = OW_ERR_MEMORY;
    sums->sum = owi_alloc_aligned(ctx, sums->layout.n, sizeof *sums->sum);
    sums->class_rows = owi_alloc_array(ctx, 3 * C, sizeof *sums->class_rows);
    sums->workers = owi_alloc_array(ctx, n_workers, sizeof *sums->workers);
    sums->met = owi_alloc_array(ctx, 2 * parts, sizeof *sums->met);
    sums->n_segments = owi_sum_segments(circuit, NULL);
    sums->segments = owi_alloc_array(ctx, sums->n_segments, sizeof *sums->segments);
    if (sums->sum == NULL || sums->class_rows == NULL || sums->workers == NULL ||
        sums->met == NULL || sums->segments == NULL)
        goto fail;
    (void)owi_sum_segments(circuit, sums->segments);
    sums->filled = sums->met + parts;
    /* The memory of the totals is not cleared here: whatever it holds counts as filled. */
    for (size_t part = 0; part < parts; part++) sums->filled[part] = true;
    sums->class_log = sums->class_rows + C;
    sums->class_log_posterior = sums->class_log + C;
    status = owi_sum_tree_init(&sums->tree, call, circuit, sums->n_segments, sums->segments,
                               3 * C);
    if (status != OW_OK) goto fail;
    while (sums->n_workers < n_workers) {
        status = init_worker(sums, &sums->workers[sums->n_workers]);
        if (status != OW_OK) goto fail;
        sums->n_workers++;
    }
    return OW_OK;

fail:
    owi_statistics_clear(sums);
    return status;
}

ow_status owi_statistics_use_device(owi_statistics_sum *sums, const owi_device_api *api)
{
    return owi_device_sums_new(api, sums->circuit, &sums->device);
}

void owi_statistics_clear(owi_statistics_sum *sums)
{
    ow_context *ctx = sums->circuit->ctx;
    for (size_t i = 0; i < sums->n_workers; i++) clear_worker(ctx, &sums->workers[i]);
    owi_sum_tree_clear(&sums->tree);
    owi_device_sums_free(sums->device);
    owi_free(ctx, sums->workers);
    owi_free_aligned(ctx, sums->sum);
    owi_free(ctx, sums->class_rows);
    owi_free(ctx, sums->met);
    owi_free(ctx, sums->segments);
    owi_free(ctx, sums->ordered);
    *sums = (owi_statistics_sum){.circuit = sums->circuit};
}

void owi_statistics_reset(owi_statistics_sum *sums)
{
    const ow_circuit *circuit = sums->circuit;
    memset(sums->met, 0, owi_sum_n_parts(circuit) * sizeof *sums->met);
    memset(sums->class_rows, 0, 3 * circuit->spec.n_classes * sizeof *sums->class_rows);
}

/* ---- One chunk ---- */

typedef struct {
    owi_statistics_sum *sums;
    const float *rows;
    const int32_t *classes;
    const size_t *order; /* row numbers by class; NULL: rows as they come */
    size_t wave;         /* the first row of this wave of chunks          */
} collection;

static size_t class_at(const collection *all, size_t at)
{
    return (size_t)all->classes[all->order != NULL ? all->order[at] : at];
}

/* Sets the adjoints of a row of class y at the roots, and adds the row to the figures:
 * number of rows, log S(x given y), log P(y given x). */
static void set_adjoints(const owi_statistics_sum *sums, worker *w, size_t row, size_t y)
{
    const size_t C = sums->circuit->spec.n_classes;
    owi_pass *pass = &w->pass;
    const double log_y = owi_pass_log_class(pass, row, y);

    w->figures[y] += 1.0;
    w->figures[C + y] += log_y;
    owi_pass_set_adjoint(pass, row, y, 1.0f);
    if (sums->share == 0.0) return;
    /* (1 - s) [c = y] + s ([c = y] - P(c given x)) = [c = y] - s P(c given x) */
    double *log_class = pass->class_row, *posterior = log_class + C;
    for (size_t c = 0; c < C; c++) log_class[c] = owi_pass_log_class(pass, row, c);
    ow_circuit_posterior(sums->circuit, 1, log_class, NULL, posterior);
    w->figures[2 * C + y] += log(posterior[y]);
    for (size_t c = 0; c < C; c++) {
        const double adjoint = (c == y) - sums->share * posterior[c];
        owi_pass_set_adjoint(pass, row, c, (float)adjoint);
    }
}

/* A part's sums are cleared when the chunk first meets it: a chunk of few classes does not
 * pay for the copies of the others. */
static void meet_part(const owi_statistics_sum *sums, worker *w, size_t part)
{
    if (w->met[part]) return;
    for (size_t i = 0; i < sums->n_segments; i++)
        if (sums->segments[i].part == part)
            memset(w->sums + sums->segments[i].first, 0,
                   sums->segments[i].n * sizeof *w->sums);
    w->met[part] = true;
}

/* Runs the n rows from place `at` of the order on through some of the copies, forward and
 * backward, and adds their statistics to the worker's sums.  n is at most batch_rows. */
static ow_status run_rows(const collection *all, worker *w, size_t at, size_t n,
                          size_t first_copy, size_t n_copies)
{
    const owi_statistics_sum *sums = all->sums;
    const size_t d = sums->circuit->spec.n_columns;
    const float *rows = w->rows;
    owi_pass *pass = &w->pass;

    /* Rows in the caller's order are used where they are; others are gathered. */
    if (all->order == NULL)
        rows = all->rows + at * d;
    else
        for (size_t i = 0; i < n; i++)
            memcpy(w->rows + i * d, all->rows + all->order[at + i] * d, d * sizeof *rows);
    OWI_TRY(owi_pass_forward_some(pass, n, rows, false, 0, first_copy, n_copies));
    for (size_t copy = first_copy; copy < first_copy + n_copies; copy++) {
        meet_part(sums, w, owi_sum_part(copy, false));
        if (pass->tiles.has_gaps) meet_part(sums, w, owi_sum_part(copy, true));
    }
    owi_pass_clear_adjoints(pass);
    for (size_t i = 0; i < n; i++) set_adjoints(sums, w, i, class_at(all, at + i));
    const owi_statistics statistics = {
        .leaf = w->sums + sums->layout.leaf,
        .leaf_whole = w->sums + sums->layout.whole,
        .leaf_gappy = w->sums + sums->layout.gappy,
        .leaf_there = w->sums + sums->layout.there,
        .weight = w->sums + sums->layout.weight,
    };
    owi_pass_backward(pass, &statistics);
    return OW_OK;
}

/* Runs a chunk in batches.  In class order a batch has rows of one class only, which run
 * through that class's copy alone; otherwise every batch runs through all copies. */
static ow_status run_chunk(void *user, const owi_chunk *chunk)
{
    const collection *all = user;
    const ow_circuit *circuit = all->sums->circuit;
    const size_t first = all->wave + chunk->first, end = first + chunk->n;
    /* The wave has as many chunks as workers. */
    worker *w = &all->sums->workers[chunk->chunk];

    memset(w->met, 0, owi_sum_n_parts(circuit) * sizeof *w->met);
    memset(w->figures, 0, 3 * circuit->spec.n_classes * sizeof *w->figures);
    for (size_t at = first, n; at < end; at += n) {
        const size_t y = class_at(all, at);
        const size_t first_copy = all->order != NULL ? y : 0;
        const size_t n_copies = all->order != NULL ? 1 : circuit->regions.n_copies;
        const size_t most = owi_smaller(batch_rows, end - at);
        /* n: as many rows as fit a batch and, in class order, are of the same class. */
        for (n = 1; n < most && (all->order == NULL || class_at(all, at + n) == y);) n++;
        OWI_TRY(run_rows(all, w, at, n, first_copy, n_copies));
    }
    return OW_OK;
}

/* ---- Adding up ---- */

/* Adds some segments of the tree's root to the totals.  The first that has met a part since
 * the reset assigns its totals. */
static ow_status add_segments(void *user, const owi_chunk *some)
{
    const owi_statistics_sum *sums = user;
    const owi_sum_node *root = owi_sum_tree_root(&sums->tree);
    for (size_t s = some->first; s < some->first + some->n; s++) {
        const owi_sum_segment *segment = &sums->segments[s];
        double *sum = sums->sum + segment->first;
        const float *from = root->part[segment->part];
        if (from == NULL) continue;
        from += sums->tree.within[s];
        if (sums->met[segment->part])
            for (size_t i = 0; i < segment->n; i++) sum[i] += (double)from[i];
        else
            for (size_t i = 0; i < segment->n; i++) sum[i] = (double)from[i];
    }
    return OW_OK;
}

/* Adds the sum of all chunks to the totals. */
static ow_status add_root(owi_statistics_sum *sums)
{
    const ow_circuit *circuit = sums->circuit;
    const owi_sum_node *root = owi_sum_tree_root(&sums->tree);
    OWI_TRY(owi_parallel_rows(sums->call, sums->n_segments, 1, add_segments, sums));
    for (size_t part = 0; part < owi_sum_n_parts(circuit); part++)
        sums->met[part] |= root->part[part] != NULL;
    for (size_t i = 0; i < 3 * circuit->spec.n_classes; i++)
        sums->class_rows[i] += root->figures[i];
    return OW_OK;
}

/* Sums up chunks [own.first, own.end), as many at a time as there are workers. */
static ow_status add_chunks(owi_statistics_sum *sums, collection *all, owi_share own,
                            size_t n_rows, size_t chunk_rows)
{
    for (size_t wave = own.first, n; wave < own.end; wave += n) {
        n = owi_smaller(sums->n_workers, own.end - wave);
        all->wave = wave * chunk_rows;
        const size_t rows = owi_smaller(n_rows - all->wave, n * chunk_rows);
        OWI_TRY(owi_parallel_rows(sums->call, rows, chunk_rows, run_chunk, all));
        for (size_t i = 0; i < n; i++) {
            const worker *w = &sums->workers[i];
            OWI_TRY(owi_sum_tree_add(&sums->tree, wave + i, w->met, w->figures, w->sums));
        }
    }
    return OW_OK;
}

/* Row numbers sorted by class, those of one class in the order of the batch. */
static ow_status order_by_class(owi_statistics_sum *sums, size_t n_rows,
                                const int32_t *classes)
{
    size_t n = 0;
    OWI_TRY(owi_grow(sums->circuit->ctx, &sums->ordered, &sums->n_ordered, n_rows,
                     sizeof *sums->ordered));
    for (size_t c = 0; c < sums->circuit->spec.n_classes; c++)
        for (size_t i = 0; i < n_rows; i++)
            if ((size_t)classes[i] == c) sums->ordered[n++] = i;
    return OW_OK;
}

/* All of the batch on a device. */
static ow_status add_there(owi_statistics_sum *sums, size_t n_rows, const float *rows,
                           const int32_t *classes)
{
    owi_device_sums *device = sums->device;
    OWI_TRY(owi_device_sums_add(sums->call, device, sums->share, n_rows, rows, classes));
    owi_sum_tree_begin(&sums->tree, 1);
    OWI_TRY(owi_sum_tree_add(&sums->tree, 0, device->met, device->figures, device->block));
    return add_root(sums);
}

ow_status owi_statistics_add(owi_statistics_sum *sums, size_t n_rows, const float *rows,
                             const int32_t *classes)
{
    const size_t chunk_rows = chunk_rows_of(n_rows);
    const size_t n_chunks = (n_rows + chunk_rows - 1) / chunk_rows;
    const bool divided = n_chunks > 1; /* one chunk is not worth a message */
    const bool by_class =
        sums->circuit->spec.structure == OW_STRUCTURE_PER_CLASS && sums->share == 0.0;

    if (n_rows == 0) return OW_OK;
    if (sums->device != NULL) return add_there(sums, n_rows, rows, classes);
    if (by_class) OWI_TRY(order_by_class(sums, n_rows, classes));
    collection all = {sums, rows, classes, by_class ? sums->ordered : NULL, 0};
    const owi_share own =
        divided ? owi_team_own_share(sums->call, n_chunks) : (owi_share){0, n_chunks};
    owi_sum_tree_begin(&sums->tree, n_chunks);
    ow_status status = add_chunks(sums, &all, own, n_rows, chunk_rows);
    if (divided) status = owi_sum_tree_exchange(&sums->tree, status);
    OWI_TRY(status);
    return add_root(sums);
}

/* The totals of a part that no row has met since the reset are those of the pass before:
 * they become 0, unless they are already. */
static void clear_unmet(owi_statistics_sum *sums)
{
    for (size_t i = 0; i < sums->n_segments; i++) {
        const owi_sum_segment *segment = &sums->segments[i];
        if (sums->met[segment->part] || !sums->filled[segment->part]) continue;
        if (owi_sum_is_of_gaps(segment->part) && !sums->has_gaps) continue;
        memset(sums->sum + segment->first, 0, segment->n * sizeof *sums->sum);
    }
}

void owi_statistics_finish(owi_statistics_sum *sums)
{
    const size_t parts = owi_sum_n_parts(sums->circuit);
    for (size_t part = 0; part < parts; part++)
        sums->has_gaps |= owi_sum_is_of_gaps(part) && sums->met[part];
    clear_unmet(sums);
    /* Parts of missing values keep `filled` as long as nobody has cleared them. */
    for (size_t part = 0; part < parts; part++)
        if (!owi_sum_is_of_gaps(part) || sums->has_gaps)
            sums->filled[part] = sums->met[part];
}
