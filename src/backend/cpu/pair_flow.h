/* SPDX-License-Identifier: MIT */
/* Going down one block of pair weights W (K, K), from a sum to its two children, for all tiles:
 *
 *     r          = flow * exp(exponent)            exponent = top_left + top_right - log sum
 *     scaled[i]  = r left[i]
 *     flow_left[i]  += scaled[i] sum_j W[i,j] right[j]
 *     flow_right[j] += right[j] sum_i W[i,j] scaled[i]
 *     statistic[i,j] += W[i,j] sum over rows of scaled[i] right[j]
 *
 * A row that underflows (the guard) gets the exponent -infinity here and goes down in the log
 * domain instead. */
#ifndef OWI_PAIR_FLOW_H
#define OWI_PAIR_FLOW_H

#include "backend/cpu/cpu_kernels.h"

typedef struct {
    const owi_instruction_set *ops;
    owi_batch batch;
    size_t n_components;
    const float *value;     /* of the left child in tile 0; the right child follows */
    float *flow_in;         /* likewise                                            */
    size_t step;            /* of both, from tile to tile                          */
    float *exponent, *flow; /* (T, L) each, filled by the caller; exponent is overwritten */
    float *scratch;         /* owi_scratch_floats() less the two above          */
} owi_pair_tiles;

/* Places exponent and flow at the front of the kernel's scratch. */
void owi_pair_tiles_init(owi_pair_tiles *tiles, const owi_instruction_set *ops,
                         owi_batch batch, size_t n_components, float *scratch);

/* statistic may be NULL. */
void owi_pair_tiles_flow(const owi_pair_tiles *tiles, const float *weight,
                         float *statistic);

#endif
