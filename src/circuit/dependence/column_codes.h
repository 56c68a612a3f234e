/* SPDX-License-Identifier: MIT */
/* Columns of all kinds as a few codes each, for counting which of them occur together: a
 * level is a code, a number's is that of its bin.  Bins hold about as many rows each, as
 * far as equal values allow, which are never parted: a value that many rows share (a point
 * mass) has a bin of its own. */
#ifndef OWI_COLUMN_CODES_H
#define OWI_COLUMN_CODES_H

#include <stddef.h>
#include <stdint.h>

#include "otherwise/circuit.h"

enum { owi_most_codes = 64, owi_no_code = 255 };

typedef struct {
    size_t n_codes;    /* 1 or more                                                   */
    size_t n_levels;   /* 0: a number                                                 */
    uint8_t *of_level; /* (n_levels)                                              */
    float *edge;       /* (n_codes - 1): code c begins at edge[c - 1]             */
} owi_column_codes;

/* From n_rows values of a column, `stride` floats apart.  A column of more than most_codes
 * levels has the most frequent ones alone and the others together. */
ow_status owi_column_codes_init(owi_column_codes *codes, ow_context *ctx,
                                const ow_leaf *leaf, size_t most_codes, size_t n_rows,
                                const float *values, size_t stride);
void owi_column_codes_clear(owi_column_codes *codes, ow_context *ctx);

/* Of one value; owi_no_code where it is missing. */
uint8_t owi_column_code(const owi_column_codes *codes, float x);

#endif
