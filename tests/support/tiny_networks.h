/* SPDX-License-Identifier: MIT */
/* Small networks with random weights, and what they compute straight from the
 * definition. */
#ifndef OW_TINY_NETWORKS_H
#define OW_TINY_NETWORKS_H

#include "support/ow_test.h"

#include "network/mlp.h"

/* Weights and shifts drawn at random, scales too. */
owi_mlp *ow_random_network(ow_context *ctx, owi_mlp_output output, size_t n_inputs,
                           size_t n_hidden, const size_t *hidden, size_t n_outputs,
                           uint64_t seed);

/* In double, from inputs in double; parameters as the block has them, likewise. */
void ow_brute_network(const owi_mlp *mlp, const double *parameters, const double *row,
                      double *out);
void ow_copy_parameters(const owi_mlp *mlp, double *parameters);

/* Rows with a share of NaN among them; caller frees. */
float *ow_random_floats(size_t n, double missing, uint64_t seed);

#endif
