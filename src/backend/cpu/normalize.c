/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

void owi_cpu_normalize(const owi_backend *self, size_t n_regions, size_t n_components,
                       owi_batch batch, const owi_layer_values *layer)
{
    owi_cpu_ops(self)->normalize(batch.lanes, batch.n_tiles * n_regions, n_components,
                                 layer->log_value, layer->value, layer->top);
}
