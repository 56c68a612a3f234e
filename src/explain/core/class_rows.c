/* SPDX-License-Identifier: MIT */
#include "explain/core/class_rows.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "explain/core/background.h"
#include "model/model_private.h"

/* Sorts rows by class, in their own order within each. */
static void sort_by_class(owi_class_rows *known, size_t n, const int32_t *predicted)
{
    size_t at = 0;
    for (size_t c = 0; c < known->n_classes; c++) {
        known->start[c] = at;
        for (size_t i = 0; i < n; i++)
            if (predicted[i] == (int32_t)c) known->rows[at++] = i;
    }
    known->start[known->n_classes] = at;
}

/* The samples of all classes in original units, and the classes that they are given to. */
static ow_status take_samples(const owi_problem *problem, owi_class_rows *known)
{
    const size_t C = problem->n_classes, d = problem->n_columns;
    size_t n = 0, n_of_class;
    for (size_t c = 0; c < C; c++) {
        ow_model_samples(problem->model, c, &n_of_class);
        n += n_of_class;
    }
    const owi_piece kept[] = {OWI_PIECE(known->sampled, n * d), OWI_PIECE(known->rows, n),
                              OWI_PIECE(known->start, C + 1)};
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(kept), &known->workspace));
    int32_t *predicted = owi_alloc_array(problem->ctx, n, sizeof *predicted);
    if (predicted == NULL) return OW_ERR_MEMORY;
    n = 0;
    for (size_t c = 0; c < C; c++) {
        const float *samples = ow_model_samples(problem->model, c, &n_of_class);
        ow_model_decode(problem->model, n_of_class, samples, known->sampled + n * d);
        n += n_of_class;
    }
    const ow_status status =
        owi_decide_known(problem->call, problem->model, problem->classifier, n,
                         known->sampled, NULL, predicted);
    if (status == OW_OK) sort_by_class(known, n, predicted);
    known->values = known->sampled;
    owi_free(problem->ctx, predicted);
    return status;
}

static ow_status take_background(const owi_problem *problem, owi_class_rows *known)
{
    const owi_background *background = problem->background;
    const owi_piece kept[] = {OWI_PIECE(known->rows, background->n_rows),
                              OWI_PIECE(known->start, problem->n_classes + 1)};
    OWI_TRY(owi_pieces_new(problem->ctx, OWI_PIECES(kept), &known->workspace));
    sort_by_class(known, background->n_rows, background->predicted);
    known->values = background->values;
    return OW_OK;
}

void owi_class_rows_clear(owi_class_rows *known)
{
    owi_workspace_free(known->workspace);
    *known = (owi_class_rows){0};
}

ow_status owi_class_rows_init(owi_class_rows *known, const owi_problem *problem)
{
    *known = (owi_class_rows){.n_classes = problem->n_classes};
    const ow_status status = problem->background != NULL ? take_background(problem, known)
                                                         : take_samples(problem, known);
    if (status != OW_OK) owi_class_rows_clear(known);
    return status;
}
