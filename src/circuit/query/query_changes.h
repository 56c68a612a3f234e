/* SPDX-License-Identifier: MIT */
/* The inside of ow_changes. */
#ifndef OWI_QUERY_CHANGES_H
#define OWI_QUERY_CHANGES_H

#include "circuit/pass/evaluator.h"
#include "circuit/structure/column_leaves.h"

struct owi_change_worker;
struct owi_pair_tables;
struct owi_pair_worker;

struct ow_changes {
    ow_evaluator *evaluator;
    owi_column_leaves leaves;

    size_t n_candidates, most_in_column;
    size_t *start;    /* (columns + 1)                                               */
    float *values;    /* (candidates)                                                */
    uint32_t *column; /* (candidates): of which column each is                       */
    double *constant; /* (candidates): owi_leaf_constant                             */
    float *table; /* (copy, candidate, N): exp(log p_n(v) - top), N leaves of its column */
    double *top;  /* (copy, candidate): max_n log p_n(v)                         */
    uint32_t *scope; /* (N): 0, 1, ..., N - 1                                       */
    float *zeros;    /* (most_in_column)                                            */

    /* Linear sums below this are made again in the log domain; infinity: all of them. */
    float least_sum;

    size_t n_workers;
    struct owi_change_worker *workers;

    /* Pairs of changes (query_pairs.c), made when first asked for.  Their sums below
     * least_pair_sum are made again by evaluating the changed row. */
    float least_pair_sum;
    struct owi_pair_tables *pairs;
    size_t n_pair_workers;
    struct owi_pair_worker *pair_workers;
};

/* Frees what pairs of changes have made. */
void owi_pairs_clear(ow_changes *changes);

#endif
