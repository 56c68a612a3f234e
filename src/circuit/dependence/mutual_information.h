/* SPDX-License-Identifier: MIT */
/* How much two columns of codes say about each other, in nats, and the tree of those that
 * say most. */
#ifndef OWI_MUTUAL_INFORMATION_H
#define OWI_MUTUAL_INFORMATION_H

#include "circuit/dependence/column_codes.h"

/* Rows in which both columns have a value, by their codes: a sum over rows, so that parts
 * may be added one after the other. */
typedef struct {
    size_t n_left, n_right;
    uint64_t n; /* of all rows that count */
    uint64_t count[owi_most_codes * owi_most_codes];
} owi_code_pairs;

void owi_code_pairs_begin(owi_code_pairs *pairs, size_t n_left, size_t n_right);
/* weight[row] times each row, or NULL: once; a code that is missing leaves the row out. */
void owi_code_pairs_add(owi_code_pairs *pairs, size_t n_rows, const uint8_t *left,
                        const uint8_t *right, const uint8_t *weight);
/* sum_ab p_ab log(p_ab / (p_a p_b)), less what independent columns would show on average,
 * (A - 1)(B - 1) / (2 n) for A and B codes that occur; 0 where there are no rows. */
double owi_code_pairs_information(const owi_code_pairs *pairs);

/* The tree over n nodes whose edges have the largest sum of information (n, n, symmetric),
 * from the root down: parents (n), the root its own.  Of equal edges the first is taken.
 * taken and best are scratch of n each. */
void owi_spanning_tree(size_t n, const double *information, size_t root, uint32_t *parents,
                       bool *taken, double *best);

#endif
