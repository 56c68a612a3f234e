/* SPDX-License-Identifier: MIT */
#include "backend/pair_sum.h"
#include "backend/ref/ref_kernels.h"

void owi_ref_sum_forward(const owi_backend *self, const owi_sum_shape *shape,
                         owi_batch batch, owi_weights weights, const owi_layer_values *in,
                         const owi_layer_values *out, float *scratch)
{
    (void)self, (void)scratch; /* the log domain needs neither */
    const size_t R = shape->n_regions, S = shape->n_sums, L = batch.lanes;

    for (size_t r = 0; r < R; r++)
        for (size_t s = 0; s < S; s++) {
            const owi_pairs pairs = owi_sum_pairs(shape, weights, in, L, r, s);
            for (size_t t = 0; t < batch.n_tiles; t++)
                for (size_t lane = 0; lane < L; lane++)
                    out->log_value[((t * R + r) * S + s) * L + lane] =
                        (float)owi_pairs_log_sum(&pairs, t, lane);
        }
    owi_ref_normalize(self, R, S, batch, out);
}
