/* SPDX-License-Identifier: MIT */
/* Numbers.  With w the warp of the scaling, c its centre and s > 0 its scale,
 *
 *     encoded  e = (w(x) - c) / s               decoded  x = w^-1(e s + c), rounded
 *
 *     scaling    w(x)                            c         s
 *     none       x                               0         1
 *     minmax     x                               low       high - low, 1 where that is 0
 *     standard   x                               mean      deviation
 *     log1p      log(1 + x) for x > 0, else x    log_mean  log_deviation
 *
 * Below 0, which no training row reached, log1p goes on as the straight line that touches
 * the logarithm there (both have value 0 and slope 1): it stays increasing and invertible.
 *
 * Rounding.  A column's numbers are whole multiples of step = 10^-decimals, and decoding
 * takes the nearest.  On the way there and back the difference, the quotient, the product
 * and the sum are each off by half a unit in the last place at most, log1p and expm1 by
 * one, which makes
 *
 *     4 epsilon (|w(x)| + |c|) dx/dw,      dx/dw = 1 + x on the logarithm, else 1
 *
 * of x at the most, and no more than 0.4 step for |x| and |x - c| up to 10^15 steps: 0.0625
 * (x itself) + 0.0625 + 0.111 + 0.0625 + 0.0625.  On the logarithm, w(x) < 30 and 1 + x up
 * to 10^13 steps make it 0.13 step. */
#include "data/schema/encode_private.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"

typedef enum { number, level_code, level_one_hot } span_kind;

/* One schema column: where it goes, and what it takes to get there. */
typedef struct {
    span_kind kind;
    size_t first, width; /* encoded columns                                    */
    size_t n_levels;     /* categories only                                    */
    bool warped;         /* numbers only, all of these: w is log(1 + x)        */
    double centre, scale;
    int decimals;
} column_span;

struct ow_encoding {
    ow_context *ctx;
    size_t n_columns, width;
    column_span *spans;
    /* Of all columns, side by side for whole rows at a time. */
    double *centre, *scale;
    size_t n_bent; /* columns that are no numbers, or warped */
};

/* ---- Numbers ---- */

static void set_scaling(column_span *span, const ow_column *column)
{
    span->centre = 0.0;
    span->scale = 1.0;
    span->warped = false;
    switch (column->scaling) {
    case OW_SCALE_NONE:
        break;
    case OW_SCALE_MINMAX:
        span->centre = column->low;
        if (column->high > column->low) span->scale = column->high - column->low;
        break;
    case OW_SCALE_STANDARD:
        span->centre = column->mean;
        span->scale = column->deviation;
        break;
    case OW_SCALE_LOG1P:
        span->warped = true;
        span->centre = column->log_mean;
        span->scale = column->log_deviation;
        break;
    }
    span->decimals = column->decimals;
}

static double encode_number(const column_span *span, double x)
{
    const double warped = span->warped && x > 0.0 ? log1p(x) : x;
    return (warped - span->centre) / span->scale;
}

static double decode_number(const column_span *span, double e)
{
    const double warped = e * span->scale + span->centre;
    const double x = span->warped && warped > 0.0 ? expm1(warped) : warped;
    return owi_round_decimals(x, span->decimals);
}

/* What a span says, beside the others'. */
static void line_up(ow_encoding *encoding, size_t column)
{
    const column_span *span = &encoding->spans[column];
    encoding->centre[column] = span->centre;
    encoding->scale[column] = span->scale;
}

static bool is_bent(const column_span *span)
{
    return span->kind != number || span->warped;
}

void owi_encoding_rescale(ow_encoding *encoding, size_t column, const ow_column *scaled)
{
    column_span *span = &encoding->spans[column];
    encoding->n_bent -= is_bent(span);
    set_scaling(span, scaled);
    encoding->n_bent += is_bent(span);
    line_up(encoding, column);
}

const double *owi_encoding_lines(const ow_encoding *encoding, const double **scale)
{
    *scale = encoding->scale;
    return encoding->n_bent == 0 ? encoding->centre : NULL;
}

/* A number too large for a float becomes the largest one; NaN stays NaN. */
OWI_WIDE static void encode_line(size_t n, const double *centre, const double *scale,
                                 const double *x, float *restrict encoded)
{
    const double most = (double)FLT_MAX;
    for (size_t j = 0; j < n; j++) {
        const double e = (x[j] - centre[j]) / scale[j];
        const double above = e < -most ? -most : e;
        encoded[j] = (float)(above > most ? most : above);
    }
}

bool owi_encode_lines(const ow_encoding *encoding, size_t n_rows, const double *values,
                      float *encoded)
{
    const size_t n = encoding->n_columns;
    for (size_t i = 0; i < n_rows && encoding->n_bent == 0; i++)
        encode_line(n, encoding->centre, encoding->scale, values + i * n, encoded + i * n);
    return encoding->n_bent == 0;
}

void owi_encoding_scaling(const ow_encoding *encoding, size_t column, bool *log1p,
                          double *centre, double *scale)
{
    const column_span *span = &encoding->spans[column];
    *log1p = span->warped;
    *centre = span->centre;
    *scale = span->scale;
}

double owi_encode_number(const ow_encoding *encoding, size_t column, double x)
{
    return encode_number(&encoding->spans[column], x);
}

double owi_decode_number(const ow_encoding *encoding, size_t column, double e)
{
    return decode_number(&encoding->spans[column], e);
}

/* ---- Categories ---- */

/* The index itself, or a 1 at the index among 0s; an index that is none is missing. */
static void encode_level(const column_span *span, double level, double *encoded)
{
    if (!(level >= 0.0 && level < (double)span->n_levels && level == floor(level)))
        level = NAN;
    if (span->kind == level_code || isnan(level)) {
        for (size_t k = 0; k < span->width; k++) encoded[k] = level;
        return;
    }
    for (size_t k = 0; k < span->width; k++) encoded[k] = 0.0;
    encoded[(size_t)level] = 1.0;
}

static double decode_code(const column_span *span, double e)
{
    if (isnan(e)) return NAN;
    return fmin(fmax(round(e), 0.0), (double)(span->n_levels - 1));
}

/* The first of the largest. */
static double decode_one_hot(const column_span *span, const double *encoded)
{
    size_t best = 0;
    for (size_t k = 0; k < span->width; k++) {
        if (isnan(encoded[k])) return NAN;
        if (encoded[k] > encoded[best]) best = k;
    }
    return (double)best;
}

/* ---- Rows ---- */

ow_status ow_encoding_new(ow_context *ctx, const ow_schema *schema, ow_category_form form,
                          ow_encoding **out)
{
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(ctx != NULL && schema != NULL);
    OWI_REQUIRE(form == OW_CATEGORY_CODE || form == OW_CATEGORY_ONE_HOT);

    ow_encoding *encoding = owi_alloc_zeroed(ctx, sizeof *encoding);
    if (encoding == NULL) return OW_ERR_MEMORY;
    encoding->ctx = ctx;
    encoding->n_columns = ow_schema_n_columns(schema);
    encoding->spans = owi_alloc_array(ctx, encoding->n_columns, sizeof *encoding->spans);
    encoding->centre =
        owi_alloc_array(ctx, encoding->n_columns, 2 * sizeof *encoding->centre);
    if (encoding->spans == NULL || encoding->centre == NULL) {
        ow_encoding_free(encoding);
        return OW_ERR_MEMORY;
    }
    encoding->scale = encoding->centre + encoding->n_columns;
    for (size_t j = 0; j < encoding->n_columns; j++) {
        const ow_column *column = ow_schema_column(schema, j);
        column_span *span = &encoding->spans[j];
        span->first = encoding->width;
        span->width = 1;
        span->n_levels = column->n_levels;
        if (column->n_levels == 0) {
            span->kind = number;
            set_scaling(span, column);
        } else if (form == OW_CATEGORY_CODE) {
            span->kind = level_code;
        } else {
            span->kind = level_one_hot;
            span->width = column->n_levels;
        }
        encoding->width += span->width; /* every level is in memory: no overflow */
        encoding->n_bent += is_bent(span);
        line_up(encoding, j);
    }
    *out = encoding;
    return OW_OK;
}

void ow_encoding_free(ow_encoding *encoding)
{
    if (encoding == NULL) return;
    owi_free(encoding->ctx, encoding->spans);
    owi_free(encoding->ctx, encoding->centre);
    owi_free(encoding->ctx, encoding);
}

size_t ow_encoding_width(const ow_encoding *encoding)
{
    return encoding->width;
}

void ow_encoding_span(const ow_encoding *encoding, size_t column, size_t *first,
                      size_t *width)
{
    *first = encoding->spans[column].first;
    *width = encoding->spans[column].width;
}

void ow_encoding_encode(const ow_encoding *encoding, size_t n_rows, const double *values,
                        double *encoded)
{
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < encoding->n_columns; j++) {
            const column_span *span = &encoding->spans[j];
            if (span->kind == number)
                encoded[span->first] = encode_number(span, values[j]);
            else
                encode_level(span, values[j], encoded + span->first);
        }
        values += encoding->n_columns;
        encoded += encoding->width;
    }
}

static double decode_span(const column_span *span, const double *encoded)
{
    if (span->kind == number) return decode_number(span, encoded[0]);
    if (span->kind == level_code) return decode_code(span, encoded[0]);
    return decode_one_hot(span, encoded);
}

void ow_encoding_decode(const ow_encoding *encoding, size_t n_rows, const double *encoded,
                        double *values)
{
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < encoding->n_columns; j++) {
            const column_span *span = &encoding->spans[j];
            values[j] = decode_span(span, encoded + span->first);
        }
        encoded += encoding->width;
        values += encoding->n_columns;
    }
}
