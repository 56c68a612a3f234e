/* SPDX-License-Identifier: MIT */
/* A bootstrap sample of a source's rows: each occurs as often as a draw of the Poisson
 * distribution says, which depends on the seed and the row's number alone. */
#ifndef OWI_BOOTSTRAP_SOURCE_H
#define OWI_BOOTSTRAP_SOURCE_H

#include "base/call.h"
#include "otherwise/learn.h"

enum { owi_bootstrap_block = 64 }; /* rows that are read at a time */

typedef struct {
    const ow_row_source *from;
    size_t n_columns;
    uint64_t seed;
    double rate;      /* the mean number of times, at most 1                        */
    const bool *rare; /* (classes) rows of these occur once; NULL: there are none   */
    float *block;     /* (owi_bootstrap_block, n_columns), the caller's: rows read  */
    int32_t classes[owi_bootstrap_block]; /* of the block                           */
    size_t at, n_read; /* the block's current row, and how many it has              */
    size_t n_left;     /* how often the current row is still due                    */
    size_t row;        /* number of the next row of the source                      */
} owi_bootstrap;

ow_row_source owi_bootstrap_source(owi_bootstrap *sample);

/* Reads the sample once and keeps its rows, for those that read a small sample of a long
 * source again and again: a pass over it would draw for every row of the source.  The
 * caller frees both arrays with owi_free, also after a failure. */
typedef struct {
    size_t n_rows;
    float *rows; /* (n_rows, n_columns) */
    int32_t *classes;
} owi_bootstrap_rows;
ow_status owi_bootstrap_keep(const owi_call *call, owi_bootstrap *sample,
                             owi_bootstrap_rows *kept);

#endif
