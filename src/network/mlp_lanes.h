/* SPDX-License-Identifier: MIT */
/* A tile of rows that stand in lanes (base/row_lanes.h), for networks that give them back:
 * (chunks of a tile, width, owi_row_lanes). */
#ifndef OWI_MLP_LANES_H
#define OWI_MLP_LANES_H

#include "base/numeric/row_lanes.h"
#include "network/mlp.h"

/* Where unit j of row number `lane` of the tile stands. */
static inline size_t owi_mlp_in_lanes(size_t width, size_t j, size_t lane)
{
    return (lane / owi_row_lanes * width + j) * owi_row_lanes + lane % owi_row_lanes;
}

/* x to z_0 (width, L) as owi_mlp_pass_fill has it; false if some x is infinite. */
bool owi_mlp_fill_lanes(const owi_mlp *mlp, const float *lanes, float *tile);

/* d/d out of |x - out|^2 over what is there, 2 (out - x); out and flow are (width, L). */
void owi_mlp_compare_lanes(size_t width, const float *lanes, const float *out, float *flow);

/* |x - out|^2 of all L rows, by that flow. */
void owi_mlp_square_losses(size_t width, const float *flow, double *losses);

/* The flow to the inputs, and as far as x itself goes the negative of that to the outputs:
 * the gradient by x, in lanes. */
void owi_mlp_gradient_lanes(const owi_mlp *mlp, const float *lanes, const float *flow_out,
                            const float *flow_in, float *gradient);

#endif
