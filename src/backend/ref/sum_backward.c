/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/pair_sum.h"
#include "backend/ref/ref_kernels.h"

void owi_ref_sum_backward(const owi_backend *self, const owi_sum_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          const float *flow_out, float *flow_in, float *statistic,
                          float *scratch)
{
    (void)self, (void)scratch; /* the log domain needs neither */
    const size_t R = shape->n_regions, S = shape->n_sums, K = shape->n_components;
    const size_t L = batch.lanes;

    memset(flow_in, 0, batch.n_tiles * R * 2 * K * L * sizeof *flow_in);
    for (size_t r = 0; r < R; r++)
        for (size_t s = 0; s < S; s++) {
            const owi_pairs pairs = owi_sum_pairs(shape, weights, in, L, r, s);
            for (size_t t = 0; t < batch.n_tiles; t++)
                for (size_t lane = 0; lane < L; lane++) {
                    const size_t node = ((t * R + r) * S + s) * L + lane;
                    owi_pairs_flow(&pairs, t, lane, owi_pairs_log_sum(&pairs, t, lane),
                                   flow_out[node], flow_in,
                                   statistic != NULL ? statistic + pairs.at : NULL);
                }
        }
}
