/* SPDX-License-Identifier: MIT */
/* Stratified splits.
 *
 * Every row draws a key from a random stream of its own, and the rows are sorted by class,
 * then by key: each class becomes a run in random order.
 *
 *     share   Of a run of n_c rows the first q_c are test rows, q_c being share * n_c
 *             rounded down or up.  The classes with the largest remainders are rounded up,
 *             as many as it takes to reach round(share * n) in all (the method of the
 *             largest remainder).
 *     folds   Position p of the sorted rows goes to fold p mod k: both the whole and every
 *             run are dealt out evenly, to within one row. */
#include "data/rows/split.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/rng.h"
#include "base/sort.h"

typedef struct {
    int32_t class_index;
    uint64_t key;
    size_t row;
} drawn_row;

/* A class's run among the sorted rows. */
typedef struct {
    size_t first, n_rows, n_test;
    double remainder;
} run;

static int by_class_then_key(const void *left, const void *right)
{
    const drawn_row *a = left, *b = right;
    if (a->class_index != b->class_index) return a->class_index < b->class_index ? -1 : 1;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->row < b->row ? -1 : 1;
}

/* Largest first; among equals the lower class. */
static int by_remainder(const void *left, const void *right)
{
    const run *a = left, *b = right;
    if (a->remainder != b->remainder) return a->remainder > b->remainder ? -1 : 1;
    return a->first < b->first ? -1 : 1;
}

/* The rows sorted by class, each class in random order; freed by the caller. */
static ow_status draw_rows(const owi_call *call, size_t n_rows, const int32_t *classes,
                           uint64_t seed, drawn_row **out)
{
    enum { rows_per_tick = 1 << 14 };
    drawn_row *rows = owi_alloc_array(call->ctx, n_rows, sizeof *rows);
    if (rows == NULL) return OW_ERR_MEMORY;
    ow_status status = OW_OK;
    for (size_t i = 0; i < n_rows && status == OW_OK; i++) {
        if (i % rows_per_tick == 0) status = owi_call_tick(call);
        owi_rng rng;
        owi_rng_init(&rng, seed, owi_rng_stream(OWI_DRAWS_SPLIT, i));
        rows[i] = (drawn_row){classes != NULL ? classes[i] : 0, owi_rng_u64(&rng), i};
    }
    if (status == OW_OK)
        status = owi_sort(call, rows, n_rows, sizeof *rows, by_class_then_key);
    if (status == OW_OK)
        *out = rows;
    else
        owi_free(call->ctx, rows);
    return status;
}

/* Where the run that begins at first ends. */
static size_t run_end(const drawn_row *rows, size_t n_rows, size_t first)
{
    size_t end = first;
    while (end < n_rows && rows[end].class_index == rows[first].class_index) end++;
    return end;
}

static ow_status find_runs(ow_context *ctx, const drawn_row *rows, size_t n_rows, run **out,
                           size_t *n_runs)
{
    size_t n = 0;
    for (size_t i = 0; i < n_rows; i = run_end(rows, n_rows, i)) n++;
    run *runs = owi_alloc_array(ctx, n, sizeof *runs);
    if (runs == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0, first = 0; i < n; i++) {
        runs[i].first = first;
        runs[i].n_rows = run_end(rows, n_rows, first) - first;
        first += runs[i].n_rows;
    }
    *out = runs;
    *n_runs = n;
    return OW_OK;
}

/* n_test for every run.  The remainders sum to more than (rows still to give) - 1, and each
 * is below 1: there are always enough runs with a remainder to round up. */
static void share_out(run *runs, size_t n_runs, size_t n_rows, double share)
{
    size_t left = (size_t)round(share * (double)n_rows);
    for (size_t i = 0; i < n_runs; i++) {
        const double quota = share * (double)runs[i].n_rows;
        runs[i].n_test = (size_t)quota;
        runs[i].remainder = quota - floor(quota);
        left -= runs[i].n_test;
    }
    qsort(runs, n_runs, sizeof *runs, by_remainder);
    for (size_t i = 0; i < left; i++) runs[i].n_test++;
}

ow_status owi_split_by_share(const owi_call *call, size_t n_rows, const int32_t *classes,
                             double share, uint64_t seed, bool *is_test)
{
    ow_context *ctx = call->ctx;
    drawn_row *rows = NULL;
    run *runs = NULL;
    size_t n_runs = 0;

    if (!(share >= 0.0 && share <= 1.0))
        return owi_fail(OW_ERR_ARGUMENT, "the share of test rows is %g, not 0 to 1", share);

    ow_status status = draw_rows(call, n_rows, classes, seed, &rows);
    if (status != OW_OK) goto done;
    status = find_runs(ctx, rows, n_rows, &runs, &n_runs);
    if (status != OW_OK) goto done;

    share_out(runs, n_runs, n_rows, share);
    for (size_t r = 0; r < n_runs; r++)
        for (size_t i = 0; i < runs[r].n_rows; i++)
            is_test[rows[runs[r].first + i].row] = i < runs[r].n_test;

done:
    owi_free(ctx, runs);
    owi_free(ctx, rows);
    return status;
}

ow_status ow_split_by_share(ow_context *ctx, size_t n_rows, const int32_t *classes,
                            double share, const ow_call *call, bool *is_test)
{
    owi_call own;
    OWI_REQUIRE(ctx != NULL && is_test != NULL);
    OWI_TRY(owi_call_begin(&own, ctx, call));
    return owi_split_by_share(&own, n_rows, classes, share, own.seed, is_test);
}

ow_status ow_split_folds(ow_context *ctx, size_t n_rows, const int32_t *classes, size_t k,
                         const ow_call *call, int32_t *fold)
{
    drawn_row *rows = NULL;
    owi_call own;

    OWI_REQUIRE(ctx != NULL && fold != NULL);
    if (k < 2 || k > INT32_MAX)
        return owi_fail(OW_ERR_ARGUMENT, "%zu folds, expected 2 to %d", k, INT32_MAX);
    if (k > n_rows)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%zu folds for %zu rows, expected no more than rows", k, n_rows);
    OWI_TRY(owi_call_begin(&own, ctx, call));
    OWI_TRY(draw_rows(&own, n_rows, classes, own.seed, &rows));
    for (size_t p = 0; p < n_rows; p++) fold[rows[p].row] = (int32_t)(p % k);
    owi_free(ctx, rows);
    return OW_OK;
}
