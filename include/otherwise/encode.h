/* SPDX-License-Identifier: MIT */
/* Encoding: from rows in original units to the scaled numbers that a circuit reads, and
 * back.
 *
 *     ow_encoding *encoding = NULL;
 *     ow_status st = ow_encoding_new(ctx, schema, OW_CATEGORY_ONE_HOT, &encoding);
 *     double *encoded = malloc(n * ow_encoding_width(encoding) * sizeof *encoded);
 *     ow_encoding_encode(encoding, n, values, encoded);
 *     ow_encoding_decode(encoding, n, encoded, values);
 *     ow_encoding_free(encoding);
 *
 * Decoding an encoded row gives the row back.  Levels come back exactly.  For a number x
 * the precision depends on the column:
 *
 * - With a fixed number of decimals (ow_column.decimals; 0 for integers), x comes back
 *   exactly if x and its distance from the column's low (minmax) or mean (standard) have at
 *   most 15 digits, or with log1p if 1 + x has at most 13.
 * - If all digits matter (decimals is -1), x comes back unchanged with scaling none; to
 *   within 2^-50 (|x| + |c|) with minmax (c = low) or standard (c = mean); and to within
 *   2^-50 (1 + x) (log(1 + x) + |log_mean|) with log1p.
 *
 * A circuit works with float.  An encoded number that is rounded to float still decodes
 * exactly if x lies in the column's range and, counted in units of the last decimal, the
 * range (minmax, standard) or x itself (none) is less than four million, or 1 + high
 * less than half a million (log1p).
 *
 * Threads: an encoding is read-only and may be shared between threads. */
#ifndef OTHERWISE_ENCODE_H
#define OTHERWISE_ENCODE_H

#include <stddef.h>

#include "otherwise/context.h"
#include "otherwise/schema.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_encoding ow_encoding;

typedef enum {
    OW_CATEGORY_CODE,   /* one encoded column holding the level's index      */
    OW_CATEGORY_ONE_HOT /* one encoded column for each level, 1 or 0         */
} ow_category_form;

/* Makes an encoding for rows of the schema, of which it copies what it needs. */
OW_API OW_MUST_CHECK ow_status ow_encoding_new(ow_context *ctx, const ow_schema *schema,
                                               ow_category_form form, ow_encoding **out);
/* Does nothing for NULL. */
OW_API void ow_encoding_free(ow_encoding *encoding);

/* The number of encoded columns: the width of an encoded row. */
OW_API size_t ow_encoding_width(const ow_encoding *encoding);

/* The encoded columns of one schema column: sets *first to the index of the first one and
 * *width to their number. */
OW_API void ow_encoding_span(const ow_encoding *encoding, size_t column, size_t *first,
                             size_t *width);

/* Encodes rows: values is n_rows x n_columns, encoded n_rows x width, both row-major.  A
 * missing value, or a number that is not the index of a level, becomes NaN in all
 * encoded columns of its schema column.  Numbers are scaled as ow_scaling (schema.h)
 * says, with two special cases: a minmax column whose low equals its high is divided by
 * 1, and with log1p a number x < 0, which no training row had, uses x in place of log(1
 * + x). */
OW_API void ow_encoding_encode(const ow_encoding *encoding, size_t n_rows,
                               const double *values, double *encoded);

/* Decodes to the nearest row that the schema can express: the level with the largest
 * entry (the first one of equal entries), the nearest whole number, or the nearest
 * number with the column's decimals.  Ranges are not enforced.  If any encoded column of
 * a schema column is NaN, its value is missing. */
OW_API void ow_encoding_decode(const ow_encoding *encoding, size_t n_rows,
                               const double *encoded, double *values);

#ifdef __cplusplus
}
#endif
#endif
