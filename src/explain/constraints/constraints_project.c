/* SPDX-License-Identifier: MIT */
/* Back into what is allowed, while a method is at work. */
#include <math.h>
#include <string.h>

#include "data/schema/encode_private.h"
#include "explain/constraints/constraints.h"
#include "explain/core/soft_column.h"

/* Numbers go where a changed one may, or stay between that and where they were. */
static void project_number(const ow_constraints *constraints, const ow_model *model,
                           size_t column, double from, float *entry)
{
    const ow_encoding *encoding = model->plan.encoding;
    double low, high;
    owi_constraints_interval(constraints, column, from, &low, &high);
    if (!(low <= high)) low = high = from;
    low = owi_encode_number(encoding, column, fmin(low, from));
    high = owi_encode_number(encoding, column, fmax(high, from));
    if ((double)*entry < low) *entry = (float)low;
    if ((double)*entry > high) *entry = (float)high;
}

/* The nearest point of { x : x_k >= 0, sum_k x_k = 1 } is max(0, x_k - tau) for the tau
 * that makes the sum 1 (Michelot 1986): begin with all entries and leave out those that tau
 * makes negative, until none is. */
void owi_project_to_simplex(size_t n, const bool *allowed, float *shares)
{
    double tau = -INFINITY;
    for (size_t n_before = SIZE_MAX, n_left = 0; n_left < n_before;) {
        double sum = 0.0;
        n_before = n_left > 0 ? n_left : n_before;
        n_left = 0;
        for (size_t k = 0; k < n; k++)
            if (allowed[k] && (double)shares[k] > tau) {
                sum += (double)shares[k];
                n_left++;
            }
        if (n_left == 0)
            return; /* nothing is allowed, or nothing is a number: there is no such point */
        tau = (sum - 1.0) / (double)n_left;
    }
    for (size_t k = 0; k < n; k++)
        shares[k] =
            allowed[k] && (double)shares[k] > tau ? (float)((double)shares[k] - tau) : 0.0f;
}

static void project_shares(const ow_constraints *constraints, const ow_model *model,
                           const owi_soft_column *soft, double from, float *shares)
{
    enum { most_levels = 4096 }; /* more are left as they are until the end */
    bool allowed[most_levels];
    if (soft->width > most_levels) return;
    const size_t own = owi_soft_index(model, soft, from);
    for (size_t k = 0; k < soft->width; k++)
        allowed[k] =
            k == own || owi_constraints_permit_free(constraints, soft->column, from,
                                                    owi_soft_value(model, soft, k));
    owi_project_to_simplex(soft->width, allowed, shares);
}

void owi_constraints_project(const ow_constraints *constraints, const ow_model *model,
                             size_t n_rows, const double *values, const float *query,
                             bool whole_groups, float *rows)
{
    const size_t n_columns = ow_schema_n_columns(constraints->schema);
    const size_t width = ow_model_soft_width(model);
    for (size_t j = 0; j < n_columns; j++) {
        const owi_soft_column soft = owi_soft_column_of(model, j);
        const bool frozen = owi_constraints_frozen(constraints, j);
        for (size_t i = 0; i < n_rows; i++) {
            const double from = values[i * n_columns + j];
            float *entries = rows + i * width + soft.first;
            if (frozen || isnan(from))
                memcpy(entries, query + i * width + soft.first,
                       soft.width * sizeof *entries);
            else if (!soft.has_shares)
                project_number(constraints, model, j, from, entries);
            else if (whole_groups)
                project_shares(constraints, model, &soft, from, entries);
        }
    }
}
