/* SPDX-License-Identifier: MIT */
/* Blocks of pair weights W (K, K) on tiles: what sum and root kernels share.  Everything is linear
 * around each child's maximum; a row that underflows there (the guard) is done in the log domain
 * instead, by pair_sum.h. */
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
                   float *s);

/* One tile on the way down, with the log-sums and flows of its rows:
 *
 *     r             = flow * exp(left_top + right_top - log_sum)
 *     scaled[i]     = r left[i]
 *     flow_left[i]  += scaled[i] sum_j W[i,j] right[j]
 *     flow_right[j] += right[j] sum_i W[i,j] scaled[i]
 *
 * scaled (K, L) is kept for the statistic; the rows under the guard are 0 in it and have been
 * added to the statistic (NULL: not asked for) already. */
void owi_pairs_flow_tile(const owi_instruction_set *ops, const owi_pairs *pairs,
                         size_t tile, const double *log_sum, const float *flow,
                         float *scaled, float *flow_in, float *statistic);

/* statistic[i,j] += W[i,j] sum over rows of scaled[i] right[j], over all tiles; product (K, K) is
 * scratch. */
void owi_pairs_statistic(const owi_instruction_set *ops, const owi_pairs *pairs,
                         size_t n_tiles, const float *scaled, float *product,
                         float *statistic);

#endif
