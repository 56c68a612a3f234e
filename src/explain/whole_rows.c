/* SPDX-License-Identifier: MIT */
#include "explain/whole_rows.h"

#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "explain/distance.h"
#include "explain/repair.h"

/* ---- What depends on the query alone ---- */

static void begin_levels(owi_whole_rows *whole, size_t row, const owi_soft_column *soft)
{
    const size_t j = soft->column;
    const double from = whole->queries[row * whole->n_columns + j];
    bool *allowed = whole->allowed + row * whole->width + soft->first;
    whole->own[row * whole->n_columns + j] =
        (uint32_t)owi_soft_index(whole->model, soft, from);
    for (size_t k = 0; k < soft->width; k++) {
        const double to = owi_soft_value(whole->model, soft, k);
        allowed[k] =
            to != from && owi_constraints_permit_free(whole->constraints, j, from, to);
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
            whole->seen[i * d + j] = (owi_seen_number){INFINITY, -INFINITY, NAN};
            if (whole->columns[j].has_shares && !isnan(whole->queries[i * d + j]))
                begin_levels(whole, i, &whole->columns[j]);
        }
}

ow_status owi_whole_rows_init(owi_whole_rows *whole, ow_context *ctx, const ow_model *model,
                              const ow_constraints *constraints, size_t n_rows,
                              const double *queries)
{
    const size_t d = ow_schema_n_columns(ow_model_schema(model));
    const size_t width = ow_model_soft_width(model);
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
    whole->own = owi_alloc_array(ctx, n_rows, d * sizeof *whole->own);
    whole->allowed = owi_alloc_array(ctx, n_rows, width * sizeof *whole->allowed);
    whole->seen = owi_alloc_array(ctx, n_rows, d * sizeof *whole->seen);
    whole->values = owi_alloc_array(ctx, n_rows, d * sizeof *whole->values);
    whole->next = owi_alloc_array(ctx, n_rows, d * sizeof *whole->next);
    whole->raw = owi_alloc_array(ctx, n_rows, d * sizeof *whole->raw);
    whole->change = owi_alloc_array(ctx, n_rows, d * sizeof *whole->change);
    if (whole->begun == NULL || whole->frozen == NULL || whole->columns == NULL ||
        whole->scale == NULL || whole->own == NULL || whole->allowed == NULL ||
        whole->seen == NULL || whole->values == NULL || whole->next == NULL ||
        whole->raw == NULL || whole->change == NULL) {
        owi_whole_rows_clear(whole);
        return OW_ERR_MEMORY;
    }
    begin_rows(whole, n_rows);
    return OW_OK;
}

void owi_whole_rows_clear(owi_whole_rows *whole)
{
    if (whole->ctx == NULL) return;
    void *const blocks[] = {whole->begun, whole->frozen,  whole->columns, whole->scale,
                            whole->own,   whole->allowed, whole->seen,    whole->values,
                            whole->next,  whole->raw,     whole->change};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        owi_free(whole->ctx, blocks[i]);
    *whole = (owi_whole_rows){0};
}

/* ---- One row ---- */

/* The allowed level with the largest share; the query's own where none has a larger one. */
static double choose_level(const owi_whole_rows *whole, size_t row,
                           const owi_soft_column *soft, const float *shares)
{
    const size_t own = whole->own[row * whole->n_columns + soft->column];
    const bool *allowed = whole->allowed + row * whole->width + soft->first;
    size_t best = own;
    for (size_t k = 0; k < soft->width; k++) {
        if (!(shares[k] > shares[best]) && !isnan(shares[best])) continue;
        if (isfinite(shares[k]) && allowed[k]) best = k;
    }
    return best == own ? whole->queries[row * whole->n_columns + soft->column]
                       : owi_soft_value(whole->model, soft, best);
}

static double choose_number(const owi_repair *r, const owi_soft_column *soft, double *raw,
                            owi_seen_number *seen)
{
    const float x = r->row[soft->first];
    if (x >= seen->low && x <= seen->high) return seen->value;
    *raw = owi_plan_harden_column(&r->model->plan, soft->column, &x);
    const double value = owi_repair_number(r, soft);
    if (isnan(x)) return value;
    if (value == seen->value) {
        seen->low = fminf(seen->low, x);
        seen->high = fmaxf(seen->high, x);
    } else {
        *seen = (owi_seen_number){x, x, value};
    }
    return value;
}

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
    double *raw = whole->raw + at, *next = whole->next + at;
    const owi_repair r = {.constraints = whole->constraints,
                          .model = whole->model,
                          .query = whole->queries + at,
                          .row = soft,
                          .raw = raw,
                          .values = next,
                          .frozen = whole->frozen,
                          .soft = whole->columns,
                          .scale = whole->scale,
                          .change = whole->change + at};
    for (size_t j = 0; j < whole->n_columns; j++) {
        const owi_soft_column *column = &whole->columns[j];
        if (whole->frozen[j] || isnan(r.query[j]))
            next[j] = r.query[j];
        else if (column->has_shares)
            next[j] = choose_level(whole, row, column, soft + column->first);
        else
            next[j] = choose_number(&r, column, &raw[j], &whole->seen[at + j]);
    }
    join_links(&r, raw);
}

ow_status owi_whole_rows_make(owi_whole_rows *whole, size_t row, const float *soft,
                              float *repaired, bool *changed)
{
    const size_t d = whole->n_columns, at = row * d;
    double *values = whole->values + at, *next = whole->next + at;
    /* Which changes are undone where there are too many depends on all columns. */
    if (whole->constraints->most_changes > 0)
        OWI_TRY(owi_constraints_repair(whole->constraints, whole->model, 1,
                                       whole->queries + at, soft, next));
    else
        repair_row(whole, row, soft);
    *changed = !whole->begun[row];
    for (size_t j = 0; j < d; j++) {
        if (whole->begun[row] && owi_same_value(values[j], next[j])) continue;
        *changed = true;
        values[j] = next[j];
        owi_plan_soften_column(&whole->model->plan, j, values[j],
                               repaired + whole->columns[j].first);
    }
    whole->begun[row] = true;
    return OW_OK;
}
