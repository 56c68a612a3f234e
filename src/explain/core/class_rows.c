/* SPDX-License-Identifier: MIT */
#include "explain/core/class_rows.h"

#include "base/memory/alloc.h"
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
    ow_context *ctx = problem->ctx;
    float *soft = owi_alloc_array(ctx, n * problem->soft_width, sizeof *soft);
    double *log_proba = owi_alloc_array(ctx, n * C, sizeof *log_proba);
    int32_t *predicted = owi_alloc_array(ctx, n, sizeof *predicted);
    known->sampled = owi_alloc_array(ctx, n * d, sizeof *known->sampled);
    known->rows = owi_alloc_array(ctx, n, sizeof *known->rows);
    ow_status status = OW_ERR_MEMORY;
    if (soft == NULL || log_proba == NULL || predicted == NULL || known->sampled == NULL ||
        known->rows == NULL)
        goto done;

    n = 0;
    for (size_t c = 0; c < C; c++) {
        const float *samples = ow_model_samples(problem->model, c, &n_of_class);
        ow_model_decode(problem->model, n_of_class, samples, known->sampled + n * d);
        n += n_of_class;
    }
    ow_model_soften(problem->model, n, known->sampled, soft);
    status = ow_classify(problem->classifier, n, soft, log_proba);
    for (size_t i = 0; i < n; i++)
        predicted[i] = owi_most_probable(C, log_proba + i * C, -1);
    sort_by_class(known, n, predicted);
    known->values = known->sampled;

done:
    owi_free(ctx, predicted);
    owi_free(ctx, log_proba);
    owi_free(ctx, soft);
    return status;
}

static ow_status take_background(const owi_problem *problem, owi_class_rows *known)
{
    const owi_background *background = problem->background;
    known->rows = owi_alloc_array(problem->ctx, background->n_rows, sizeof *known->rows);
    if (known->rows == NULL) return OW_ERR_MEMORY;
    sort_by_class(known, background->n_rows, background->predicted);
    known->values = background->values;
    return OW_OK;
}

void owi_class_rows_clear(owi_class_rows *known)
{
    if (known->ctx == NULL) return;
    owi_free(known->ctx, known->sampled);
    owi_free(known->ctx, known->rows);
    owi_free(known->ctx, known->start);
    *known = (owi_class_rows){0};
}

ow_status owi_class_rows_init(owi_class_rows *known, const owi_problem *problem)
{
    *known = (owi_class_rows){.ctx = problem->ctx, .n_classes = problem->n_classes};
    known->start =
        owi_alloc_array(problem->ctx, problem->n_classes + 1, sizeof *known->start);
    ow_status status = OW_ERR_MEMORY;
    if (known->start != NULL)
        status = problem->background != NULL ? take_background(problem, known)
                                             : take_samples(problem, known);
    if (status != OW_OK) owi_class_rows_clear(known);
    return status;
}
