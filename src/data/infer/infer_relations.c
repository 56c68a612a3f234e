/* SPDX-License-Identifier: MIT */
#include "data/infer/infer_relations.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/sorted.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "data/relations/relations.h"
#include "data/rows/reader.h"
#include "data/rows/reader_private.h"
#include "data/schema/schema_private.h"

enum { near_digits = 6, exact_digits = 12 };

/* ---- Rows ---- */

/* The rows under their schema. */
typedef struct {
    size_t n, n_columns;
    double *values; /* (n, n_columns) */
} sample;

/* What inference has told of the columns is not told again. */
static ow_status bind_quietly(ow_reader *reader, const ow_schema *schema)
{
    OWI_TRY(ow_reader_bind(reader, schema, false));
    for (size_t j = 0; j < schema->n_columns; j++) reader->binding.warned[j] = true;
    return OW_OK;
}

static ow_status read_values(ow_reader *reader, const owi_call *call,
                             const owi_cell_sample *cells, const ow_schema *schema,
                             sample *s)
{
    *s = (sample){.n_columns = schema->n_columns};
    s->values =
        owi_alloc_array(schema->ctx, cells->n_rows * s->n_columns, sizeof *s->values);
    owi_cell *row = owi_alloc_array(schema->ctx, cells->n_columns, sizeof *row);
    ow_status status = s->values != NULL && row != NULL ? OW_OK : OW_ERR_MEMORY;
    if (status == OW_OK) status = bind_quietly(reader, schema);
    for (; status == OW_OK && s->n < cells->n_rows; s->n++) {
        owi_cell_sample_row(cells, s->n, row);
        status = owi_reader_row_values(reader, row, s->values + s->n * s->n_columns);
        if (status == OW_OK && s->n % 64 == 0) status = owi_call_tick(call);
    }
    owi_binding_clear(schema->ctx, &reader->binding);
    owi_free(schema->ctx, row);
    return status;
}

/* ---- Formulas ---- */

static double to_digits(double x, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, x);
    return strtod(text, NULL);
}

/* Appends to a text that owns its memory; NULL stays NULL. */
static char *append(ow_context *ctx, char *text, const char *separator, const char *more)
{
    char *longer = text != NULL && more != NULL
                       ? owi_format_text(ctx, "%s%s%s", text, separator, more)
                       : NULL;
    owi_free(ctx, text);
    return longer;
}

/* "name" or "name ^ power". */
static char *write_power(const ow_schema *schema, size_t column, double power, int digits)
{
    char number[owi_number_size];
    ow_context *ctx = schema->ctx;
    char *name = owi_write_column_name(ctx, schema->columns[column].name);
    const double rounded = to_digits(power, digits);
    if (name == NULL || rounded == 1.0) return name;
    owi_print_number(rounded, number);
    return append(ctx, name, " ^ ", number);
}

/* constant * x ^ a / y ^ b */
static char *write_product(const ow_schema *schema, const owi_relation *r, int digits)
{
    ow_context *ctx = schema->ctx;
    char number[owi_number_size];
    const double constant = to_digits(exp(r->constant), digits);
    owi_print_number(constant, number);
    char *text = owi_format_text(ctx, "%s", number);
    bool is_bare = constant == 1.0; /* the 1 is left out where a factor follows */
    for (int divides = 0; divides < 2; divides++)
        for (size_t i = 0; i < r->n_parents; i++) {
            if ((r->factor[i] < 0.0) != (divides == 1)) continue;
            char *power = write_power(schema, r->parents[i], fabs(r->factor[i]), digits);
            if (is_bare && divides == 0) {
                owi_free(ctx, text);
                text = power;
            } else {
                text = append(ctx, text, divides ? " / " : " * ", power);
                owi_free(ctx, power);
            }
            is_bare = false;
        }
    return text;
}

/* a * x - b * y + constant */
static char *write_sum(const ow_schema *schema, const owi_relation *r, int digits)
{
    ow_context *ctx = schema->ctx;
    char number[owi_number_size];
    char *text = owi_format_text(ctx, "%s", "");
    for (size_t i = 0; i <= r->n_parents; i++) {
        const bool is_term = i < r->n_parents;
        const double factor = to_digits(is_term ? r->factor[i] : r->constant, digits);
        const char *sign = i == 0 ? factor < 0.0 ? "-" : "" : factor < 0.0 ? " - " : " + ";
        if (!is_term && factor == 0.0) break;
        owi_print_number(fabs(factor), number);
        if (!is_term) {
            text = append(ctx, text, sign, number);
            break;
        }
        char *name = owi_write_column_name(ctx, schema->columns[r->parents[i]].name);
        if (fabs(factor) != 1.0) {
            text = append(ctx, text, sign, number);
            sign = " * ";
        }
        text = append(ctx, text, sign, name);
        owi_free(ctx, name);
    }
    return text;
}

/* ---- Tables ---- */

static int compare_pairs(const void *a, const void *b)
{
    const double *x = a, *y = b;
    if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
    return (x[1] > y[1]) - (x[1] < y[1]);
}

/* For each value of the parent the most frequent one of the column. */
static ow_status make_table(const ow_schema *schema, const sample *s, const owi_relation *r,
                            owi_dependency *made)
{
    double *pairs = owi_alloc_array(schema->ctx, 2 * s->n, sizeof *pairs);
    size_t n = 0, n_kept = 0;
    if (pairs == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < s->n; i++) {
        const double *row = s->values + i * s->n_columns;
        if (isnan(row[r->parents[0]]) || isnan(row[r->column])) continue;
        pairs[2 * n] = row[r->parents[0]];
        pairs[2 * n++ + 1] = row[r->column];
    }
    if (n > 0) qsort(pairs, n, 2 * sizeof *pairs, compare_pairs);
    for (size_t first = 0; first < n;) {
        size_t past = first, most = 0;
        double best = 0.0;
        while (past < n && pairs[2 * past] == pairs[2 * first]) {
            size_t same = past;
            while (same < n && compare_pairs(pairs + 2 * same, pairs + 2 * past) == 0)
                same++;
            if (same - past > most) best = pairs[2 * past + 1];
            most = owi_larger(most, same - past);
            past = same;
        }
        pairs[2 * n_kept] = pairs[2 * first];
        pairs[2 * n_kept++ + 1] = best;
        first = past;
    }
    const ow_status status = owi_dependency_table(schema->ctx, schema, r->column,
                                                  r->parents[0], n_kept, pairs, made);
    owi_free(schema->ctx, pairs);
    return status;
}

/* ---- Deviations ---- */

/* What 95 % of the rows have; the column is above 0 wherever a ratio is taken. */
static const double outer_share = 0.025;

static ow_status set_within(const ow_schema *schema, const sample *s, owi_dependency *made)
{
    const size_t y = made->shown.column;
    const bool by_ratio = schema->columns[y].low > 0.0;
    double *deviation = owi_alloc_array(schema->ctx, s->n, sizeof *deviation);
    size_t n = 0;
    if (deviation == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < s->n; i++) {
        const double *row = s->values + i * s->n_columns;
        const double f = owi_expression_value(made->formula, row);
        const double x = by_ratio ? row[y] / f : row[y] - f;
        if (isfinite(x) && (!by_ratio || f > 0.0)) deviation[n++] = x;
    }
    owi_sort_numbers(deviation, n);
    ow_status status = OW_OK;
    if (n > 0) {
        const double middle = by_ratio ? 1.0 : 0.0;
        const double low = fmin(owi_quantile(deviation, n, outer_share), middle);
        const double high = fmax(owi_quantile(deviation, n, 1.0 - outer_share), middle);
        if (low != 0.0 && low < high)
            status = owi_dependency_set_within(schema, made, to_digits(low, near_digits),
                                               to_digits(high, near_digits));
    }
    owi_free(schema->ctx, deviation);
    return status;
}

/* ---- All of it ---- */

static ow_status make(const ow_schema *schema, const sample *s, const owi_relation *r,
                      owi_dependency *made)
{
    *made = (owi_dependency){0};
    if (r->kind == OWI_RELATION_LEVELS) return make_table(schema, s, r, made);
    const int digits = r->exact ? exact_digits : near_digits;
    char *text = r->kind == OWI_RELATION_PRODUCT ? write_product(schema, r, digits)
                                                 : write_sum(schema, r, digits);
    if (text == NULL) return OW_ERR_MEMORY;
    const ow_status status =
        owi_dependency_formula(schema->ctx, schema,
                               r->exact ? OW_RELATION_DERIVED : OW_RELATION_NEAR, r->column,
                               text, made);
    owi_free(schema->ctx, text);
    if (status != OW_OK || r->exact) return status;
    return set_within(schema, s, made);
}

static void tell(const ow_schema *schema, const char *file, const ow_relation *shown)
{
    static const char *const words[] = {"is", "is nearly"};
    char quoted[2][owi_quote_size];
    owi_quote_text(schema->columns[shown->column].name, quoted[0]);
    if (shown->kind == OW_RELATION_FOLLOWS)
        owi_log(schema->ctx, OW_LOG_INFO,
                "%s: column %s goes with the value of %s and will change with it", file,
                quoted[0],
                owi_quote_text(schema->columns[shown->parents[0]].name, quoted[1]));
    else
        owi_log(schema->ctx, OW_LOG_INFO, "%s: column %s %s %s, and will change with it",
                file, quoted[0], words[shown->kind == OW_RELATION_NEAR], shown->formula);
}

static ow_status add_found(const sample *s, const owi_relation *found, size_t n_found,
                           const char *file, ow_schema *schema)
{
    for (size_t i = 0; i < n_found; i++) {
        owi_dependency made;
        if (schema->columns[found[i].column].link != 0) continue;
        const ow_status status = make(schema, s, &found[i], &made);
        if (status != OW_OK) {
            owi_dependency_clear(schema->ctx, &made);
            return status;
        }
        OWI_TRY(owi_schema_add_relation(schema, &made));
    }
    for (size_t i = 0; i < schema->n_relations; i++)
        tell(schema, file, &schema->relations[i].shown);
    return OW_OK;
}

ow_status owi_infer_relations(ow_reader *reader, const owi_call *call,
                              const owi_cell_sample *cells, ow_schema *schema)
{
    ow_context *ctx = schema->ctx;
    sample s = {0};
    owi_relation *found = NULL;
    size_t n_found = 0;
    bool *is_number = owi_alloc_array(ctx, schema->n_columns, sizeof *is_number);
    if (is_number == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < schema->n_columns; j++)
        is_number[j] = !owi_is_category(schema->columns[j].type);
    ow_status status = read_values(reader, call, cells, schema, &s);
    const owi_relation_rows rows = {s.n, s.n_columns, s.values, is_number, call};
    if (status == OW_OK) status = owi_relations_find(ctx, &rows, &found, &n_found);
    if (status == OW_OK)
        status = add_found(&s, found, n_found, owi_reader_name(reader), schema);
    owi_free(ctx, found);
    owi_free(ctx, s.values);
    owi_free(ctx, is_number);
    return status;
}
