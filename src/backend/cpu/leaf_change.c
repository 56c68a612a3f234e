/* SPDX-License-Identifier: MIT */
#include "backend/cpu/cpu_kernels.h"

static size_t count_ones(uint32_t bits)
{
    bits -= bits >> 1 & 0x55555555u;
    bits = (bits & 0x33333333u) + (bits >> 2 & 0x33333333u);
    return ((bits + (bits >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

/* Of an ascending scope, which has bits: 32 features at a time. */
static size_t list_marked_words(const owi_leaf_shape *shape, size_t r, const uint32_t *bits,
                                const owi_marked *marked)
{
    const size_t n_words = owi_scope_words(shape->n_features);
    const uint32_t *scope = shape->scope_bits + r * n_words;
    size_t n = 0, passed = 0;
    for (size_t w = 0; w < n_words; w++) {
        for (uint32_t left = bits[w] & scope[w]; left != 0; left &= left - 1) {
            const uint32_t below = (left & ~(left - 1)) - 1;
            marked->index[n] = (uint32_t)(32 * w + count_ones(below));
            marked->columns[n] = passed + count_ones(scope[w] & below);
            n++;
        }
        passed += count_ones(scope[w]);
    }
    return n;
}

/* The features of a scope that are marked: which they are, and where in the scope they
 * stand.  Returns how many. */
static size_t list_marked(const owi_leaf_shape *shape, size_t r, const uint32_t *bits,
                          const owi_marked *marked)
{
    if (shape->scope_bits != NULL) return list_marked_words(shape, r, bits, marked);
    const size_t start = shape->scope_start[r];
    const size_t width = shape->scope_start[r + 1] - start;
    size_t n = 0;
    for (size_t i = 0; i < width; i++) {
        const uint32_t f = shape->scope[start + i];
        marked->index[n] = f;
        marked->columns[n] = i;
        n += bits[f / 32] >> f % 32 & 1u;
    }
    return n;
}

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
            const size_t n = list_marked(shape, r, marked->bits + g * n_words, marked);
            const owi_matrix a = {theta + K * start, width, 1, marked->columns};
            const owi_rows_in b = {.rows = change + t * F * L + lane,
                                   .pick = {.index = marked->index}};
            const owi_rows_out out = {.rows = log_value + (t * R + r) * K * L + lane};
            if (n > 0) ops->multiply(owi_lane_group, K, n, a, b, NULL, out);
        }
}
