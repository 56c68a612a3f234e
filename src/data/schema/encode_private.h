/* SPDX-License-Identifier: MIT */
/* The encoding of one number at a time, for models that encode some columns in their own
 * way. */
#ifndef OWI_ENCODE_PRIVATE_H
#define OWI_ENCODE_PRIVATE_H

#include <stdbool.h>

#include "otherwise/encode.h"

/* Of a number column; NaN stays NaN. */
double owi_encode_number(const ow_encoding *encoding, size_t column, double x);
double owi_decode_number(const ow_encoding *encoding, size_t column, double e);

/* e = (w(x) - centre) / scale, where w is log1p or nothing. */
void owi_encoding_scaling(const ow_encoding *encoding, size_t column, bool *log1p,
                          double *centre, double *scale);

/* Where all columns are numbers with a linear scaling: their centres and scales, side by
 * side; else NULL. */
const double *owi_encoding_lines(const ow_encoding *encoding, const double **scale);
/* Such rows encoded, rounded to float, one entry for each column; a number too large for a
 * float becomes the largest one.  False, and nothing is done, where there is another
 * column. */
bool owi_encode_lines(const ow_encoding *encoding, size_t n_rows, const double *values,
                      float *encoded);

/* Takes the scaling of a number column over from its schema, where that has changed. */
void owi_encoding_rescale(ow_encoding *encoding, size_t column, const ow_column *scaled);

#endif
