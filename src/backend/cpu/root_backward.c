/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "backend/cpu/pair_flow.h"
#include "backend/cpu/root_offset.h"
#include "backend/pair_sum.h"

/* flow of one partition with one child: flow_in[i] += r W[i] left[i], r = seed exp(exponent). */
static void single_flow(const owi_pair_tiles *tiles, const float *weight, float *statistic)
{
    const owi_instruction_set *ops = tiles->ops;
    const size_t K = tiles->n_components, L = tiles->batch.lanes;
    float *r = tiles->exponent;

    ops->exp(tiles->batch.n_tiles * L, r, r);
    ops->times(1, tiles->batch.n_tiles * L, tiles->flow, r);
    for (size_t t = 0; t < tiles->batch.n_tiles; t++)
        for (size_t i = 0; i < K; i++)
            for (size_t lane = 0; lane < L; lane++) {
                const size_t at = t * tiles->step + i * L + lane;
                const float share = r[t * L + lane] * weight[i] * tiles->value[at];
                tiles->flow_in[at] += share;
                if (statistic != NULL) statistic[i] += share;
            }
}

/* Exponents top_left + top_right - log root of partition p for all rows, and the seeds; rows under
 * the guard or impossible get -infinity. */
static void fill_exponents(const owi_root_shape *shape, owi_pair_tiles *tiles,
                           const owi_layer_values *in, const double *log_root,
                           const float *seed, const float *offset, size_t c, size_t p)
{
    const size_t C = shape->n_classes, L = tiles->batch.lanes;
    const double least = log((double)owi_cpu_least_sum);

    for (size_t t = 0; t < tiles->batch.n_tiles; t++) {
        float *exponent = tiles->exponent + t * L;
        const double *root = log_root + (t * C + c) * L;
        const float *M = offset + t * L;
        owi_root_exponent(shape, L, in, t, c, p, M, exponent);
        for (size_t lane = 0; lane < L; lane++) {
            const double log_sum = root[lane] - M[lane]; /* NaN where impossible */
            exponent[lane] =
                log_sum >= least ? (float)(exponent[lane] - log_sum) : -INFINITY;
            tiles->flow[t * L + lane] = seed[(t * C + c) * L + lane];
        }
    }
}

/* The rows that fill_exponents left out, in the log domain; all partitions of class c at once. */
static void guarded_rows(const owi_root_shape *shape, owi_batch batch, owi_weights weights,
                         const owi_layer_values *in, const double *log_root,
                         const float *seed, const float *offset, size_t c, float *flow_in,
                         float *statistic)
{
    const double least = log((double)owi_cpu_least_sum);
    const size_t L = batch.lanes;

    for (size_t t = 0; t < batch.n_tiles; t++)
        for (size_t lane = 0; lane < L; lane++) {
            const size_t root = (t * shape->n_classes + c) * L + lane;
            if (log_root[root] - offset[t * L + lane] >= least) continue;
            owi_root_flow(shape, weights, in, L, t, c, lane, log_root[root], seed[root],
                          flow_in, statistic);
        }
}

void owi_cpu_root_backward(const owi_backend *self, const owi_root_shape *shape,
                           owi_batch batch, owi_weights weights, const owi_layer_values *in,
                           const double *log_root, const float *seed, float *flow_in,
                           float *statistic, float *scratch)
{
    const size_t K = shape->n_components, L = batch.lanes, T = batch.n_tiles;
    const size_t n_regions = owi_root_n_regions(shape), block = owi_root_block(shape);
    float *offset = scratch; /* (T, L) */
    owi_pair_tiles tiles;
    owi_pair_tiles_init(&tiles, owi_cpu_ops(self), batch, K, scratch + T * L);
    tiles.step = n_regions * K * L;

    memset(flow_in, 0, T * n_regions * K * L * sizeof *flow_in);
    for (size_t c = 0; c < shape->n_classes; c++) {
        for (size_t t = 0; t < T; t++) owi_root_offset(shape, L, in, t, c, offset + t * L);
        for (size_t p = 0; p < shape->n_partitions; p++) {
            const size_t at = (c * shape->n_partitions + p) * block;
            const size_t child = owi_root_child(shape, 0, c, p) * K * L;
            float *block_statistic = statistic != NULL ? statistic + at : NULL;
            tiles.value = in->value + child;
            tiles.flow_in = flow_in + child;
            fill_exponents(shape, &tiles, in, log_root, seed, offset, c, p);
            if (shape->single)
                single_flow(&tiles, weights.linear + at, block_statistic);
            else
                owi_pair_tiles_flow(&tiles, weights.linear + at, block_statistic);
        }
        guarded_rows(shape, batch, weights, in, log_root, seed, offset, c, flow_in,
                     statistic);
    }
}
