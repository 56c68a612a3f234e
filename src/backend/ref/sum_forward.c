/* SPDX-License-Identifier: MIT */
#include "backend/pair_sum.h"
#include "backend/ref/ref_kernels.h"

void owi_ref_sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const owi_layer_values *out, float *scratch)
{
    (void)self, (void)scratch; /* the log domain needs neither */
    const size_t R = shape->n_regions, S = shape->n_sums, K = shape->n_components;
    const size_t L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t r = 0; r < R; r++)
            for (size_t s = 0; s < S; s++)
                for (size_t lane = 0; lane < L; lane++) {
                    const float *left = in->log_value + (t * R + r) * 2 * K * L + lane;
                    const owi_pair_sum sum = {weights.log + (r * S + s) * K * K, left,
                                              left + K * L, K, L};
                    out->log_value[((t * R + r) * S + s) * L + lane] =
                        (float)owi_pair_log_sum(&sum);
                }
    owi_ref_normalize(self, R, S, batch, out);
}
