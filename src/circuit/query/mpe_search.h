/* SPDX-License-Identifier: MIT */
/* Search for the most probable completion where it cannot be had exactly.  Attempts at a
 * row and class start from the most probable trees of the repetitions (max_product.h) and
 * from samples; each climbs: to better values of single columns (query_changes.h), and with
 * all its missing numbers at once to the means of their leaves, weighted by flow over
 * variance: a step of EM, which cannot lead down. */
#ifndef OWI_MPE_SEARCH_H
#define OWI_MPE_SEARCH_H

#include "circuit/pass/evaluator.h"
#include "circuit/structure/column_leaves.h"

typedef struct {
    const owi_call *call;
    ow_evaluator *evaluator;
    owi_column_leaves leaves;
    ow_changes *changes; /* candidates for what is missing in some row; NULL: none */
    size_t n_candidates;
    size_t n_starts; /* attempts at a row and class */
    bool climbs; /* false where the most probable tree is the answer: a single component */

    size_t most, n;      /* attempts: at a time, now                             */
    const float **given; /* (most): the row with its gaps                         */
    size_t *row;         /* (most): its number                                    */
    size_t *class_of;    /* (most)                                                */
    float *rows, *trial; /* (most, columns)                                       */
    double *value;       /* (most): log S(row given its class)                    */
    double *log_class;   /* (most, C)                                             */
    double *log_changed; /* (most, C, candidates)                                 */
    double *scratch;     /* for owi_max_product                                   */
} owi_mpe_search;

/* wanted (columns): those that are missing in some row. */
ow_status owi_mpe_search_init(owi_mpe_search *search, const owi_call *call,
                              ow_evaluator *evaluator, const bool *wanted);
void owi_mpe_search_clear(owi_mpe_search *search);

/* Up to n_starts attempts more, none if the class is impossible; there must be room. */
ow_status owi_mpe_search_add(owi_mpe_search *search, size_t row, const float *given,
                             size_t c);
/* Climbs with all attempts: rows and value are then the result. */
ow_status owi_mpe_search_run(owi_mpe_search *search);

#endif
