/* SPDX-License-Identifier: MIT */
/* The inside of ow_circuit.
 *
 * Features.  Every leaf is linear in a few functions of its column ("features"), with
 * parameters of its own for each of them:
 *
 *     Gaussian, fixed variance v   x                    mean
 *     Gaussian, learned variance   x, x^2               mean, variance
 *     categorical, Bernoulli       [x = 0], [x = 1], .. log-probabilities
 *     point masses                 [x = m1], .., then, for a number that is none of them,
 *                                  1, x, x^2            log-probabilities (the last: of
 *                                                       being no mass), mean, variance
 *     follows from others          none (sheets.h)      none
 *
 * A missing value makes all its features 0.  So the leaf layer is one product with the
 * features, its gradient another, and the sufficient statistics of EM a third, whatever the
 * leaves are.
 *
 * Parameters are one block, `leaf` and the weights; derived from it, for evaluation, are
 * theta (the natural parameters, same shape as leaf), bias (their constants) and linear
 * weights. */
#ifndef OWI_CIRCUIT_H
#define OWI_CIRCUIT_H

#include "backend/backend.h"
#include "base/call.h"
#include "circuit/structure/region_graph.h"
#include "otherwise/circuit.h"

/* What a feature is, and so what its parameter is. */
typedef enum {
    OWI_FEATURE_NUMBER,   /* x, variance fixed: the mean                  */
    OWI_FEATURE_MEAN,     /* x: the mean                                  */
    OWI_FEATURE_VARIANCE, /* x^2: the variance                            */
    OWI_FEATURE_LEVEL,    /* [x = index]: its log-probability             */
    OWI_FEATURE_MASS,     /* [x = masses[index]]: its log-probability     */
    OWI_FEATURE_SLAB      /* [x is none of the masses]: log-probability; the features
                              * MEAN and VARIANCE follow                     */
} owi_feature_kind;

typedef struct {
    owi_feature_kind kind;
    uint32_t column;
    uint32_t index; /* of a level or mass */
} owi_feature;

struct ow_circuit {
    ow_context *ctx;
    ow_circuit_spec spec; /* leaves, masses and parents are copies */
    ow_leaf *leaves;
    float *masses;
    uint32_t *parents; /* of trees; NULL: halves */

    /* Features: those of column j are feature_start[j] ... feature_start[j+1] - 1. */
    size_t n_features;
    owi_feature *features;
    uint32_t *feature_start;
    double row_constant; /* sum of owi_leaf_fixed_constant over all columns */
    bool has_tails;      /* some leaf has */

    ow_sheet *sheets;       /* copies, terms and levels as well, in one block of memory */
    uint64_t *sheet_bits;   /* (columns): bit s: the column is in sheet s         */
    double *sheet_constant; /* (sheets): of log p                                 */

    /* Soft rows: the entries of column j are soft_start[j] ... soft_start[j+1] - 1, and
     * entry e belongs to soft_column[e]. */
    uint32_t *soft_start, *soft_column;
    bool has_levels; /* some column has: soft rows are not rows */

    owi_region_graph regions; /* in columns  */
    uint32_t *scope_start;    /* in features */
    uint32_t *scope;
    uint32_t *scope_bits; /* the same, as owi_leaf_shape has them */
    /* The constant of a plain Gaussian belongs to a value that is there: for rows with gaps
     * its column needs a feature [x is there].  gap_features of them; scopes as above. */
    size_t n_gap_features;
    uint32_t *gap_column; /* of each gap feature */
    uint32_t *gap_start;
    uint32_t *gap_scope;

    /* The parameter block.  Levels of inner sums are numbered by depth: inner[l] is the
     * weights of the regions at depth l, 1 <= l < depth, (copy, repetition, 2^l, S, K, K).
     * Trees have the weights of their edges instead, (copy, repetition, n_parts - 1, K, K):
     * of the edge to region 1 of the repetition first. */
    size_t n_leaf, n_weights;
    float *block;      /* leaf, inner weights from depth - 1 to 1, root weights */
    float *leaf;       /* (copy, region, I, features of its scope)         */
    float *log_weight; /* all weights, inner and root                    */
    float *
        /* one for each column: what x is counted from, so that x^2 does not cancel */
        shift;
    double *log_prior;

    bool is_started; /* ow_circuit_start has given it first values */
    /* What ow_circuit_start has seen, for the priors of learning; NULL before, and never
     * saved. */
    double *average;    /* (F): features averaged over all rows, of values that are there */
    double *class_rows; /* (C): rows of each class                           */

    uint64_t version; /* counts the changes of the block: for whoever keeps a copy */

    /* Derived: owi_circuit_prepare fills these after any change of the block. */
    float *theta, *bias;  /* (as leaf), (copy, region, I)                 */
    float *gap_theta;     /* (copy, region, I, gap features of its scope) */
    float *linear_weight; /* exp(log_weight)                              */
    float *farthest; /* (columns): numbers farther from the shift are taken as this far, so
                           * that no product of theta and feature overflows       */
};

/* Whether its regions are trees, which have depth 0. */
static inline bool owi_circuit_is_tree(const ow_circuit *circuit)
{
    return circuit->spec.parents != NULL;
}
/* Number of components of the layer below the roots, and of regions at a depth in one
 * copy; those of trees at depth 0 are the roots of the trees. */
size_t owi_circuit_top_components(const ow_circuit *circuit);
static inline size_t owi_circuit_n_regions(const ow_circuit *circuit, size_t depth)
{
    return circuit->spec.repetitions << depth;
}
/* Whether all columns are numbers with a fixed variance: features are the columns, then. */
static inline bool owi_circuit_is_plain(const ow_circuit *circuit)
{
    return circuit->spec.variance > 0.0 &&
           circuit->n_gap_features == circuit->spec.n_columns;
}
/* Entries of a row, or soft row, and the first one of a column. */
static inline size_t owi_circuit_row_width(const ow_circuit *circuit, bool soft)
{
    return soft ? circuit->soft_start[circuit->spec.n_columns] : circuit->spec.n_columns;
}
static inline size_t owi_circuit_entry(const ow_circuit *circuit, bool soft, size_t column)
{
    return soft ? circuit->soft_start[column] : column;
}
/* Components below an inner region at this depth. */
size_t owi_circuit_child_components(const ow_circuit *circuit, size_t depth);

/* The weights of one copy in runs of equal sums: run 0 is the roots, run l the inner sums
 * of depth l, or (1) the edges of trees.  n_sums sums of `block` weights, from weight
 * `first` on; the copies of a run follow each other. */
typedef struct {
    size_t first, n_sums, block;
} owi_weight_run;
owi_weight_run owi_circuit_weight_run(const ow_circuit *circuit, size_t copy, size_t run);
size_t owi_circuit_n_runs(const ow_circuit *circuit);

/* Where the inner weights of a depth, or the root weights, of one copy begin in log_weight;
 * and how many classes a copy has. */
size_t owi_circuit_inner_offset(const ow_circuit *circuit, size_t depth, size_t copy);
size_t owi_circuit_root_offset(const ow_circuit *circuit, size_t copy);
size_t owi_circuit_copy_classes(const ow_circuit *circuit);
/* How many weights the sum that begins at weight `first` has. */
size_t owi_circuit_sum_size(const ow_circuit *circuit, size_t first);

/* Shapes of one copy's layers, for the kernels. */
owi_leaf_shape owi_circuit_leaf_shape(const ow_circuit *circuit, size_t copy);
owi_leaf_shape owi_circuit_gap_shape(const ow_circuit *circuit, size_t copy);
owi_sum_shape owi_circuit_sum_shape(const ow_circuit *circuit, size_t depth);
owi_root_shape owi_circuit_root_shape(const ow_circuit *circuit);
owi_tree_shape owi_circuit_tree_shape(const ow_circuit *circuit);

/* How much a circuit of this size has, all copies together; in doubles, so that nothing
 * overflows.  leaf is 0 where the spec has no leaves yet. */
typedef struct {
    double repetitions, leaf_regions, leaf, weights;
} owi_circuit_counts;
owi_circuit_counts owi_circuit_count(const ow_circuit_spec *spec);

/* That there can be such a circuit, and that it fits into memory. */
ow_status owi_circuit_check_spec(const ow_circuit_spec *spec);
ow_status owi_circuit_check_size(const ow_circuit_spec *spec);
/* That parameters from a file are ones that a circuit can have: OW_ERR_FORMAT with what and
 * where. */
ow_status owi_circuit_check_parameters(const ow_circuit *circuit, const char *file);

/* As ow_circuit_new, with the regions left for the caller to fill (zero), who then calls
 * owi_circuit_finish.  They may be empty: the depth is as it is asked for. */
ow_status owi_circuit_alloc(ow_context *ctx, const ow_circuit_spec *spec, ow_circuit **out);
/* Regions are filled: scopes in features, the parameter block with its first values. */
ow_status owi_circuit_finish(ow_circuit *circuit);

/* ow_circuit_import inside a call. */
ow_status owi_circuit_import(const owi_call *call, const char *path, ow_circuit **out);
/* ow_circuit_import from memory; file is what sentences call it. */
ow_status owi_circuit_import_text(ow_context *ctx, const char *text, size_t size,
                                  const char *file, ow_circuit **out);

/* The variance of the Gaussian leaves, their mean where they differ; 1 where there are
 * none. */
double owi_circuit_mean_variance(const ow_circuit *circuit);

/* theta, bias, gap_theta and linear_weight from the block.  call may be NULL: on all
 * threads. */
void owi_circuit_prepare(const owi_call *call, ow_circuit *circuit);

#endif
