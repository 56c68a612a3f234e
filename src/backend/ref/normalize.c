/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "backend/ref/ref_kernels.h"

void owi_ref_normalize(const owi_backend *self, size_t n_regions, size_t n_components,
                       owi_batch batch, const owi_layer_values *layer)
{
    (void)self; /* plain memory, no instruction set to choose */
    const size_t K = n_components, L = batch.lanes;

    for (size_t r = 0; r < batch.n_tiles * n_regions; r++)
        for (size_t lane = 0; lane < L; lane++) {
            const float *log_value = layer->log_value + r * K * L + lane;
            float *value = layer->value + r * K * L + lane;
            float top = -INFINITY;
            for (size_t k = 0; k < K; k++) top = fmaxf(top, log_value[k * L]);
            layer->top[r * L + lane] = top;
            /* Impossible evidence would give -inf - -inf, which is NaN. */
            for (size_t k = 0; k < K; k++)
                value[k * L] =
                    top == -INFINITY ? 0.0f : (float)exp((double)log_value[k * L] - top);
        }
}
