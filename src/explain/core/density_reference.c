/* SPDX-License-Identifier: MIT */
#include "explain/core/density_reference.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/memory/workspace.h"
#include "base/numeric/complete.h"
#include "base/numeric/sorted.h"
#include "circuit/pass/evaluator.h"
#include "model/model_private.h"

/* Rows at a time; patterns of missing cells that are remembered. */
enum { block_rows = 512, most_patterns = 64 };

/* c_i of one class, ascending. */
typedef struct {
    bool is_known;
    size_t n;
    double *ascending;
} class_reference;

typedef struct {
    owi_workspace *workspace;
    bool *missing;            /* circuit columns that the query does not have   */
    bool is_complete;         /* none                                           */
    class_reference *classes; /* one for each class                            */
} pattern;

struct owi_density_reference {
    const ow_model *model;
    ow_context *ctx;
    const owi_call *call; /* that asks at present                              */
    owi_workspace *workspace;
    ow_evaluator *evaluator;
    size_t n_classes, width; /* of circuit rows                                 */
    bool *frozen;            /* circuit columns                                 */
    bool any_frozen;
    size_t n_rows;
    const double *values; /* n_rows x columns; NULL: the model's samples      */
    const int32_t *predicted;
    pattern patterns[most_patterns];
    size_t n_patterns;
    float *encoded, *masked; /* block_rows x width                              */
    double *log_class;       /* block_rows x classes                            */
};

ow_status owi_density_reference_new(const ow_model *model, const char *backend,
                                    const bool *frozen, size_t n_rows, const double *values,
                                    const int32_t *predicted, owi_density_reference **out)
{
    ow_context *ctx = model->ctx;
    *out = NULL;
    owi_density_reference *reference = owi_alloc_zeroed(ctx, sizeof *reference);
    if (reference == NULL) return OW_ERR_MEMORY;
    const size_t width = model->plan.width, C = ow_schema_n_classes(model->schema);
    reference->model = model;
    reference->ctx = ctx;
    reference->n_classes = C;
    reference->width = width;
    reference->n_rows = n_rows;
    reference->values = values;
    reference->predicted = predicted;
    const owi_piece pieces[] = {
        OWI_PIECE(reference->frozen, width),
        OWI_PIECE(reference->encoded, block_rows * width),
        OWI_PIECE(reference->masked, block_rows * width),
        OWI_PIECE(reference->log_class, block_rows * C),
    };
    ow_status status = owi_pieces_new(ctx, OWI_PIECES(pieces), &reference->workspace);
    if (status == OW_OK)
        status = ow_evaluator_new(model->circuit, backend, &reference->evaluator);
    if (status != OW_OK) {
        owi_density_reference_free(reference);
        return status;
    }
    for (size_t j = 0; j < model->plan.n_columns; j++)
        for (size_t k = 0; frozen[j] && k < model->plan.columns[j].width; k++) {
            reference->frozen[model->plan.columns[j].first + k] = true;
            reference->any_frozen = true;
        }
    *out = reference;
    return OW_OK;
}

static void clear_pattern(owi_density_reference *reference, pattern *p)
{
    for (size_t c = 0; p->classes != NULL && c < reference->n_classes; c++)
        owi_free(reference->ctx, p->classes[c].ascending);
    owi_workspace_free(p->workspace);
    *p = (pattern){0};
}

void owi_density_reference_free(owi_density_reference *reference)
{
    if (reference == NULL) return;
    ow_context *ctx = reference->ctx;
    for (size_t i = 0; i < reference->n_patterns; i++)
        clear_pattern(reference, &reference->patterns[i]);
    ow_evaluator_free(reference->evaluator);
    owi_workspace_free(reference->workspace);
    owi_free(ctx, reference);
}

/* ---- The rows to compare with ---- */

/* A row on the columns that the query has; only_frozen: of those, the frozen ones. */
static void mask_row(const owi_density_reference *reference, const bool *missing,
                     bool only_frozen, const float *row, float *masked)
{
    for (size_t j = 0; j < reference->width; j++)
        masked[j] = missing[j] || (only_frozen && !reference->frozen[j]) ? NAN : row[j];
}

/* Adds sign * log S(row on these columns given c) to figures. */
static ow_status add_densities(owi_density_reference *reference, const bool *missing,
                               bool only_frozen, double sign, size_t c, const float *rows,
                               size_t n, double *figures)
{
    const size_t width = reference->width;
    for (size_t i = 0; i < n; i++)
        mask_row(reference, missing, only_frozen, rows + i * width,
                 reference->masked + i * width);
    OWI_TRY(owi_evaluate(reference->call, reference->evaluator, n, reference->masked,
                         reference->log_class));
    for (size_t i = 0; i < n; i++)
        figures[i] += sign * reference->log_class[i * reference->n_classes + c];
    return OW_OK;
}

static ow_status add_block(owi_density_reference *reference, const pattern *p, size_t c,
                           const float *rows, size_t n)
{
    class_reference *reached = &p->classes[c];
    double *figures = reached->ascending + reached->n;
    OWI_TRY(add_densities(reference, p->missing, false, 1.0, c, rows, n, figures));
    if (reference->any_frozen)
        OWI_TRY(add_densities(reference, p->missing, true, -1.0, c, rows, n, figures));
    for (size_t i = 0; i < n; i++) /* impossible, and so is what cannot change */
        if (isnan(figures[i])) figures[i] = -INFINITY;
    reached->n += n;
    return OW_OK;
}

/* How many background rows are predicted c. */
static size_t count_background(const owi_density_reference *reference, size_t c)
{
    size_t n = 0;
    for (size_t i = 0; reference->values != NULL && i < reference->n_rows; i++)
        n += reference->predicted[i] == (int32_t)c;
    return n;
}

static ow_status add_samples(owi_density_reference *reference, const pattern *p, size_t c)
{
    size_t n_samples;
    const float *samples = ow_model_samples(reference->model, c, &n_samples);
    for (size_t i = 0; i < n_samples; i += block_rows)
        OWI_TRY(add_block(reference, p, c, samples + i * reference->width,
                          owi_smaller(n_samples - i, block_rows)));
    return OW_OK;
}

static ow_status add_background(owi_density_reference *reference, const pattern *p,
                                size_t c)
{
    const size_t d = reference->model->plan.n_columns;
    size_t n_block = 0;
    for (size_t i = 0; i < reference->n_rows; i++) {
        if (reference->predicted[i] != (int32_t)c) continue;
        ow_model_encode(reference->model, 1, reference->values + i * d,
                        reference->encoded + n_block++ * reference->width);
        if (n_block < block_rows) continue;
        OWI_TRY(add_block(reference, p, c, reference->encoded, n_block));
        n_block = 0;
    }
    return n_block > 0 ? add_block(reference, p, c, reference->encoded, n_block) : OW_OK;
}

static ow_status look_at_rows(owi_density_reference *reference, const pattern *p, size_t c)
{
    class_reference *reached = &p->classes[c];
    const size_t n_background = count_background(reference, c);
    size_t n_samples;
    (void)ow_model_samples(reference->model, c, &n_samples);
    owi_free(reference->ctx, reached->ascending);
    reached->n = 0;
    reached->ascending =
        owi_alloc_array(reference->ctx, n_background > 0 ? n_background : n_samples,
                        sizeof(double));
    if (reached->ascending == NULL) return OW_ERR_MEMORY;
    if (n_background > 0)
        OWI_TRY(add_background(reference, p, c));
    else
        OWI_TRY(add_samples(reference, p, c));
    owi_sort_numbers(reached->ascending, reached->n);
    reached->is_known = true;
    return OW_OK;
}

/* ---- Patterns ---- */

static bool has_pattern(const owi_plan *plan, const pattern *p, bool is_complete,
                        const double *values)
{
    if (is_complete || p->is_complete) return is_complete && p->is_complete;
    for (size_t j = 0; j < plan->n_columns; j++)
        if (p->missing[plan->columns[j].first] != (bool)isnan(values[j])) return false;
    return true;
}

/* The pattern of a row's gaps, new ones in the place of the oldest. */
static ow_status find_pattern(owi_density_reference *reference, const double *values,
                              pattern **out)
{
    const owi_plan *plan = &reference->model->plan;
    const bool is_complete = owi_is_complete_double(values, plan->n_columns);
    for (size_t i = 0; i < reference->n_patterns; i++)
        if (has_pattern(plan, &reference->patterns[i], is_complete, values)) {
            *out = &reference->patterns[i];
            return OW_OK;
        }
    if (reference->n_patterns == most_patterns) {
        clear_pattern(reference, &reference->patterns[0]);
        memmove(reference->patterns, reference->patterns + 1,
                (most_patterns - 1) * sizeof(pattern));
        reference->n_patterns--;
    }
    pattern *p = &reference->patterns[reference->n_patterns];
    *p = (pattern){0};
    const owi_piece pieces[] = {OWI_PIECE(p->missing, plan->width),
                                OWI_PIECE(p->classes, reference->n_classes)};
    OWI_TRY(owi_pieces_new(reference->ctx, OWI_PIECES(pieces), &p->workspace));
    for (size_t j = 0; j < plan->n_columns; j++)
        for (size_t k = 0; k < plan->columns[j].width; k++)
            p->missing[plan->columns[j].first + k] = isnan(values[j]);
    p->is_complete = is_complete;
    reference->n_patterns++;
    *out = p;
    return OW_OK;
}

/* quantile_q(c) for the target of one query. */
static ow_status quantile_for(owi_density_reference *reference, const double *values,
                              size_t c, double quantile, double *value)
{
    pattern *p;
    OWI_TRY(find_pattern(reference, values, &p));
    if (!p->classes[c].is_known) OWI_TRY(look_at_rows(reference, p, c));
    const class_reference *reached = &p->classes[c];
    *value = owi_quantile(reached->ascending, reached->n, quantile);
    if (isnan(*value)) *value = -INFINITY; /* none, or between impossible and possible */
    return OW_OK;
}

ow_status owi_density_thresholds(const owi_call *call, owi_density_reference *reference,
                                 size_t n_rows, const double *values,
                                 const int32_t *targets, double quantile, double *threshold)
{
    const size_t width = reference->width, C = reference->n_classes;
    const size_t n_columns = reference->model->plan.n_columns;
    reference->call = call;
    for (size_t first = 0; first < n_rows; first += block_rows) {
        const size_t n = owi_smaller(n_rows - first, block_rows);
        for (size_t i = 0; i < n; i++)
            OWI_TRY(quantile_for(reference, values + (first + i) * n_columns,
                                 (size_t)targets[first + i], quantile,
                                 &threshold[first + i]));
        if (!reference->any_frozen) continue;
        ow_model_encode(reference->model, n, values + first * n_columns,
                        reference->encoded);
        for (size_t i = 0; i < n * width; i++) /* in place: gaps stay gaps */
            if (!reference->frozen[i % width]) reference->encoded[i] = NAN;
        OWI_TRY(owi_evaluate(reference->call, reference->evaluator, n, reference->encoded,
                             reference->log_class));
        for (size_t i = 0; i < n; i++)
            threshold[first + i] +=
                reference->log_class[i * C + (size_t)targets[first + i]];
    }
    return OW_OK;
}
