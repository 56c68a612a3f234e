/* SPDX-License-Identifier: MIT */
/* The features of a circuit's columns (circuit.h), the parameters that go with them, and
 * tiles of them made from rows. */
#ifndef OWI_LEAF_FEATURES_H
#define OWI_LEAF_FEATURES_H

#include "circuit/structure/circuit.h"

/* ---- Values of one column ---- */

static inline bool owi_leaf_has_levels(const ow_leaf *leaf)
{
    return leaf->kind == OW_LEAF_CATEGORICAL || leaf->kind == OW_LEAF_BERNOULLI;
}

/* Which point mass x is; n_masses: none of them (0 of 0 for leaves without masses). */
static inline size_t owi_leaf_mass(const ow_leaf *leaf, float x)
{
    size_t mass = 0;
    while (mass < leaf->n_masses && x != leaf->masses[mass]) mass++;
    return mass;
}

static inline bool owi_leaf_has_tails(const ow_leaf *leaf)
{
    return leaf->low < leaf->high;
}

/* How far x is beyond an end of the leaf, negative below the lower one; 0 between them, for
 * leaves without tails and for NaN. */
static inline double owi_leaf_beyond(const ow_leaf *leaf, float x)
{
    if (!owi_leaf_has_tails(leaf)) return 0.0;
    if ((double)x < leaf->low) return (double)x - leaf->low;
    return (double)x > leaf->high ? (double)x - leaf->high : 0.0;
}

/* Whether the column may hold x: a level that exists, a finite number, or nothing (NaN). */
bool owi_leaf_takes(const ow_leaf *leaf, float x);
/* OW_ERR_NUMERIC: WHERE: expected a level from 0 to 2, got 3. */
ow_status owi_leaf_refuse(const ow_leaf *leaf, const char *where, float x);

/* That every value of the rows is one that its column takes; rows are numbered from
 * first_row + 1 on. */
ow_status owi_check_rows(const ow_circuit *circuit, size_t n_rows, const float *rows,
                         size_t first_row);

/* x as a leaf counts it: from the column's shift, no farther out than where a tail begins,
 * and so near that its square fits a float. */
float owi_leaf_number(const ow_circuit *circuit, size_t column, float x);

/* What every component of every class shares of a number's log-density.  Where the variance
 * is fixed: -(x - shift)^2 / (2 v) - log(2 pi v) / 2 + log_cell; where it is learned, in a
 * tail: -2 log(1 + distance from its beginning).  0 for other leaves, point masses and
 * NaN. */
double owi_leaf_constant(const ow_circuit *circuit, size_t column, float x);
/* The part of it that does not depend on x. */
double owi_leaf_fixed_constant(const ow_circuit *circuit, size_t column);

/* ---- Features ---- */

/* Fills features, scopes and gap scopes from leaves and regions. */
ow_status owi_circuit_init_features(ow_circuit *circuit);

/* First values of the leaf parameters: mean 0, variance 1, equal probabilities. */
void owi_circuit_fill_leaves(ow_circuit *circuit);

/* Rows, or soft rows, as tiles of features.  row_constant (one double a row) is the sum of
 * owi_leaf_constant over the columns. */
typedef struct {
    bool soft;           /* what the rows are: set before they are filled in */
    float *features;     /* (T, F, L)                                       */
    float *gap_features; /* (T, gap features, L): 1 where the value is there; if has_gaps */
    double *row_constant; /* (T, L)                                          */
    bool has_gaps;        /* whether any plain Gaussian value is missing      */
} owi_feature_tiles;

/* rows is n x width of a row; spare lanes of the last tile repeat the last row.  Fails with
 * OW_ERR_NUMERIC, naming row (first_row + i, from 1) and column, for an infinity or a level
 * that does not exist.  Shares of levels are their features as they are. */
ow_status owi_fill_features(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                            const float *rows, size_t first_row, owi_feature_tiles *tiles);

/* The gradient with respect to the inputs (as the rows), from that with respect to the
 * features; adjoint_sum (T, L) is the sum of the class seeds of a row, which is what
 * row_constant's share is multiplied with. */
void owi_input_gradient(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                        const float *rows, const owi_feature_tiles *tiles,
                        const float *d_features, const float *adjoint_sum, float *gradient);

#endif
