/* SPDX-License-Identifier: MIT */
/* What explaining needs to know of the columns of the training rows, so that it does not
 * need the rows; of the classes: class_figures.c. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/sorted.h"
#include "base/threads/parallel.h"
#include "model/class_limits.h"
#include "model/train/plan_number.h"

/* Of the rows of a class, so many at each end of a column are unusual. */
static const double usual_share = 0.01;

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

/* The median distance from the median.  The distances below it ascend towards the first
 * value, those above towards the last: merged up to the middle they need no sorting. */
static double mad_of(const double *sorted, size_t n, double *scratch)
{
    if (n == 0) return 0.0;
    const double middle = owi_quantile(sorted, n, 0.5);
    size_t above = 0, m = 0;
    while (above < n && sorted[above] < middle) above++;
    for (size_t below = above; m < n; m++) {
        const bool left = above == n || (below > 0 && middle - sorted[below - 1] <
                                                          sorted[above] - middle);
        scratch[m] = left ? middle - sorted[--below] : sorted[above++] - middle;
    }
    return owi_quantile(scratch, n, 0.5);
}

/* What of one column is usual among rows of each class: from its 1 % to its 99 % quantile,
 * codes aside, which lie outside n ascending values. */
static void set_limits(ow_model *model, const owi_row_sample *sample, size_t j,
                       const double *sorted, size_t n, double *scratch)
{
    const size_t C = ow_schema_n_classes(model->schema), n_columns = model->plan.n_columns;
    for (size_t c = 0; c < C && n > 0; c++) {
        double *limits = model->class_limits + 2 * (c * n_columns + j);
        size_t m = 0;
        for (size_t i = 0; i < sample->n_rows; i++) {
            const double x = sample->values[i * n_columns + j];
            if (sample->classes[i] == (int32_t)c && x >= sorted[0] && x <= sorted[n - 1])
                scratch[m++] = x;
        }
        limits[0] = sorted[0];
        limits[1] = sorted[n - 1];
        if (m == 0) continue;
        owi_sort_numbers(scratch, m);
        limits[0] = owi_quantile(scratch, m, usual_share);
        limits[1] = owi_quantile(scratch, m, 1.0 - usual_share);
    }
}

typedef struct {
    ow_model *model;
    const owi_row_sample *sample;
    bool drops;
    double *scratch; /* of each worker: sorted values, and as many again */
} column_work;

static void set_column(const column_work *work, size_t j, double *sorted)
{
    ow_model *model = work->model;
    const owi_row_sample *sample = work->sample;
    const size_t n_columns = model->plan.n_columns, each = owi_n_quantiles + owi_most_seen;
    const ow_column *column = ow_schema_column(model->schema, j);
    double *scratch = sorted + sample->n_rows;
    size_t n = 0;
    if (column->n_levels > 0) return;
    for (size_t i = 0; i < sample->n_rows; i++) {
        const double x = sample->values[i * n_columns + j];
        if (!isnan(x)) sorted[n++] = x;
    }
    owi_sort_numbers(sorted, n);
    if (work->drops) n = owi_drop_codes(sorted, n);
    if (model->class_limits != NULL) set_limits(model, sample, j, sorted, n, scratch);
    const double mad = mad_of(sorted, n, scratch);
    model->columns[j] = figures_of(column, sorted, n, model->column_values + j * each);
    model->columns[j].mad = mad;
}

static ow_status set_columns(void *user, const owi_chunk *chunk)
{
    const column_work *work = user;
    double *sorted = work->scratch + chunk->worker * 2 * work->sample->n_rows;
    for (size_t j = 0; j < chunk->n; j++) set_column(work, chunk->first + j, sorted);
    return OW_OK;
}

ow_status owi_model_set_columns(ow_model *model, const owi_call *call, bool drops,
                                const owi_row_sample *sample)
{
    enum { columns_of_chunk = 8 };
    const size_t n_columns = model->plan.n_columns, each = owi_n_quantiles + owi_most_seen;
    const size_t n_workers = owi_parallel_workers(call, n_columns, columns_of_chunk);
    column_work work = {model, sample, drops,
                        owi_alloc_array(model->ctx, n_workers * 2 * sample->n_rows,
                                        sizeof *work.scratch)};
    model->column_values =
        owi_alloc_array(model->ctx, n_columns * each, sizeof *model->column_values);
    ow_status status =
        work.scratch != NULL && model->column_values != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK && drops) status = owi_model_limits_new(model);
    if (status == OW_OK)
        status = owi_parallel_rows(call, n_columns, columns_of_chunk, set_columns, &work);
    owi_free(model->ctx, work.scratch);
    return status;
}
