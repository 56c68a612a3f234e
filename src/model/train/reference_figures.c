/* SPDX-License-Identifier: MIT */
/* What explaining needs to know of the training rows, so that it does not need the rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/rng.h"
#include "base/numeric/sorted.h"
#include "circuit/pass/evaluator.h"
#include "model/percentile.h"
#include "model/train/plan_number.h"

enum { block_rows = 2048, stream_densities = 1, stream_samples = 2 };

/* ---- Columns ---- */

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

/* ---- Classes ---- */

/* How many rows are drawn for each class: fewer where they are wide, or they would outweigh
 * the circuit. */
static size_t count_samples(size_t n_classes, size_t width)
{
    const size_t fitting = owi_most_sampled / n_classes / width;
    if (fitting < owi_least_samples) return owi_least_samples;
    return owi_smaller(fitting, owi_n_samples);
}

/* Rows drawn from the circuit of each class. */
static ow_status draw_samples(const owi_call *call, ow_model *model, size_t most,
                              ow_evaluator *evaluator)
{
    const size_t width = model->plan.width, C = ow_schema_n_classes(model->schema);
    const size_t n = owi_smaller(count_samples(C, width), most);
    for (size_t c = 0; c < C; c++) {
        owi_class_figures *figures = &model->classes[c];
        int32_t classes[owi_n_samples];
        figures->samples = owi_alloc_array(model->ctx, n * width, sizeof *figures->samples);
        if (figures->samples == NULL) return OW_ERR_MEMORY;
        figures->n_samples = n;
        for (size_t i = 0; i < n * width; i++) figures->samples[i] = NAN;
        for (size_t i = 0; i < n; i++) classes[i] = (int32_t)c;
        const owi_call draws = owi_call_with_seed(call, call->seed + stream_samples + c);
        OWI_TRY(owi_sample(&draws, evaluator, n, figures->samples, classes));
    }
    return OW_OK;
}

/* Keeps a uniform sample of up to owi_most_densities figures of a class. */
typedef struct {
    size_t capacity, n_offered;
    owi_rng rng;
} density_pool;

static ow_status offer_density(ow_model *model, size_t c, density_pool *pool, float density)
{
    owi_class_figures *figures = &model->classes[c];
    size_t slot = pool->n_offered;
    if (slot >= owi_most_densities) slot = owi_rng_below(&pool->rng, pool->n_offered + 1);
    pool->n_offered++;
    if (slot >= owi_most_densities) return OW_OK;
    if (slot == figures->n_densities) {
        OWI_TRY(owi_grow(model->ctx, &figures->densities, &pool->capacity, slot + 1,
                         sizeof *figures->densities));
        figures->n_densities++;
    }
    figures->densities[slot] = density;
    return OW_OK;
}

static ow_status collect_densities(const owi_call *call, ow_model *model,
                                   ow_evaluator *evaluator, const ow_row_source *source,
                                   density_pool *pools, float *rows, int32_t *classes,
                                   double *log_class)
{
    const size_t C = ow_schema_n_classes(model->schema);
    OWI_TRY(source->rewind(source->user));
    for (;;) {
        size_t n;
        OWI_TRY(owi_call_tick(call));
        OWI_TRY(source->next(source->user, block_rows, rows, classes, &n));
        if (n == 0) return OW_OK;
        OWI_TRY(owi_evaluate(call, evaluator, n, rows, log_class));
        for (size_t i = 0; i < n; i++) {
            const size_t c = (size_t)classes[i];
            OWI_TRY(offer_density(model, c, &pools[c], (float)log_class[i * C + c]));
        }
    }
}

static void sort_densities(ow_model *model)
{
    for (size_t c = 0; c < ow_schema_n_classes(model->schema); c++)
        owi_sort_figures(model->classes[c].densities, model->classes[c].n_densities);
}

static void forget_classes(ow_model *model)
{
    for (size_t c = 0; c < ow_schema_n_classes(model->schema); c++) {
        owi_free(model->ctx, model->classes[c].densities);
        owi_free(model->ctx, model->classes[c].samples);
        model->classes[c] = (owi_class_figures){0};
    }
}

ow_status owi_model_set_classes(const owi_call *call, ow_model *model,
                                const ow_row_source *source, size_t most_samples,
                                const char *backend)
{
    ow_context *ctx = model->ctx;
    const size_t C = ow_schema_n_classes(model->schema);
    ow_evaluator *evaluator = NULL;
    density_pool *pools = owi_alloc_array(ctx, C, sizeof *pools);
    float *rows = owi_alloc_array(ctx, block_rows * model->plan.width, sizeof *rows);
    int32_t *classes = owi_alloc_array(ctx, block_rows, sizeof *classes);
    double *log_class = owi_alloc_array(ctx, block_rows * C, sizeof *log_class);
    ow_status status = OW_ERR_MEMORY;

    forget_classes(model);
    if (pools == NULL || rows == NULL || classes == NULL || log_class == NULL) goto done;
    for (size_t c = 0; c < C; c++)
        owi_rng_init(&pools[c].rng, call->seed + stream_densities, c);
    status = ow_evaluator_new(model->circuit, backend, &evaluator);
    if (status == OW_OK)
        status = collect_densities(call, model, evaluator, source, pools, rows, classes,
                                   log_class);
    if (status == OW_OK) status = draw_samples(call, model, most_samples, evaluator);
    if (status == OW_OK) sort_densities(model);

done:
    ow_evaluator_free(evaluator);
    owi_free(ctx, log_class);
    owi_free(ctx, classes);
    owi_free(ctx, rows);
    owi_free(ctx, pools);
    return status;
}

ow_status owi_model_set_samples(const owi_call *call, ow_model *model, const char *backend)
{
    const size_t C = ow_schema_n_classes(model->schema);
    ow_evaluator *evaluator = NULL;
    double *log_class = owi_alloc_array(model->ctx, owi_n_samples * C, sizeof *log_class);
    ow_status status = log_class != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = ow_evaluator_new(model->circuit, backend, &evaluator);
    if (status == OW_OK) status = draw_samples(call, model, owi_n_samples, evaluator);
    for (size_t c = 0; c < C && status == OW_OK; c++) {
        owi_class_figures *figures = &model->classes[c];
        figures->densities = owi_alloc_array(model->ctx, owi_n_samples, sizeof(float));
        if (figures->densities == NULL) status = OW_ERR_MEMORY;
        if (status == OW_OK)
            status =
                owi_evaluate(call, evaluator, owi_n_samples, figures->samples, log_class);
        if (status != OW_OK) break;
        figures->n_densities = owi_n_samples;
        for (size_t i = 0; i < owi_n_samples; i++)
            figures->densities[i] = (float)log_class[i * C + c];
    }
    if (status == OW_OK) sort_densities(model);
    ow_evaluator_free(evaluator);
    owi_free(model->ctx, log_class);
    return status;
}
