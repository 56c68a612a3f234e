/* SPDX-License-Identifier: MIT */
/* The features of a circuit's columns (circuit.h), the parameters that go with them, and tiles of
 * them made from rows. */
#ifndef OWI_LEAF_FEATURES_H
#define OWI_LEAF_FEATURES_H

#include "circuit/circuit.h"

/* Fills features, scopes and gap scopes from leaves and regions. */
ow_status owi_circuit_init_features(ow_circuit *circuit);

/* First values of the leaf parameters: mean 0, variance 1, equal probabilities. */
void owi_circuit_fill_leaves(ow_circuit *circuit);

/* Rows as tiles of features.  row_constant (one double a row) is what every component of every class
 * shares for fixed variances: sum over present columns of -(x - shift)^2 / (2 v) - log(2 pi v) / 2 +
 * log_cell. */
typedef struct {
    float *features;      /* (T, F, L)                                       */
    float *gap_features;  /* (T, gap features, L): 1 where the value is there */
    double *row_constant; /* (T, L)                                          */
    bool has_gaps;        /* whether any plain Gaussian value is missing      */
} owi_feature_tiles;

/* rows is n x columns; spare lanes of the last tile repeat the last row.  Fails with OW_ERR_NUMERIC,
 * naming row (first_row + i, from 1) and column, for an infinity or a level that does not exist. */
ow_status owi_fill_features(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                            const float *rows, size_t first_row, owi_feature_tiles *tiles);

/* The gradient with respect to the inputs, from that with respect to the features; seed_sum (T, L) is the
 * sum of the class seeds of a row, which is what row_constant's share is multiplied with. */
void owi_input_gradient(const ow_circuit *circuit, owi_batch batch, size_t n_rows,
                        const float *rows, const float *d_features, const float *seed_sum,
                        float *gradient);

#endif
