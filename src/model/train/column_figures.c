/* SPDX-License-Identifier: MIT */
/* What explaining needs to know of the columns of the training rows, so that it does not
 * need the rows; of the classes: class_figures.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/sorted.h"
#include "model/model_private.h"
#include "model/train/plan_number.h"

/* n of the `from` ascending entries, evenly spread, the first and the last among them. */
static size_t spread(const double *from, size_t n_from, size_t n, double *to)
{
    if (n_from <= n) {
        memcpy(to, from, n_from * sizeof *to);
        return n_from;
    }
    for (size_t i = 0; i < n; i++)
        to[i] = from[(size_t)((double)i * (double)(n_from - 1) / (double)(n - 1) + 0.5)];
    return n;
}

static size_t drop_repeated(double *sorted, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || sorted[i] != sorted[kept - 1]) sorted[kept++] = sorted[i];
    return kept;
}

/* Figures of one number column from its n sorted values, which are used up; room is for
 * quantiles and seen values. */
static ow_column_figures figures_of(const ow_column *column, double *sorted, size_t n,
                                    double *room)
{
    ow_column_figures figures = {.low = column->low, .high = column->high};
    if (n == 0) return figures;
    figures.low = sorted[0];
    figures.high = sorted[n - 1];
    figures.quantiles = room;
    figures.n_quantiles = spread(sorted, n, owi_n_quantiles, room);
    const size_t n_different = drop_repeated(sorted, n);
    figures.seen = room + owi_n_quantiles;
    figures.n_seen = spread(sorted, n_different, owi_most_seen, room + owi_n_quantiles);
    return figures;
}

static double mad_of(const double *sorted, size_t n, double *scratch)
{
    if (n == 0) return 0.0;
    const double middle = owi_quantile(sorted, n, 0.5);
    for (size_t i = 0; i < n; i++) scratch[i] = fabs(sorted[i] - middle);
    owi_sort_numbers(scratch, n);
    return owi_quantile(scratch, n, 0.5);
}

ow_status owi_model_set_columns(ow_model *model, const owi_call *call,
                                const owi_row_sample *sample)
{
    const size_t n_columns = model->plan.n_columns, each = owi_n_quantiles + owi_most_seen;
    double *sorted = owi_alloc_array(model->ctx, 2 * sample->n_rows, sizeof *sorted);
    model->column_values =
        owi_alloc_array(model->ctx, n_columns * each, sizeof *model->column_values);
    if (sorted == NULL || model->column_values == NULL) {
        owi_free(model->ctx, sorted);
        return OW_ERR_MEMORY;
    }
    ow_status status = OW_OK;
    for (size_t j = 0; j < n_columns && status == OW_OK; j++) {
        const ow_column *column = ow_schema_column(model->schema, j);
        size_t n = 0;
        if (column->n_levels > 0) continue;
        status = owi_call_tick(call);
        for (size_t i = 0; i < sample->n_rows; i++) {
            const double x = sample->values[i * n_columns + j];
            if (!isnan(x)) sorted[n++] = x;
        }
        owi_sort_numbers(sorted, n);
        const owi_column_plan *plan = &model->plan.columns[j];
        if (plan->kind == OWI_PLAN_MASSES)
            n = owi_drop_codes(plan->values, plan->n_values, sorted, n);
        const double mad = mad_of(sorted, n, sorted + sample->n_rows);
        model->columns[j] = figures_of(column, sorted, n, model->column_values + j * each);
        model->columns[j].mad = mad;
    }
    owi_free(model->ctx, sorted);
    return status;
}
