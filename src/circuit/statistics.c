/* SPDX-License-Identifier: MIT */
#include "circuit/statistics.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* A chunk is as many rows as make adding its sums cheap beside computing them; a batch is four tiles, over
 * which the statistics kernel keeps its sums in registers. */
enum { chunk_rows = 1024, batch_rows = 4 * owi_tile_lanes, entries_at_a_time = 1 << 14 };

typedef struct owi_collect_worker {
    owi_pass pass;
    float *sums;     /* of one chunk: layout.n          */
    double *figures; /* of one chunk: 3 C, see add_row  */
    float *rows;     /* a batch of one class's rows     */
    int32_t *classes;
} worker;

owi_sum_layout owi_sum_layout_of(const ow_circuit *circuit)
{
    const size_t n_regions = circuit->regions.n_copies * circuit->regions.n_regions;
    const size_t I = circuit->spec.inputs;
    owi_sum_layout layout = {.leaf = 0, .weight = circuit->n_leaf};
    layout.whole = layout.weight + circuit->n_weights;
    layout.gappy = layout.whole + n_regions * I;
    layout.there = layout.gappy + n_regions * I;
    layout.n = layout.there + circuit->gap_start[n_regions] * I;
    return layout;
}

/* ---- Making and unmaking ---- */

static void clear_worker(ow_context *ctx, worker *w)
{
    owi_pass_clear(&w->pass);
    owi_free_aligned(ctx, w->sums);
    owi_free(ctx, w->figures);
    owi_free(ctx, w->rows);
    owi_free(ctx, w->classes);
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
    w->classes = owi_alloc_array(ctx, batch_rows, sizeof *w->classes);
    if (w->sums != NULL && w->figures != NULL && w->rows != NULL && w->classes != NULL)
        return OW_OK;
    clear_worker(ctx, w);
    return OW_ERR_MEMORY;
}

ow_status owi_statistics_init(owi_statistics_sum *sums, const ow_circuit *circuit,
                              const owi_backend *backend, const owi_comm *comm,
                              double share)
{
    ow_context *ctx = circuit->ctx;
    const size_t C = circuit->spec.n_classes;

    *sums = (owi_statistics_sum){.circuit = circuit,
                                 .backend = backend,
                                 .comm = comm,
                                 .share = share,
                                 .layout = owi_sum_layout_of(circuit)};
    const size_t n_workers = ow_context_threads(ctx);
    ow_status status = OW_ERR_MEMORY;
    sums->sum = owi_alloc_array(ctx, sums->layout.n, sizeof *sums->sum);
    sums->class_rows = owi_alloc_array(ctx, 3 * C, sizeof *sums->class_rows);
    sums->workers = owi_alloc_array(ctx, n_workers, sizeof *sums->workers);
    if (sums->sum == NULL || sums->class_rows == NULL || sums->workers == NULL) goto fail;
    sums->class_log = sums->class_rows + C;
    sums->class_log_posterior = sums->class_log + C;
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

void owi_statistics_clear(owi_statistics_sum *sums)
{
    ow_context *ctx = sums->circuit->ctx;
    for (size_t i = 0; i < sums->n_workers; i++) clear_worker(ctx, &sums->workers[i]);
    owi_free(ctx, sums->workers);
    owi_free(ctx, sums->sum);
    owi_free(ctx, sums->class_rows);
    sums->workers = NULL;
    sums->sum = sums->class_rows = NULL;
    sums->n_workers = 0;
}

void owi_statistics_reset(owi_statistics_sum *sums)
{
    memset(sums->sum, 0, sums->layout.n * sizeof *sums->sum);
    memset(sums->class_rows, 0,
           3 * sums->circuit->spec.n_classes * sizeof *sums->class_rows);
}

/* ---- One chunk ---- */

/* Seeds a row, and adds its share to the figures: rows, log S(x given y), log P(y given x). */
static void seed_row(const owi_statistics_sum *sums, worker *w, size_t row, size_t y)
{
    const size_t C = sums->circuit->spec.n_classes;
    owi_pass *pass = &w->pass;
    const double log_y = owi_pass_log_class(pass, row, y);

    w->figures[y] += 1.0;
    w->figures[C + y] += log_y;
    owi_pass_set_seed(pass, row, y, 1.0f);
    if (sums->share == 0.0) return;
    double *log_class = pass->class_row, *posterior = log_class + C;
    for (size_t c = 0; c < C; c++) log_class[c] = owi_pass_log_class(pass, row, c);
    ow_circuit_posterior(sums->circuit, 1, log_class, NULL, posterior);
    w->figures[2 * C + y] += log(posterior[y]);
    for (size_t c = 0; c < C; c++) {
        const double seed = (c == y) - sums->share * posterior[c];
        owi_pass_set_seed(pass, row, c, (float)seed);
    }
}

static ow_status run_batch(const owi_statistics_sum *sums, worker *w, size_t n,
                           size_t first_copy, size_t n_copies)
{
    owi_pass *pass = &w->pass;
    OWI_TRY(owi_pass_forward_some(pass, n, w->rows, 0, first_copy, n_copies));
    owi_pass_clear_seeds(pass);
    for (size_t row = 0; row < n; row++) seed_row(sums, w, row, (size_t)w->classes[row]);
    float *const base = w->sums;
    const owi_statistics statistics = {
        .leaf = base + sums->layout.leaf,
        .leaf_whole = base + sums->layout.whole,
        .leaf_gappy = base + sums->layout.gappy,
        .leaf_there = base + sums->layout.there,
        .weight = base + sums->layout.weight,
    };
    owi_pass_backward(pass, &statistics);
    return OW_OK;
}

typedef struct {
    owi_statistics_sum *sums;
    const float *rows;
    const int32_t *classes;
    size_t wave; /* the first row of this wave of chunks */
} collection;

/* The rows of a chunk whose class is in [first_class, first_class + n_classes), in batches. */
static ow_status run_classes(const collection *all, const owi_chunk *chunk, worker *w,
                             size_t first_class, size_t n_classes, size_t first_copy,
                             size_t n_copies)
{
    const size_t d = all->sums->circuit->spec.n_columns;
    const size_t first = all->wave + chunk->first;
    size_t n = 0;

    for (size_t i = first; i < first + chunk->n; i++) {
        const size_t c = (size_t)all->classes[i];
        if (c < first_class || c >= first_class + n_classes) continue;
        memcpy(w->rows + n * d, all->rows + i * d, d * sizeof *w->rows);
        w->classes[n++] = all->classes[i];
        if (n < batch_rows) continue;
        OWI_TRY(run_batch(all->sums, w, n, first_copy, n_copies));
        n = 0;
    }
    return n > 0 ? run_batch(all->sums, w, n, first_copy, n_copies) : OW_OK;
}

static ow_status run_chunk(void *user, const owi_chunk *chunk)
{
    const collection *all = user;
    const ow_circuit *circuit = all->sums->circuit;
    const size_t C = circuit->spec.n_classes;
    worker *w =
        &all->sums->workers[chunk->chunk]; /* the wave has as many chunks as workers */

    memset(w->sums, 0, all->sums->layout.n * sizeof *w->sums);
    memset(w->figures, 0, 3 * C * sizeof *w->figures);
    if (circuit->spec.structure == OW_SHARED || all->sums->share > 0.0)
        return run_classes(all, chunk, w, 0, C, 0, circuit->regions.n_copies);
    for (size_t c = 0; c < C; c++) OWI_TRY(run_classes(all, chunk, w, c, 1, c, 1));
    return OW_OK;
}

/* ---- Adding up ---- */

typedef struct {
    owi_statistics_sum *sums;
    size_t n_chunks;
} addition;

static ow_status add_entries(void *user, const owi_chunk *entries)
{
    const addition *add = user;
    for (size_t i = entries->first; i < entries->first + entries->n; i++) {
        double sum = add->sums->sum[i];
        for (size_t chunk = 0; chunk < add->n_chunks; chunk++)
            sum += (double)add->sums->workers[chunk].sums[i];
        add->sums->sum[i] = sum;
    }
    return OW_OK;
}

ow_status owi_statistics_add(owi_statistics_sum *sums, size_t n_rows, const float *rows,
                             const int32_t *classes)
{
    ow_context *ctx = sums->circuit->ctx;
    const size_t C = sums->circuit->spec.n_classes;
    const size_t most = sums->n_workers * chunk_rows;

    for (size_t wave = 0; wave < n_rows; wave += most) {
        const size_t n = n_rows - wave < most ? n_rows - wave : most;
        collection all = {sums, rows, classes, wave};
        addition add = {sums, (n + chunk_rows - 1) / chunk_rows};
        OWI_TRY(owi_parallel_rows(ctx, n, chunk_rows, run_chunk, &all));
        OWI_TRY(
            owi_parallel_rows(ctx, sums->layout.n, entries_at_a_time, add_entries, &add));
        for (size_t chunk = 0; chunk < add.n_chunks; chunk++)
            for (size_t i = 0; i < 3 * C; i++)
                sums->class_rows[i] += sums->workers[chunk].figures[i];
    }
    return OW_OK;
}

ow_status owi_statistics_finish(owi_statistics_sum *sums)
{
    OWI_TRY(sums->comm->add_up(sums->comm, sums->sum, sums->layout.n));
    return sums->comm->add_up(sums->comm, sums->class_rows,
                              3 * sums->circuit->spec.n_classes);
}
