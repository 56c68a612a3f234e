/* SPDX-License-Identifier: MIT */
/* A circuit's leaves by column instead of by region: the leaves that all components have
 * for one column stand side by side, so that the log-densities of a value under all of them
 * are one run of memory.
 *
 * A column is in one leaf region of every repetition, so it has N = R * I leaves in each
 * copy, numbered n = repetition * I + component. */
#ifndef OWI_COLUMN_LEAVES_H
#define OWI_COLUMN_LEAVES_H

#include "circuit/structure/circuit.h"

typedef struct {
    const ow_circuit *circuit;
    size_t n_leaves; /* N */
    size_t n_rows;   /* lines of N natural parameters in one copy                         */
    /* (column): its first line.  A line for each feature, and for a plain Gaussian one more
     * for its constant */
    size_t *first;
    float *theta; /* (copy, line, N)                                                    */
    /* (copy, column, repetition): the first leaf component (region * I) that holds the
     * column, counted in its copy */
    size_t *node;
    /* likewise: where that component's parameters of the column begin in circuit->leaf;
     * those of the next one are a scope's width further */
    size_t *parameter;
} owi_column_leaves;

ow_status owi_column_leaves_init(owi_column_leaves *leaves, const ow_circuit *circuit);
void owi_column_leaves_clear(owi_column_leaves *leaves);

/* log p_n(x) for all N leaves of a column in one copy, without what they share
 * (owi_leaf_constant); 0 for NaN.  x is a value that the column can hold. */
void owi_column_log(const owi_column_leaves *leaves, size_t copy, size_t column, float x,
                    double *log_p);

/* sum[n] of every column added to its component: log_value (regions * I) of all leaf
 * components of a copy for one row. */
void owi_column_log_values(const owi_column_leaves *leaves, size_t copy, const float *row,
                           double *log_p, double *log_value);

/* Where a number would most gain: the mean of its leaves' means, each weighted with its
 * component's flow (node n of the copy at flow[n * stride]) over its variance.  With all
 * numbers at once a step of EM, which never lowers the density; NaN if nothing flows. */
float owi_column_mean(const owi_column_leaves *leaves, size_t copy, size_t column,
                      const float *flow, size_t stride);

/* Mean of leaf k of a repetition. */
float owi_column_leaf_mean(const owi_column_leaves *leaves, size_t copy, size_t column,
                           size_t rep, size_t k);

static inline const size_t *owi_column_nodes(const owi_column_leaves *leaves, size_t copy,
                                             size_t column)
{
    const ow_circuit_spec *spec = &leaves->circuit->spec;
    return leaves->node + (copy * spec->n_columns + column) * spec->repetitions;
}

#endif
