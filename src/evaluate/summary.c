/* SPDX-License-Identifier: MIT */
/* From figures of rows to figures of methods: means over the rows that count, then mean and
 * standard deviation over the seeds. */
#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/workspace.h"
#include "base/numeric/sorted.h"
#include "evaluate/evaluation.h"

/* Numbers as they come.  Their squares are taken around the first of them, so that little
 * is lost where they are large and hardly differ. */
typedef struct {
    size_t n;
    double sum, origin, offset, squares;
} tally;

static void tally_add(tally *t, double x)
{
    if (isnan(x)) return;
    if (t->n++ == 0) t->origin = x;
    t->sum += x;
    t->offset += x - t->origin;
    t->squares += (x - t->origin) * (x - t->origin);
}

static double tally_mean(const tally *t)
{
    return t->n > 0 ? t->sum / (double)t->n : NAN;
}

/* The standard deviation, with n - 1. */
static double tally_deviation(const tally *t)
{
    if (t->n < 2) return NAN;
    const double n = (double)t->n;
    const double variance = (t->squares - t->offset * t->offset / n) / (n - 1.0);
    return isfinite(variance) ? sqrt(fmax(variance, 0.0)) : NAN;
}

/* The mean of a metric over the rows that have it; among: only these, NULL: all. */
static double mean_of_run(const owi_run *run, size_t n_rows, size_t metric,
                          const bool *among)
{
    tally rows = {0};
    for (size_t i = 0; i < n_rows; i++)
        if (among == NULL || among[i])
            tally_add(&rows, run->figures[i * OWI_N_METRICS + metric]);
    return tally_mean(&rows);
}

/* Which queries every method that is complete has solved with this seed; returns how
 * many. */
static size_t find_common(const ow_evaluation *e, size_t seed, bool *common)
{
    size_t n_common = 0;
    for (size_t i = 0; i < e->info.n_rows; i++) {
        common[i] = false;
        for (size_t m = 0; m < e->info.n_methods; m++) {
            const owi_run *run = owi_evaluation_run(e, seed, m);
            if (!run->complete) continue;
            common[i] = run->rows[i].valid;
            if (!common[i]) break;
        }
        n_common += common[i];
    }
    return n_common;
}

/* One method over all its seeds.  common is n_seeds x n_rows. */
static void summarize_method(ow_evaluation *e, size_t method, const bool *common)
{
    const size_t n_rows = e->info.n_rows;
    ow_figure *figures = e->figures + method * OWI_N_METRICS;
    for (size_t m = 0; m < OWI_N_METRICS; m++) {
        const bool whole = ow_metric_get(m)->base == OW_BASE_METHOD;
        tally all = {0}, shared = {0};
        for (size_t s = 0; s < e->info.n_seeds; s++) {
            const owi_run *run = owi_evaluation_run(e, s, method);
            if (!run->complete) continue;
            tally_add(&all, whole ? run->whole[m] : mean_of_run(run, n_rows, m, NULL));
            if (!whole)
                tally_add(&shared, mean_of_run(run, n_rows, m, common + s * n_rows));
        }
        figures[m] = (ow_figure){.mean = tally_mean(&all),
                                 .deviation = tally_deviation(&all),
                                 .common_mean = tally_mean(&shared),
                                 .common_deviation = tally_deviation(&shared)};
    }
}

/* Rows of the target class, over the seeds of which a run is complete. */
static void summarize_real(ow_evaluation *e)
{
    for (size_t m = 0; m < OWI_N_METRICS; m++) {
        tally all = {0};
        for (size_t s = 0; s < e->info.n_seeds; s++)
            if (e->real[s].complete)
                tally_add(&all, mean_of_run(&e->real[s], e->info.n_rows, m, NULL));
        e->real_figures[m] = (ow_figure){tally_mean(&all), tally_deviation(&all), NAN, NAN};
    }
}

static void count_standing(ow_evaluation *e, size_t method, const size_t *n_common)
{
    const owi_entrant *entrant = &e->entrants[method];
    tally answered = {0}, valid = {0}, shared = {0};
    ow_standing *standing = &e->standings[method];
    for (size_t s = 0; s < e->info.n_seeds; s++) {
        const owi_run *run = owi_evaluation_run(e, s, method);
        size_t n_answered = 0, n_valid = 0;
        if (!run->complete) continue;
        for (size_t i = 0; i < e->info.n_rows; i++) {
            n_answered += run->rows[i].answered;
            n_valid += run->rows[i].valid;
        }
        tally_add(&answered, (double)n_answered);
        tally_add(&valid, (double)n_valid);
        tally_add(&shared, (double)n_common[s]);
    }
    *standing = (ow_standing){.name = entrant->name,
                              .n_seeds = answered.n,
                              .n_answered = tally_mean(&answered),
                              .n_valid = tally_mean(&valid),
                              .n_common = tally_mean(&shared),
                              .n_settings = entrant->n_settings,
                              .settings = entrant->settings};
}

/* Rows that are of the target class already are so for every method and seed: the first run
 * that is complete knows them. */
static void count_already(ow_evaluation *e)
{
    const size_t n_runs = e->info.n_seeds * e->info.n_methods;
    size_t r = 0;
    while (r < n_runs && !e->runs[r].complete) r++;
    e->info.n_already_target = 0;
    for (size_t i = 0; r < n_runs && i < e->info.n_rows; i++)
        e->info.n_already_target += e->runs[r].rows[i].kind == OW_OUTCOME_ALREADY_TARGET;
}

ow_status owi_summarize(ow_evaluation *evaluation)
{
    ow_evaluation *e = evaluation;
    const size_t n_rows = e->info.n_rows, n_seeds = e->info.n_seeds;
    bool *common;
    size_t *n_common;
    owi_workspace *scratch;
    const owi_piece pieces[] = {OWI_PIECE(common, n_seeds * n_rows),
                                OWI_PIECE(n_common, n_seeds)};
    OWI_TRY(owi_pieces_new(e->ctx, OWI_PIECES(pieces), &scratch));
    for (size_t s = 0; s < n_seeds; s++)
        n_common[s] = find_common(e, s, common + s * n_rows);
    for (size_t m = 0; m < e->info.n_methods; m++) {
        summarize_method(e, m, common);
        count_standing(e, m, n_common);
    }
    summarize_real(e);
    count_already(e);
    owi_workspace_free(scratch);
    return OW_OK;
}

ow_status owi_summarize_times(ow_context *ctx, size_t n_rows, owi_run *run)
{
    double *times = owi_alloc_array(ctx, n_rows, sizeof *times);
    size_t n = 0;
    if (times == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < n_rows; i++) {
        const double time = run->figures[i * OWI_N_METRICS + OWI_TIME_MEAN];
        if (!isnan(time)) times[n++] = time;
    }
    owi_sort_numbers(times, n);
    run->whole[OWI_TIME_MEDIAN] = owi_quantile(times, n, 0.5);
    run->whole[OWI_TIME_P95] = owi_quantile(times, n, 0.95);
    owi_free(ctx, times);
    return OW_OK;
}
