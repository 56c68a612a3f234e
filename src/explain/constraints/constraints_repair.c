/* SPDX-License-Identifier: MIT */
/* The row nearest to a soft row that keeps every constraint.  Column by column first, then
 * linked columns together, then as many changes as are wanted.  The query itself keeps
 * every constraint, so there always is such a row: whatever cannot be had stays as it
 * was. */
#include <math.h>
#include <string.h>

#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "data/schema/encode_private.h"
#include "explain/constraints/constraints.h"
#include "explain/constraints/repair.h"
#include "explain/core/distance.h"

typedef owi_repair repair;

/* ---- Columns ---- */

static double share_of(const repair *r, const owi_soft_column *soft, double value)
{
    return (double)r->row[soft->first + owi_soft_index(r->model, soft, value)];
}

/* The allowed level with the largest share; the query's own where none has a larger one. */
static double choose_level(const repair *r, const owi_soft_column *soft)
{
    const double from = r->query[soft->column];
    const float *shares = r->row + soft->first;
    size_t best = owi_soft_index(r->model, soft, from);
    double value = from;
    for (size_t k = 0; k < soft->width; k++) {
        const double to = owi_soft_value(r->model, soft, k);
        if (!(shares[k] > shares[best]) && !isnan(shares[best])) continue;
        if (!isfinite(shares[k]) || to == from ||
            !owi_constraints_permit_free(r->constraints, soft->column, from, to))
            continue;
        best = k;
        value = to;
    }
    return value;
}

/* The nearest allowed number to v; `from` where there is none. */
static double nearest_allowed(const repair *r, size_t column, double from, double v)
{
    const owi_column_rule *rule = &r->constraints->rules[column];
    double best = from, least = INFINITY;
    for (size_t k = 0; k < rule->n_allowed; k++) {
        const double to = rule->allowed[k];
        if (fabs(to - v) < least &&
            owi_constraints_permit_free(r->constraints, column, from, to)) {
            best = to;
            least = fabs(to - v);
        }
    }
    return best;
}

/* The nearest number of the column's interval and grid to v; `from` where there is none. */
static double nearest_in_interval(const repair *r, size_t column, double from, double v)
{
    const int decimals = ow_schema_column(r->constraints->schema, column)->decimals;
    double low, high;
    owi_constraints_interval(r->constraints, column, from, &low, &high);
    if (!(low <= high)) return from;
    double to = owi_round_decimals(v < low ? low : v > high ? high : v, decimals);
    if (to > high) to = owi_round_decimals(to - pow(10.0, -decimals), decimals);
    if (to < low) to = owi_round_decimals(to + pow(10.0, -decimals), decimals);
    return to >= low && to <= high ? to : from;
}

static bool hardly_moved(const repair *r, const owi_soft_column *soft, double from,
                         double v)
{
    const int decimals = ow_schema_column(r->constraints->schema, soft->column)->decimals;
    if (decimals == 0) return fabs(v - from) < 0.5;
    if (decimals > 0 && fabs(v - from) < 0.5 * pow(10.0, -decimals)) return true;
    return r->row[soft->first] ==
           (float)owi_encode_number(r->model->plan.encoding, soft->column, from);
}

double owi_repair_number(const repair *r, const owi_soft_column *soft)
{
    const double from = r->query[soft->column], v = r->raw[soft->column];
    if (!isfinite(v) || hardly_moved(r, soft, from, v)) return from;
    const double to = r->constraints->rules[soft->column].n_allowed > 0
                          ? nearest_allowed(r, soft->column, from, v)
                          : nearest_in_interval(r, soft->column, from, v);
    return fabs(v - from) < fabs(v - to) ? from : to;
}

static void repair_column(const repair *r, const owi_soft_column *soft)
{
    const size_t j = soft->column;
    const double from = r->query[j];
    if (r->frozen[j] || isnan(from))
        r->values[j] = from;
    else
        r->values[j] =
            soft->has_shares ? choose_level(r, soft) : owi_repair_number(r, soft);
    r->change[j] = 0.0;
    if (owi_same_value(from, r->values[j])) return;
    r->change[j] = soft->has_shares
                       ? share_of(r, soft, r->values[j]) - share_of(r, soft, from)
                       : owi_scaled_change(r->scale[j], false, from, r->values[j]);
}

/* ---- Linked columns ---- */

/* How far the soft row is from a value. */
static double distance_to(const repair *r, size_t column, double value)
{
    const owi_soft_column *soft = &r->soft[column];
    if (soft->has_shares) return 1.0 - share_of(r, soft, value);
    return fabs(value - r->raw[column]) / r->scale[column];
}

/* Combination i's distance, infinite where it is not permitted; i = n_rows is the query's
 * own. */
static double combination_distance(const repair *r, const ow_linked *linked, size_t i)
{
    double sum = 0.0;
    for (size_t k = 0; k < linked->n_columns; k++) {
        const size_t j = linked->columns[k];
        const double from = r->query[j];
        if (isnan(from)) continue;
        const double to =
            i < linked->n_rows ? linked->values[i * linked->n_columns + k] : from;
        if (to != from && !owi_constraints_permit_free(r->constraints, j, from, to))
            return INFINITY;
        const double distance = distance_to(r, j, to);
        sum += isfinite(distance) ? distance : 1.0;
    }
    return sum;
}

/* One of the combinations that occur, or the query's. */
void owi_repair_link(const repair *r, const ow_linked *linked)
{
    size_t best = linked->n_rows;
    if (!owi_linked_changed(linked, r->query, r->values)) return;
    double least = combination_distance(r, linked, best);
    for (size_t i = 0; i < linked->n_rows; i++) {
        const double distance = combination_distance(r, linked, i);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    for (size_t k = 0; k < linked->n_columns; k++) {
        const size_t j = linked->columns[k];
        const bool keep = best == linked->n_rows || isnan(r->query[j]);
        r->values[j] = keep ? r->query[j] : linked->values[best * linked->n_columns + k];
        const bool is_category = ow_schema_column(r->constraints->schema, j)->n_levels > 0;
        r->change[j] =
            owi_scaled_change(r->scale[j], is_category, r->query[j], r->values[j]);
    }
}

/* ---- Few changes ---- */

/* Takes the smallest change back, of all linked columns together. */
static void undo_smallest(const repair *r, size_t n_columns)
{
    const ow_schema *schema = r->constraints->schema;
    size_t smallest = SIZE_MAX;
    for (size_t j = 0; j < n_columns; j++)
        if (!owi_same_value(r->query[j], r->values[j]) &&
            (smallest == SIZE_MAX || r->change[j] < r->change[smallest]))
            smallest = j;
    const size_t link = ow_schema_column(schema, smallest)->link;
    const ow_linked linked = ow_schema_linked(schema, link);
    r->values[smallest] = r->query[smallest];
    for (size_t k = 0; k < linked.n_columns; k++)
        r->values[linked.columns[k]] = r->query[linked.columns[k]];
}

/* The change of linked columns is the largest of theirs. */
static void join_changes(const repair *r, const ow_linked *linked)
{
    double largest = 0.0;
    for (size_t k = 0; k < linked->n_columns; k++)
        largest = fmax(largest, r->change[linked->columns[k]]);
    for (size_t k = 0; k < linked->n_columns; k++) r->change[linked->columns[k]] = largest;
}

static void limit_changes(const repair *r, size_t n_columns)
{
    const ow_constraints *constraints = r->constraints;
    const size_t most = constraints->most_changes;
    if (most == 0) return;
    size_t n = owi_count_changes(constraints->schema, r->query, r->values);
    for (; n > most; n--) undo_smallest(r, n_columns);
}

ow_status owi_constraints_repair(const ow_constraints *constraints, const ow_model *model,
                                 size_t n_rows, const double *queries, const float *rows,
                                 double *values)
{
    ow_context *ctx = constraints->ctx;
    const ow_schema *schema = constraints->schema;
    const size_t n = ow_schema_n_columns(schema), width = ow_model_soft_width(model);
    bool *frozen = owi_alloc_array(ctx, n, sizeof *frozen);
    owi_soft_column *soft = owi_alloc_array(ctx, n, sizeof *soft);
    double *change = owi_alloc_array(ctx, n, sizeof *change);
    double *scale = owi_alloc_array(ctx, n, sizeof *scale);
    double *raw = owi_alloc_array(ctx, n, sizeof *raw);
    ow_status status = OW_ERR_MEMORY;
    if (frozen == NULL || soft == NULL || change == NULL || scale == NULL || raw == NULL)
        goto done;

    status = OW_OK;
    owi_column_scales(model, scale);
    for (size_t j = 0; j < n; j++) {
        frozen[j] = owi_constraints_frozen(constraints, j);
        soft[j] = owi_soft_column_of(model, j);
    }
    for (size_t i = 0; i < n_rows; i++) {
        const repair r = {.constraints = constraints,
                          .model = model,
                          .query = queries + i * n,
                          .row = rows + i * width,
                          .raw = raw,
                          .values = values + i * n,
                          .frozen = frozen,
                          .soft = soft,
                          .scale = scale,
                          .change = change};
        ow_model_harden(model, 1, r.row, raw);
        for (size_t j = 0; j < n; j++) repair_column(&r, &soft[j]);
        for (size_t link = 1; link <= ow_schema_n_links(schema); link++) {
            const ow_linked linked = ow_schema_linked(schema, link);
            owi_repair_link(&r, &linked);
            join_changes(&r, &linked);
        }
        limit_changes(&r, n);
    }

done:
    owi_free(ctx, raw);
    owi_free(ctx, scale);
    owi_free(ctx, change);
    owi_free(ctx, soft);
    owi_free(ctx, frozen);
    return status;
}
