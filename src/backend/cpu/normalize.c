/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

void owi_cpu_normalize(const owi_backend *self, size_t n_regions, size_t n_components,
                       owi_batch batch, const owi_layer_values *layer)
{
    const size_t K = n_components, L = batch.lanes;

    for (size_t r = 0; r < batch.n_tiles * n_regions; r++)
        owi_cpu_ops(self)->normalize(L, K, layer->log_value + r * K * L,
                                     layer->value + r * K * L, layer->top + r * L);
}
