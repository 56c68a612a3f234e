/* SPDX-License-Identifier: MIT */
/* A bootstrap sample of a source's rows: each occurs as often as a draw of the Poisson
 * distribution says, which depends on the seed and the row's number alone. */
#ifndef OWI_BOOTSTRAP_SOURCE_H
#define OWI_BOOTSTRAP_SOURCE_H

#include "otherwise/learn.h"

typedef struct {
    const ow_row_source *from;
    size_t n_columns;
    uint64_t seed;
    double rate;      /* the mean number of times, at most 1                         */
    const bool *rare; /* (classes) rows of these occur once; NULL: there are none    */
    size_t row;       /* number of the next row of the source                        */
    float *pending;   /* n_columns, the caller's: a row that is due n_pending times  */
    size_t n_pending;
    int32_t pending_class;
} owi_bootstrap;

ow_row_source owi_bootstrap_source(owi_bootstrap *sample);

#endif
