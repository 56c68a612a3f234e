/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "backend/pair_sum.h"
#include "backend/ref/ref_kernels.h"

void owi_ref_root_forward(const owi_backend *self, const owi_root_shape *shape,
                          owi_batch batch, owi_weights weights, const owi_layer_values *in,
                          double *log_root, float *scratch)
{
    (void)self, (void)scratch; /* the log domain needs neither */
    const size_t C = shape->n_classes, L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t c = 0; c < C; c++)
            for (size_t lane = 0; lane < L; lane++)
                log_root[(t * C + c) * L + lane] =
                    owi_root_log_sum(shape, weights, in, L, c, t, lane);
}
