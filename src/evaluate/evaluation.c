/* SPDX-License-Identifier: MIT */
#include "evaluate/evaluation.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"

static ow_status run_init(ow_context *ctx, size_t n_rows, owi_run *run)
{
    const owi_piece pieces[] = {OWI_PIECE(run->rows, n_rows),
                                {&run->figures, n_rows,
                                 OWI_N_METRICS * sizeof *run->figures}};
    OWI_TRY(owi_pieces_new(ctx, OWI_PIECES(pieces), &run->workspace));
    for (size_t i = 0; i < n_rows * OWI_N_METRICS; i++) run->figures[i] = NAN;
    for (size_t m = 0; m < OWI_N_METRICS; m++) run->whole[m] = NAN;
    return OW_OK;
}

ow_status owi_evaluation_new(ow_context *ctx, size_t n_methods, size_t n_seeds,
                             size_t n_rows, ow_evaluation **out)
{
    *out = NULL;
    ow_evaluation *e = owi_alloc_zeroed(ctx, sizeof *e);
    if (e == NULL) return OW_ERR_MEMORY;
    e->ctx = ctx;
    e->info =
        (ow_evaluation_info){.n_methods = n_methods, .n_seeds = n_seeds, .n_rows = n_rows};
    const owi_piece pieces[] = {
        OWI_PIECE(e->entrants, n_methods),
        OWI_PIECE(e->runs, n_seeds * n_methods),
        OWI_PIECE(e->real, n_seeds),
        OWI_PIECE(e->real_figures, OWI_N_METRICS),
        OWI_PIECE(e->standings, n_methods),
        OWI_PIECE(e->figures, n_methods * OWI_N_METRICS),
    };
    ow_status status = owi_pieces_new(ctx, OWI_PIECES(pieces), &e->workspace);
    for (size_t r = 0; r < n_seeds * n_methods && status == OW_OK; r++)
        status = run_init(ctx, n_rows, &e->runs[r]);
    for (size_t s = 0; s < n_seeds && status == OW_OK; s++)
        status = run_init(ctx, n_rows, &e->real[s]);
    if (status != OW_OK) {
        ow_evaluation_free(e);
        return status;
    }
    *out = e;
    return OW_OK;
}

static void entrant_clear(ow_context *ctx, owi_entrant *entrant)
{
    for (size_t k = 0; k < entrant->n_settings; k++)
        owi_free(ctx, (char *)entrant->settings[k].value);
    owi_free(ctx, entrant->settings);
    owi_free(ctx, entrant->name);
}

static void runs_clear(size_t n, owi_run *runs)
{
    for (size_t r = 0; runs != NULL && r < n; r++) owi_workspace_free(runs[r].workspace);
}

void ow_evaluation_free(ow_evaluation *evaluation)
{
    ow_evaluation *e = evaluation;
    if (e == NULL) return;
    for (size_t m = 0; e->entrants != NULL && m < e->info.n_methods; m++)
        entrant_clear(e->ctx, &e->entrants[m]);
    runs_clear(e->info.n_seeds * e->info.n_methods, e->runs);
    runs_clear(e->info.n_seeds, e->real);
    owi_workspace_free(e->workspace);
    owi_free(e->ctx, e);
}

const ow_evaluation_info *ow_evaluation_get_info(const ow_evaluation *evaluation)
{
    return &evaluation->info;
}

const ow_standing *ow_evaluation_standing(const ow_evaluation *evaluation, size_t method)
{
    return &evaluation->standings[method];
}

ow_figure ow_evaluation_figure(const ow_evaluation *evaluation, size_t method,
                               size_t metric)
{
    return evaluation->figures[method * OWI_N_METRICS + metric];
}

ow_figure ow_evaluation_real_rows(const ow_evaluation *evaluation, size_t metric)
{
    return evaluation->real_figures[metric];
}

ow_row_result ow_evaluation_row(const ow_evaluation *evaluation, size_t seed, size_t method,
                                size_t row)
{
    const owi_run *run = owi_evaluation_run(evaluation, seed, method);
    const owi_row_state *state = &run->rows[row];
    return (ow_row_result){.complete = run->complete,
                           .kind = state->kind,
                           .reason = state->reason,
                           .predicted = state->predicted,
                           .target = state->target,
                           .valid = state->valid,
                           .figures = run->figures + row * OWI_N_METRICS};
}
