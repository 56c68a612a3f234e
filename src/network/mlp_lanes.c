/* SPDX-License-Identifier: MIT */
#include "network/mlp_lanes.h"

#include <float.h>

#include "base/numeric/lane_vectors.h"
#include "network/mlp_pass.h"

typedef owi_eight eight;
typedef owi_eight_masks masks;
typedef double four OWI_VECTOR(8);
enum { L = owi_tile_lanes, at_a_time = 8, n_parts = owi_row_lanes / 4 };

/* z_0 as it is where all x are there and near; false if one is not. */
OWI_WIDE static bool fill_near(const owi_mlp *mlp, const float *lanes, float *tile)
{
    const size_t width = owi_mlp_n_inputs(mlp);
    masks beyond = {0};
    for (size_t j = 0; j < width; j++)
        for (size_t lane = 0; lane < L; lane += at_a_time) {
            eight x;
            owi_load_eight(lanes + owi_mlp_in_lanes(width, j, lane), &x);
            const eight z = (x - mlp->shift[j]) * mlp->scale[j];
            const eight size = (eight)((masks)z & INT32_MAX);
            beyond |= ~(masks)(size <= (float)owi_mlp_farthest);
            owi_store_eight(&z, tile + j * L + lane);
        }
    return !owi_any_of(&beyond);
}

OWI_WIDE static bool fill_tile(const owi_mlp *mlp, const float *lanes, float *tile)
{
    const size_t width = owi_mlp_n_inputs(mlp);
    masks infinite = {0};
    eight high;
    owi_fill_eight((float)owi_mlp_farthest, &high);
    const eight low = -high;
    for (size_t j = 0; j < width; j++)
        for (size_t lane = 0; lane < L; lane += at_a_time) {
            eight x;
            owi_load_eight(lanes + owi_mlp_in_lanes(width, j, lane), &x);
            eight z = (x - mlp->shift[j]) * mlp->scale[j];
            const masks below = (masks)(z < low), above = (masks)(z > high);
            owi_take_where(&below, &low, &z);
            owi_take_where(&above, &high, &z);
            infinite |= (masks)(x > FLT_MAX) | (masks)(x < -FLT_MAX);
            z = (eight)((masks)z & (masks)(x == x));
            owi_store_eight(&z, tile + j * L + lane);
        }
    return !owi_any_of(&infinite);
}

OWI_WIDE static void compare_tile(size_t width, const float *lanes, const float *out,
                                  float *flow)
{
    for (size_t j = 0; j < width; j++)
        for (size_t lane = 0; lane < L; lane += at_a_time) {
            eight x, y;
            owi_load_eight(lanes + owi_mlp_in_lanes(width, j, lane), &x);
            owi_load_eight(out + j * L + lane, &y);
            y -= x;
            y = 2.0f * (eight)((masks)y & (masks)(x == x));
            owi_store_eight(&y, flow + j * L + lane);
        }
}

OWI_WIDE static void gradient_lanes(const owi_mlp *mlp, const float *lanes,
                                    const float *flow_out, const float *flow_in,
                                    float *gradient)
{
    const size_t width = owi_mlp_n_inputs(mlp);
    for (size_t j = 0; j < width; j++)
        for (size_t lane = 0; lane < L; lane += at_a_time) {
            const size_t at = owi_mlp_in_lanes(width, j, lane);
            eight x, out, in;
            owi_load_eight(lanes + at, &x);
            owi_load_eight(flow_out + j * L + lane, &out);
            owi_load_eight(flow_in + j * L + lane, &in);
            eight sum = -out + in * mlp->scale[j];
            sum = (eight)((masks)sum & (masks)(x == x));
            owi_store_eight(&sum, gradient + at);
        }
}

/* Sums in the order of the entries, sixteen rows at a time. */
OWI_WIDE static void square_losses(size_t width, const float *flow, double *losses)
{
    for (size_t lane = 0; lane < L; lane += 4 * n_parts) {
        four sum[n_parts];
        for (size_t p = 0; p < n_parts; p++) sum[p] = (four){0};
        for (size_t j = 0; j < width; j++)
            for (size_t p = 0; p < n_parts; p++) {
                const float *at = flow + j * L + lane + 4 * p;
                const four twice = {(double)at[0], (double)at[1], (double)at[2],
                                    (double)at[3]};
                sum[p] += (0.5 * twice) * (0.5 * twice);
            }
        memcpy(losses + lane, sum, sizeof sum);
    }
}

bool owi_mlp_fill_lanes(const owi_mlp *mlp, const float *lanes, float *tile)
{
    return fill_near(mlp, lanes, tile) || fill_tile(mlp, lanes, tile);
}

void owi_mlp_compare_lanes(size_t width, const float *lanes, const float *out, float *flow)
{
    compare_tile(width, lanes, out, flow);
}

void owi_mlp_gradient_lanes(const owi_mlp *mlp, const float *lanes, const float *flow_out,
                            const float *flow_in, float *gradient)
{
    gradient_lanes(mlp, lanes, flow_out, flow_in, gradient);
}

void owi_mlp_square_losses(size_t width, const float *flow, double *losses)
{
    square_losses(width, flow, losses);
}
