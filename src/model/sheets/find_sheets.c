/* SPDX-License-Identifier: MIT */
#include "model/sheets/find_sheets.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/structure/sheets.h"
#include "data/schema/encode_private.h"
#include "data/schema/schema_private.h"
#include "model/sheets/sheet_fit.h"

enum { most = owi_most_sheet_terms, least_rows = 50 };
/* A sheet is at most this wide, as a share of its column's deviation; at least that. */
static const double most_spread = 0.2, least_spread = 1e-5;
/* Sheets of a relation no wider than so many times its thinnest one are as good. */
static const double much_wider = 3.0;

typedef struct {
    const owi_plan *plan;
    const owi_row_sample *sample;
    owi_sheet_list *list;
    /* The relation at hand: its columns, the one that follows first. */
    size_t n_terms, columns[most];
    bool logs;          /* units are logarithms               */
    double least[most]; /* (terms): of ow_sheet_term          */
    owi_sheet_rows rows;
    double *units;
    int32_t *level;
} finding;

/* ---- Units ---- */

static bool has_levels(const finding *f, size_t column)
{
    return f->plan->columns[column].kind == OWI_PLAN_VALUES;
}

static bool is_number(const finding *f, size_t column)
{
    const owi_plan_kind kind = f->plan->columns[column].kind;
    return kind == OWI_PLAN_NUMBER || kind == OWI_PLAN_MASSES;
}

static int32_t level_of(const owi_column_plan *column, double value)
{
    for (size_t k = 0; k < column->n_values; k++)
        if (column->values[k] == value) return (int32_t)k;
    return -1;
}

/* Whether the rows' values of the relation have logarithms: none of them is 0 or less. */
static bool may_take_logs(finding *f)
{
    for (size_t i = 0; i < f->n_terms; i++) {
        f->least[i] = INFINITY;
        for (size_t r = 0; r < f->sample->n_rows; r++) {
            const double y = f->sample->values[r * f->sample->n_columns + f->columns[i]];
            if (!isnan(y)) f->least[i] = fmin(f->least[i], y);
        }
        if (!(f->least[i] > 0.0 && f->least[i] < INFINITY)) return false;
    }
    return true;
}

/* The rows that have all columns, in units. */
static void fill_rows(finding *f)
{
    const size_t n = f->n_terms;
    f->rows.n_terms = n;
    f->rows.n_rows = 0;
    for (size_t r = 0; r < f->sample->n_rows; r++) {
        const double *values = f->sample->values + r * f->sample->n_columns;
        double *units = f->units + f->rows.n_rows * n;
        int32_t *level = f->level + f->rows.n_rows * n;
        bool whole = true;
        for (size_t i = 0; i < n; i++) {
            const size_t j = f->columns[i];
            level[i] = has_levels(f, j) ? level_of(&f->plan->columns[j], values[j]) : -1;
            units[i] = f->logs ? log(values[j]) : values[j];
            whole = whole && isfinite(units[i]) && (!has_levels(f, j) || level[i] >= 0);
        }
        f->rows.n_rows += whole;
    }
}

/* The share of a column's variance that lies between the classes. */
static double says_of_class(const finding *f, size_t column)
{
    const owi_row_sample *s = f->sample;
    const size_t C = ow_schema_n_classes(f->plan->schema);
    double mean = 0.0, n = 0.0, total = 0.0, between = 0.0;
    for (size_t c = 0; c <= C; c++) { /* in the first round, of all rows */
        double sum = 0.0, count = 0.0;
        for (size_t r = 0; r < s->n_rows; r++) {
            const double y = s->values[r * s->n_columns + column];
            if (isnan(y) || (c > 0 && (size_t)s->classes[r] != c - 1)) continue;
            const double u = f->logs ? log(y) : y;
            sum += u;
            count += 1.0;
            if (c > 0) total += (u - mean) * (u - mean);
        }
        if (c == 0) {
            mean = sum / count;
            n = count;
        } else if (count > 0.0) {
            between += count * (sum / count - mean) * (sum / count - mean);
        }
    }
    return n > 0.0 && total > 0.0 ? between / total : 0.0;
}

/* ---- One relation ---- */

/* A column that earlier sheets know cannot follow from this one. */
static bool may_follow(const finding *f, size_t column)
{
    if (!is_number(f, column)) return false;
    for (size_t s = 0; s < f->list->n; s++)
        for (size_t i = 0; i < f->list->sheets[s].n_terms; i++)
            if (f->list->sheets[s].terms[i].column == f->plan->columns[column].first)
                return false;
    return true;
}

static void swap_first(finding *f, size_t i)
{
    const size_t column = f->columns[i];
    const double least = f->least[i];
    f->columns[i] = f->columns[0];
    f->least[i] = f->least[0];
    f->columns[0] = column;
    f->least[0] = least;
}

static double deviation_of_first(const finding *f)
{
    double mean = 0.0, square = 0.0;
    for (size_t r = 0; r < f->rows.n_rows; r++)
        mean += f->units[r * f->n_terms] / (double)f->rows.n_rows;
    for (size_t r = 0; r < f->rows.n_rows; r++)
        square += (f->units[r * f->n_terms] - mean) * (f->units[r * f->n_terms] - mean);
    return sqrt(square / (double)f->rows.n_rows);
}

/* Half of what one number of the first column stands for, in units: rounded numbers lie
 * that far off their sheet. */
static double rounding_of_first(const finding *f)
{
    const ow_column *column = ow_schema_column(f->plan->schema, f->columns[0]);
    double sum = 0.0;
    if (column->decimals < 0) return 0.0;
    const double cell = pow(10.0, -column->decimals);
    for (size_t r = 0; r < f->rows.n_rows && f->logs; r++)
        sum += exp(-f->units[r * f->n_terms]) / (double)f->rows.n_rows;
    return 0.2887 * cell * (f->logs ? sum : 1.0); /* of a uniform distribution */
}

static ow_status set_terms(finding *f, ow_sheet *sheet, double **levels, size_t *n_levels)
{
    ow_sheet_term *terms = (ow_sheet_term *)(uintptr_t)sheet->terms;
    for (size_t i = 0; i < f->n_terms; i++) {
        const size_t j = f->columns[i];
        const owi_column_plan *column = &f->plan->columns[j];
        terms[i] = (ow_sheet_term){.column = column->first, .factor = 1.0, .scale = 1.0};
        levels[i] = NULL;
        n_levels[i] = 0;
        if (!has_levels(f, j)) {
            owi_encoding_scaling(f->plan->encoding, j, &terms[i].log1p, &terms[i].centre,
                                 &terms[i].scale);
            terms[i].least = f->logs ? f->least[i] : 0.0;
            continue;
        }
        n_levels[i] = column->n_values;
        levels[i] = owi_sheet_list_levels(f->list, i, column->n_values);
        if (levels[i] == NULL) return OW_ERR_MEMORY;
        for (size_t k = 0; k < column->n_values; k++)
            levels[i][k] = f->logs ? log(column->values[k]) : column->values[k];
    }
    return OW_OK;
}

/* How wide a sheet of the columns in this order is: the median deviation of the first one
 * from it.  relative: as a share of what the column varies by; log_width: its logarithm in
 * the column's own units, on average, to compare with sheets in other units. */
typedef struct {
    double relative, log_width;
} width;

/* Fits a sheet, which is then the last of the list. */
static ow_status fit(finding *f, width *found)
{
    double *levels[most], factor[most];
    size_t n_levels[most];
    *found = (width){INFINITY, INFINITY};
    fill_rows(f);
    ow_sheet *sheet = owi_sheet_list_add(f->list, f->n_terms);
    if (sheet == NULL) return OW_ERR_MEMORY;
    OWI_TRY(set_terms(f, sheet, levels, n_levels));
    if (f->rows.n_rows < least_rows ||
        !owi_sheet_fit_line(&f->rows, n_levels, levels, &sheet->constant, factor))
        return OW_OK;
    for (size_t i = 1; i < f->n_terms; i++)
        ((ow_sheet_term *)(uintptr_t)sheet->terms)[i].factor = factor[i];
    const double deviation = deviation_of_first(f);
    const double median = owi_sheet_median(&f->rows) + least_spread * deviation;
    double mean = 0.0;
    for (size_t r = 0; r < f->rows.n_rows && f->logs; r++)
        mean += f->units[r * f->n_terms] / (double)f->rows.n_rows;
    *found = (width){median / deviation, log(median) + mean};
    return OW_OK;
}

/* The orders and units of a relation that make thin sheets. */
typedef struct {
    size_t first; /* of the columns as they come */
    bool logs;
    width width;
    double says; /* of the class */
} attempt;

/* Tries every number as the one that follows, in logarithms (if they may be taken) and as
 * it is, and keeps the thinner of the two; *n is how many attempts there are. */
static ow_status try_all(finding *f, bool may_logs, attempt *tried, size_t *n)
{
    *n = 0;
    for (size_t i = 0; i < f->n_terms; i++) {
        attempt best = {.first = i, .width = {INFINITY, INFINITY}};
        if (!may_follow(f, f->columns[i])) continue;
        for (int logs = 0; logs <= (may_logs ? 1 : 0); logs++) {
            width found;
            swap_first(f, i);
            f->logs = logs == 1;
            const ow_status status = fit(f, &found);
            if (f->list->n > 0 && status == OW_OK) owi_sheet_list_drop(f->list);
            swap_first(f, i);
            OWI_TRY(status);
            if (!(found.log_width < best.width.log_width)) continue;
            best.logs = logs == 1;
            best.width = found;
        }
        if (!(best.width.relative < most_spread)) continue;
        f->logs = best.logs;
        best.says = says_of_class(f, f->columns[i]);
        tried[(*n)++] = best;
    }
    return OW_OK;
}

static ow_status add_relation(finding *f, const ow_relation *relation)
{
    attempt tried[most];
    size_t n;
    double thinnest = INFINITY;
    const attempt *best = NULL;
    if (relation->formula == NULL || relation->n_parents + 1 > most) return OW_OK;
    f->n_terms = relation->n_parents + 1;
    f->columns[0] = relation->column;
    for (size_t i = 0; i < relation->n_parents; i++)
        f->columns[i + 1] = relation->parents[i];
    for (size_t i = 0; i < f->n_terms; i++)
        if (!is_number(f, f->columns[i]) && !has_levels(f, f->columns[i])) return OW_OK;
    OWI_TRY(try_all(f, may_take_logs(f), tried, &n));
    for (size_t i = 0; i < n; i++) thinnest = fmin(thinnest, tried[i].width.relative);
    for (size_t i = 0; i < n; i++)
        if (tried[i].width.relative <= much_wider * thinnest &&
            (best == NULL || tried[i].says < best->says))
            best = &tried[i];
    if (best == NULL) return OW_OK;
    width found;
    swap_first(f, best->first);
    f->logs = best->logs;
    OWI_TRY(fit(f, &found));
    ow_sheet *sheet = &f->list->sheets[f->list->n - 1];
    owi_sheet_fit_spread(&f->rows,
                         fmax(rounding_of_first(f), least_spread * deviation_of_first(f)),
                         &sheet->spread, &sheet->freedom);
    return OW_OK;
}

ow_status owi_find_sheets(const owi_call *call, const owi_plan *plan,
                          const owi_row_sample *sample, owi_sheet_list *list)
{
    ow_context *ctx = plan->ctx;
    finding f = {.plan = plan, .sample = sample, .list = list};
    const size_t n_relations = ow_schema_n_relations(plan->schema);
    list->ctx = ctx;
    if (n_relations == 0) return OW_OK;
    f.units = owi_alloc_array(ctx, sample->n_rows * most, sizeof *f.units);
    f.level = owi_alloc_array(ctx, sample->n_rows * most, sizeof *f.level);
    f.rows.residual = owi_alloc_array(ctx, sample->n_rows, sizeof *f.rows.residual);
    f.rows.room = owi_alloc_array(ctx, sample->n_rows, sizeof *f.rows.room);
    f.rows.units = f.units;
    f.rows.level = f.level;
    ow_status status =
        f.units != NULL && f.level != NULL && f.rows.residual != NULL && f.rows.room != NULL
            ? OW_OK
            : OW_ERR_MEMORY;
    for (size_t i = 0; i < n_relations && status == OW_OK; i++) {
        status = owi_call_tick(call);
        if (status == OW_OK && list->n < owi_most_sheets)
            status = add_relation(&f, ow_schema_relation(plan->schema, i));
    }
    owi_free(ctx, f.units);
    owi_free(ctx, f.level);
    owi_free(ctx, f.rows.residual);
    owi_free(ctx, f.rows.room);
    return status;
}
