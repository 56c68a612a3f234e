/* SPDX-License-Identifier: MIT */
/* Blocks of pair weights W on tiles: what sum and root kernels share.  Everything is linear
 * around each child's maximum; a row that underflows there (the guard) is done in the log
 * domain instead, by pair_sum.h. */
#ifndef OWI_PAIR_FLOW_H
#define OWI_PAIR_FLOW_H

#include "backend/cpu/cpu_kernels.h"
#include "backend/pair_sum.h"

/* The two children of a block in one tile: values (K, L) and tops (L). */
typedef struct {
    const float *left, *right, *left_top, *right_top;
} owi_tile_pair;

owi_tile_pair owi_pairs_tile(const owi_pairs *pairs, size_t tile);

/* s = sum_ij W[i,j] left[i] right[j], lane by lane. */
void owi_pairs_sum(const owi_instruction_set *ops, const owi_pairs *pairs, size_t tile,
                   float *s, float *kept);
/* log s + left_top + right_top, in double; rows whose s underflows in the log domain.
 * kept: as bilinear gives it, or NULL. */
void owi_pairs_log_sums(const owi_instruction_set *ops, const owi_pairs *pairs, size_t tile,
                        double *log_sum, float *kept);

/* Up and down alike, blocks are taken several at once, so that one call does all their
 * exponentials: as many as fill a row of owi_tile_lanes floats, 1 of a full tile or 64 of a
 * single row. */
static inline size_t owi_blocks_at_once(size_t lanes, size_t n_left)
{
    const size_t most = owi_tile_lanes / lanes;
    return n_left < most ? n_left : most;
}

/* The way down through n_blocks of them. */
typedef struct {
    const owi_instruction_set *ops;
    owi_batch batch;
    size_t n_blocks;
    const owi_pairs *blocks;
    float *r;       /* (T, owi_tile_lanes)                               */
    float *scratch; /* (T, K, L) and (K, K)                              */
    float *kept;    /* (T, K, L): of one block of full tiles, or NULL                 */
    float *flow_in, *statistic; /* of the whole layer; statistic may be NULL         */
} owi_flow_down;

/* First, for every tile, the factors of all blocks, (n_blocks, L):
 *
 *     r = flow * exp(left_top + right_top - log_sum)
 *
 * Rows under the guard go down at once, and get r = 0. */
void owi_flow_factors(const owi_flow_down *down, size_t tile, const double *log_sum,
                      const float *flow);

/* Then, for every block and tile,
 *
 *     scaled[i]      = r left[i]
 *     flow_left[i]  += scaled[i] sum_j W[i,j] right[j]
 *     flow_right[j] += right[j] sum_i W[i,j] scaled[i]
 *     statistic[i,j] += W[i,j] sum over rows of scaled[i] right[j] */
void owi_flow_blocks(const owi_flow_down *down);

#endif
