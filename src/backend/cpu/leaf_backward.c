/* SPDX-License-Identifier: MIT */
#include <math.h>

#include "backend/cpu/cpu_kernels.h"
#include "base/memory/sizes.h"

/* Single rows wait for parameters to be read.  Those of a component with a flow so far
 * below the largest one, which has a share in every column, are not: in a sum of floats
 * nothing would be left of them. */
static const float least_share = 1.5e-8f; /* 2^-26 */

static float least_flow(size_t n, const float *flow)
{
    float most = 0.0f;
    for (size_t i = 0; i < n; i++) most = fabsf(flow[i]) > most ? fabsf(flow[i]) : most;
    return least_share * most;
}

/* One region of a single row: theta is (K, width), flow (K). */
static void region_backward(const owi_instruction_set *ops, size_t K, size_t width,
                            const float *theta, const float *flow, float least,
                            owi_rows_out out)
{
    enum { most_kept = 64 };
    size_t kept[most_kept];
    float kept_flow[most_kept];

    for (size_t first = 0; first < K; first += most_kept) {
        size_t n = 0;
        for (size_t k = first; k < owi_smaller(K, first + most_kept); k++) {
            kept[n] = k * width;
            kept_flow[n] = flow[k];
            n += !(fabsf(flow[k]) <= least) ? 1 : 0;
        }
        if (n == 0) continue;
        const owi_matrix transposed = {theta, 1, width, n < K ? kept : NULL};
        ops->multiply(1, width, n, transposed, (owi_rows_in){.rows = kept_flow}, NULL, out);
    }
}

/* Some rows, each of them alone, through the regions backwards: what forward has read last
 * is still at hand. */
static void single_backward(const owi_instruction_set *ops, const owi_leaf_shape *shape,
                            size_t n_rows, const float *theta, const float *flow,
                            float *d_features)
{
    const size_t R = shape->n_regions, K = shape->n_components;
    float least[owi_tile_lanes];
    for (size_t t = 0; t < n_rows; t++) least[t] = least_flow(R * K, flow + t * R * K);
    for (size_t r = R; r-- > 0;)
        for (size_t t = 0; t < n_rows; t++) {
            const size_t start = shape->scope_start[r];
            const owi_rows_out out = {d_features + t * shape->n_features,
                                      owi_cpu_scope(shape, r)};
            region_backward(ops, K, shape->scope_start[r + 1] - start, theta + K * start,
                            flow + (t * R + r) * K, least[t], out);
        }
}

/* The forward product with theta transposed: the region's features are the rows written. */
void owi_cpu_leaf_backward(const owi_backend *self, const owi_leaf_shape *shape,
                           owi_batch batch, const float *theta, const float *flow,
                           float *d_features)
{
    const owi_instruction_set *ops = owi_cpu_ops(self);
    const size_t R = shape->n_regions, K = shape->n_components;
    const size_t L = batch.lanes, T = batch.n_tiles;

    for (size_t t = 0; L == 1 && t < T; t += owi_tile_lanes)
        single_backward(ops, shape, owi_smaller(owi_tile_lanes, T - t), theta,
                        flow + t * R * K, d_features + t * shape->n_features);
    for (size_t i = 0; L > 1 && i < T * R; i++) {
        const size_t t = i / R, r = i % R;
        const size_t start = shape->scope_start[r];
        const size_t width = shape->scope_start[r + 1] - start;
        const owi_rows_out out = {d_features + t * shape->n_features * L,
                                  owi_cpu_scope(shape, r)};
        for (size_t k = 0; k < K; k += owi_cpu_most_terms) {
            const owi_matrix transposed = {theta + K * start + k * width, 1, width, NULL};
            const owi_rows_in b = {.rows = flow + ((t * R + r) * K + k) * L};
            ops->multiply(owi_lanes_of(batch, t), width,
                          owi_smaller(owi_cpu_most_terms, K - k), transposed, b, NULL, out);
        }
    }
}
