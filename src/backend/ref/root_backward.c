/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "backend/pair_sum.h"
#include "backend/ref/ref_kernels.h"

void owi_ref_root_backward(const owi_backend *self, const owi_root_shape *shape,
                           owi_batch batch, owi_weights weights, const owi_layer_values *in,
                           const double *log_root, const float *adjoint, float *flow_in,
                           float *statistic, float *scratch)
{
    (void)self, (void)scratch; /* the log domain needs neither */
    const size_t C = shape->n_classes, K = shape->n_components, L = batch.lanes;

    memset(flow_in, 0, batch.n_tiles * owi_root_n_regions(shape) * K * L * sizeof *flow_in);
    for (size_t c = 0; c < C; c++)
        for (size_t p = 0; p < shape->n_partitions; p++) {
            const owi_pairs pairs = owi_root_pairs(shape, weights, in, L, c, p);
            for (size_t t = 0; t < batch.n_tiles; t++)
                for (size_t lane = 0; lane < L; lane++) {
                    const size_t root = (t * C + c) * L + lane;
                    owi_pairs_flow(&pairs, t, lane, log_root[root], adjoint[root], flow_in,
                                   statistic != NULL ? statistic + pairs.at : NULL);
                }
        }
}
