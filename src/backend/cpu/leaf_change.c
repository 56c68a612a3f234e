/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"
#include "backend/cpu/marked_features.h"

/* Region by region, whose parameters stay in the cache for all groups of lanes. */
void owi_cpu_leaf_change(const owi_backend *self, const owi_leaf_shape *shape,
                         owi_batch batch, const float *theta, const owi_marked *marked,
                         const float *change, float *log_value)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components, F = shape->n_features;
    const size_t n_words = owi_scope_words(F), L = batch.lanes;
    const size_t n_groups = (batch.n_tiles * L - batch.spare) / owi_lane_group;

    for (size_t r = 0; r < R; r++)
        for (size_t g = 0; g < n_groups; g++) {
            const size_t t = g / owi_lane_groups, lane = g * owi_lane_group % L;
            const size_t start = shape->scope_start[r];
            const size_t width = shape->scope_start[r + 1] - start;
            const size_t n = owi_list_marked(shape, r, marked->bits + g * n_words, marked);
            const owi_matrix a = {theta + K * start, width, 1, marked->columns};
            const owi_rows_in b = {.rows = change + t * F * L + lane,
                                   .pick = {.index = marked->index}};
            const owi_rows_out out = {.rows = log_value + (t * R + r) * K * L + lane};
            if (n > 0) ops->multiply(owi_lane_group, K, n, a, b, NULL, out);
        }
}
