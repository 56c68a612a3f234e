/* SPDX-License-Identifier: MIT */
/* From rows in original units to the numbers that a circuit sees, and back.
 *
 *     ow_encoding *encoding = NULL;
 *     ow_status st = ow_encoding_new(ctx, schema, OW_CATEGORY_ONE_HOT, &encoding);
 *     double *encoded = malloc(n * ow_encoding_width(encoding) * sizeof *encoded);
 *     ow_encode(encoding, n, values, encoded);
 *     ow_decode(encoding, n, encoded, values);
 *     ow_encoding_free(encoding);
 *
 * Decoding what was encoded gives back the row: levels exactly, numbers to the last digit
 * that the column has (ow_column.decimals; 0 for integers), as long as the number, and its
 * distance from the column's low (minmax) or mean (standard), has no more than 15 digits in
 * all, or 1 + x no more than 13 (log1p).  Where all digits matter (decimals -1), x comes
 * back as it was with scaling none, to within 2^-50 (|x| + |c|) with c = low or mean, or to
 * within 2^-50 (1 + x) (log(1 + x) + |log_mean|) with log1p.
 *
 * A circuit works with float: what goes through a float comes back exactly for a number in
 * the column's range, as long as that range (minmax, standard) or the number itself (none)
 * holds less than four million steps of the last digit, or 1 + high less than half a
 * million (log1p).
 *
 * Threads: an encoding is read-only and may be shared. */
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

/* Copies what it needs of the schema. */
OW_API OW_MUST_CHECK ow_status ow_encoding_new(ow_context *ctx, const ow_schema *schema,
                                               ow_category_form form, ow_encoding **out);
/* Does nothing for NULL. */
OW_API void ow_encoding_free(ow_encoding *encoding);

/* Encoded columns in all. */
OW_API size_t ow_encoding_width(const ow_encoding *encoding);

/* The encoded columns of one schema column: first, and how many. */
OW_API void ow_encoding_span(const ow_encoding *encoding, size_t column, size_t *first,
                             size_t *width);

/* values is n_rows x n_columns, encoded n_rows x width, both row-major.  A missing
 * value, and a number that is no level's index, is NaN in every encoded column of its
 * span.  Numbers follow schema.h (a minmax column that never varies is divided by 1); for
 * log1p a number below 0, which no training row had, takes x itself for log(1 + x). */
OW_API void ow_encode(const ow_encoding *encoding, size_t n_rows, const double *values,
                      double *encoded);

/* The nearest row that the schema can express: the level with the largest entry (the
 * first of several), the nearest whole number, the nearest number with the column's
 * decimals.  Ranges are not enforced.  NaN anywhere in a span: missing. */
OW_API void ow_decode(const ow_encoding *encoding, size_t n_rows, const double *encoded,
                      double *values);

#ifdef __cplusplus
}
#endif
#endif
