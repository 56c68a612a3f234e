/* SPDX-License-Identifier: MIT */
#include "explain/constraints/whole_rows.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/lane_vectors.h"
#include "explain/constraints/repair.h"
#include "explain/core/distance.h"

enum { L = owi_row_lanes };

/* Where entry j of a row stands among width entries in lanes. */
static size_t lane_of(size_t row, size_t width, size_t j)
{
    return (row / L * width + j) * L + row % L;
}

/* ---- What depends on the query alone ---- */

static void begin_levels(owi_whole_rows *whole, size_t row, const owi_soft_column *soft)
{
    const size_t j = soft->column;
    const double from = whole->queries[row * whole->n_columns + j];
    whole->own[lane_of(row, whole->n_columns, j)] =
        (int32_t)owi_soft_index(whole->model, soft, from);
    for (size_t k = 0; k < soft->width; k++) {
        const double to = owi_soft_value(whole->model, soft, k);
        const bool allowed =
            to != from && owi_constraints_permit_free(whole->constraints, j, from, to);
        whole->bar[lane_of(row, whole->width, soft->first + k)] =
            allowed ? INFINITY : -INFINITY;
    }
}

static void begin_rows(owi_whole_rows *whole, size_t n_rows)
{
    const size_t d = whole->n_columns;
    owi_column_scales(whole->model, whole->scale);
    for (size_t j = 0; j < d; j++) {
        whole->frozen[j] = owi_constraints_frozen(whole->constraints, j);
        whole->columns[j] = owi_soft_column_of(whole->model, j);
    }
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < d; j++) {
            whole->low[lane_of(i, d, j)] = INFINITY;
            whole->high[lane_of(i, d, j)] = -INFINITY;
            whole->seen[i * d + j] = NAN;
            if (whole->columns[j].has_shares && !isnan(whole->queries[i * d + j]))
                begin_levels(whole, i, &whole->columns[j]);
        }
}

ow_status owi_whole_rows_init(owi_whole_rows *whole, ow_context *ctx, const ow_model *model,
                              const ow_constraints *constraints, size_t n_rows,
                              const double *queries)
{
    const size_t d = ow_schema_n_columns(ow_model_schema(model));
    const size_t width = ow_model_soft_width(model), n_filled = (n_rows + L - 1) / L * L;
    *whole = (owi_whole_rows){.ctx = ctx,
                              .model = model,
                              .constraints = constraints,
                              .n_columns = d,
                              .width = width,
                              .queries = queries};
    whole->begun = owi_alloc_array(ctx, n_rows, sizeof *whole->begun);
    whole->frozen = owi_alloc_array(ctx, d, sizeof *whole->frozen);
    whole->columns = owi_alloc_array(ctx, d, sizeof *whole->columns);
    whole->scale = owi_alloc_array(ctx, d, sizeof *whole->scale);
    whole->own = owi_alloc_array(ctx, n_filled, d * sizeof *whole->own);
    whole->chosen = owi_alloc_array(ctx, n_filled, d * sizeof *whole->chosen);
    whole->bar = owi_alloc_array(ctx, n_filled, width * sizeof *whole->bar);
    whole->low = owi_alloc_array(ctx, n_filled, d * sizeof *whole->low);
    whole->high = owi_alloc_array(ctx, n_filled, d * sizeof *whole->high);
    whole->seen = owi_alloc_array(ctx, n_rows, d * sizeof *whole->seen);
    whole->values = owi_alloc_array(ctx, n_rows, d * sizeof *whole->values);
    whole->next = owi_alloc_array(ctx, n_rows, d * sizeof *whole->next);
    whole->raw = owi_alloc_array(ctx, n_rows, d * sizeof *whole->raw);
    whole->change = owi_alloc_array(ctx, n_rows, d * sizeof *whole->change);
    whole->soft = owi_alloc_array(ctx, n_rows, width * sizeof *whole->soft);
    if (whole->begun == NULL || whole->frozen == NULL || whole->columns == NULL ||
        whole->scale == NULL || whole->own == NULL || whole->chosen == NULL ||
        whole->bar == NULL || whole->low == NULL || whole->high == NULL ||
        whole->seen == NULL || whole->values == NULL || whole->next == NULL ||
        whole->raw == NULL || whole->change == NULL || whole->soft == NULL) {
        owi_whole_rows_clear(whole);
        return OW_ERR_MEMORY;
    }
    begin_rows(whole, n_rows);
    return OW_OK;
}

void owi_whole_rows_clear(owi_whole_rows *whole)
{
    if (whole->ctx == NULL) return;
    void *const blocks[] = {whole->begun, whole->frozen, whole->columns, whole->scale,
                            whole->own,   whole->chosen, whole->bar,     whole->low,
                            whole->high,  whole->seen,   whole->values,  whole->next,
                            whole->raw,   whole->change, whole->soft};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        owi_free(whole->ctx, blocks[i]);
    *whole = (owi_whole_rows){0};
}

/* ---- One column of a row ---- */

static double level_value(const owi_whole_rows *whole, size_t row,
                          const owi_soft_column *soft, int32_t level)
{
    const size_t j = soft->column;
    return level == whole->own[lane_of(row, whole->n_columns, j)]
               ? whole->queries[row * whole->n_columns + j]
               : owi_soft_value(whole->model, soft, (size_t)level);
}

/* The allowed level with the largest share; the query's own where none has a larger one. */
static double choose_level(const owi_whole_rows *whole, size_t row,
                           const owi_soft_column *soft, const float *shares)
{
    const size_t at = lane_of(row, whole->n_columns, soft->column);
    const float *bar = whole->bar + lane_of(row, whole->width, soft->first);
    size_t best = (size_t)whole->own[at];
    for (size_t k = 0; k < soft->width; k++) {
        if (!(shares[k] > shares[best]) && !isnan(shares[best])) continue;
        if (isfinite(shares[k]) && bar[k * L] > 0.0f) best = k;
    }
    whole->chosen[at] = (int32_t)best;
    return level_value(whole, row, soft, (int32_t)best);
}

static owi_repair repair_of(const owi_whole_rows *whole, size_t row, const float *soft)
{
    const size_t at = row * whole->n_columns;
    return (owi_repair){.constraints = whole->constraints,
                        .model = whole->model,
                        .query = whole->queries + at,
                        .row = soft,
                        .raw = whole->raw + at,
                        .values = whole->next + at,
                        .frozen = whole->frozen,
                        .soft = whole->columns,
                        .scale = whole->scale,
                        .change = whole->change + at};
}

/* Soft values from low to high have become the same, and all between them will: repair
 * never turns a larger one into a smaller. */
static double choose_number(const owi_whole_rows *whole, size_t row,
                            const owi_soft_column *soft, const float *entries)
{
    const size_t at = row * whole->n_columns + soft->column;
    const size_t lane = lane_of(row, whole->n_columns, soft->column);
    float *low = &whole->low[lane], *high = &whole->high[lane];
    double *seen = &whole->seen[at];
    const float x = entries[soft->first];
    if (x >= *low && x <= *high) return *seen;
    whole->raw[at] = owi_plan_harden_column(&whole->model->plan, soft->column, &x);
    const owi_repair r = repair_of(whole, row, entries);
    const double value = owi_repair_number(&r, soft);
    if (isnan(x)) return value;
    *low = value == *seen ? fminf(*low, x) : x;
    *high = value == *seen ? fmaxf(*high, x) : x;
    *seen = value;
    return value;
}

/* Column j of the row is this value; true if it was another before. */
static bool renew(const owi_whole_rows *whole, size_t row, size_t j, double value,
                  float *repaired)
{
    double *before = &whole->values[row * whole->n_columns + j];
    if (whole->begun[row] && owi_same_value(*before, value)) return false;
    *before = value;
    owi_plan_soften_column(&whole->model->plan, j, value,
                           repaired + whole->columns[j].first);
    return true;
}

/* ---- One row ---- */

static void join_links(const owi_repair *r, double *raw)
{
    const ow_schema *schema = r->constraints->schema;
    bool has_raw = false;
    for (size_t link = 1; link <= ow_schema_n_links(schema); link++) {
        const ow_linked linked = ow_schema_linked(schema, link);
        if (!owi_linked_changed(&linked, r->query, r->values)) continue;
        if (!has_raw) ow_model_harden(r->model, 1, r->row, raw);
        has_raw = true;
        owi_repair_link(r, &linked);
    }
}

static void repair_row(owi_whole_rows *whole, size_t row, const float *soft)
{
    const size_t at = row * whole->n_columns;
    const owi_repair r = repair_of(whole, row, soft);
    for (size_t j = 0; j < whole->n_columns; j++) {
        const owi_soft_column *column = &whole->columns[j];
        if (whole->frozen[j] || isnan(r.query[j]))
            r.values[j] = r.query[j];
        else if (column->has_shares)
            r.values[j] = choose_level(whole, row, column, soft + column->first);
        else
            r.values[j] = choose_number(whole, row, column, soft);
    }
    join_links(&r, whole->raw + at);
}

ow_status owi_whole_rows_make(owi_whole_rows *whole, size_t row, const float *soft,
                              float *repaired, bool *changed)
{
    const size_t d = whole->n_columns, at = row * d;
    /* Which changes are undone where there are too many depends on all columns. */
    if (whole->constraints->most_changes > 0)
        OWI_TRY(owi_constraints_repair(whole->constraints, whole->model, 1,
                                       whole->queries + at, soft, whole->next + at));
    else
        repair_row(whole, row, soft);
    *changed = !whole->begun[row];
    for (size_t j = 0; j < d; j++)
        *changed |= renew(whole, row, j, whole->next[at + j], repaired);
    whole->begun[row] = true;
    return OW_OK;
}

/* ---- Rows in lanes ---- */

/* Which level each lane chooses; true if it is another than before for some lane. */
OWI_WIDE static bool look_at_levels(size_t n, const float *shares, const float *bar,
                                    const int32_t *own, const int32_t *before,
                                    int32_t *restrict chosen)
{
    owi_eight_masks moved = {0};
    for (size_t i = 0; i < L; i += 8) {
        owi_eight best, own_share;
        owi_eight_masks at_home, was, level = {0}, k = {0};
        memcpy(&at_home, own + i, sizeof at_home);
        memcpy(&was, before + i, sizeof was);
        owi_fill_eight(-INFINITY, &best);
        own_share = best;
        for (size_t at = i; at < n * L; at += L, k += 1) {
            owi_eight share, most;
            owi_load_eight(shares + at, &share);
            owi_load_eight(bar + at, &most);
            const owi_eight_masks is_own = (owi_eight_masks)(at_home == k);
            owi_take_where(&is_own, &share, &own_share);
            const owi_eight_masks better =
                (owi_eight_masks)(share > best) & (owi_eight_masks)(most > share);
            owi_take_where(&better, &share, &best);
            level = (better & k) | (~better & level);
        }
        const owi_eight_masks changes = (owi_eight_masks)(best > own_share);
        level = (changes & level) | (~changes & at_home);
        moved |= level ^ was;
        memcpy(chosen + i, &level, sizeof level);
    }
    return owi_any_of(&moved);
}

/* True if some lane has left the values that are known to become the same. */
OWI_WIDE static bool look_at_numbers(const float *numbers, const float *low,
                                     const float *high)
{
    owi_eight_masks inside = {-1, -1, -1, -1, -1, -1, -1, -1};
    for (size_t i = 0; i < L; i += 8) {
        owi_eight x, least, most;
        owi_load_eight(numbers + i, &x);
        owi_load_eight(low + i, &least);
        owi_load_eight(high + i, &most);
        inside &= (owi_eight_masks)(x >= least) & (owi_eight_masks)(x <= most);
    }
    inside = ~inside;
    return owi_any_of(&inside);
}

/* Column j of n rows from `first` on. */
static void make_column(owi_whole_rows *whole, size_t first, size_t n, size_t j,
                        const float *lanes, float *repaired, bool *changed)
{
    const owi_soft_column *column = &whole->columns[j];
    const size_t at = lane_of(first, whole->n_columns, j);
    const float *x = lanes + column->first * L;
    int32_t chosen[L];
    if (column->has_shares
            ? !look_at_levels(column->width, x,
                              whole->bar + lane_of(first, whole->width, column->first),
                              whole->own + at, whole->chosen + at, chosen)
            : !look_at_numbers(x, whole->low + at, whole->high + at))
        return;
    for (size_t i = 0; i < n; i++) {
        const size_t row = first + i;
        float *soft = whole->soft + row * whole->width;
        if (column->has_shares ? chosen[i] == whole->chosen[at + i]
                               : x[i] >= whole->low[at + i] && x[i] <= whole->high[at + i])
            continue;
        double value = whole->queries[row * whole->n_columns + j];
        if (isnan(value)) continue;
        if (column->has_shares) {
            whole->chosen[at + i] = chosen[i];
            value = level_value(whole, row, column, chosen[i]);
        } else {
            soft[column->first] = x[i];
            value = choose_number(whole, row, column, soft);
        }
        changed[i] |= renew(whole, row, j, value, repaired + i * whole->width);
    }
}

/* Whether columns can be looked at one by one: all rows have been made, and none depends on
 * others. */
static bool is_by_columns(const owi_whole_rows *whole, size_t first, size_t n)
{
    for (size_t row = first; row < first + n; row++)
        if (!whole->begun[row]) return false;
    return whole->constraints->most_changes == 0 &&
           ow_schema_n_links(whole->constraints->schema) == 0;
}

ow_status owi_whole_rows_make_lanes(owi_whole_rows *whole, size_t first, size_t n,
                                    const float *lanes, float *repaired, bool *changed)
{
    const size_t width = whole->width;
    if (is_by_columns(whole, first, n)) {
        for (size_t i = 0; i < n; i++) changed[i] = false;
        for (size_t j = 0; j < whole->n_columns; j++)
            if (!whole->frozen[j])
                make_column(whole, first, n, j, lanes, repaired, changed);
        return OW_OK;
    }
    owi_lanes_to_rows(n, width, lanes, whole->soft + first * width);
    for (size_t i = 0; i < n; i++)
        OWI_TRY(owi_whole_rows_make(whole, first + i, whole->soft + (first + i) * width,
                                    repaired + i * width, &changed[i]));
    return OW_OK;
}
