/* SPDX-License-Identifier: MIT */
/* The gradient of an autoencoder's error for rows that stand in lanes, four chunks of which are a tile of the backend: nothing is
 * turned around on the way. */
#include <float.h>
#include <math.h>

#include "base/error.h"
#include "base/lane_vectors.h"
#include "base/row_lanes.h"
#include "classifier/autoencoder.h"
#include "classifier/mlp_pass.h"

typedef owi_eight eight;
typedef owi_eight_masks masks;
enum { L = owi_tile_lanes, C = owi_row_lanes, at_a_time = 8 };

/* Where lane number `lane` of unit j stands in the chunks of a tile, (L / C, width, C). */
static OWI_INLINE size_t in_chunk(size_t width, size_t j, size_t lane)
{
    return (lane / C * width + j) * C + lane % C;
}

/* x to z_0 as owi_mlp_pass_fill has it; false if some x is infinite. */
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
            owi_load_eight(lanes + in_chunk(width, j, lane), &x);
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

/* d/d out of |x - out|^2 is 2 (out - x). */
OWI_WIDE static void compare_tile(size_t width, const float *lanes, const float *out,
                                  float *flow)
{
    for (size_t j = 0; j < width; j++)
        for (size_t lane = 0; lane < L; lane += at_a_time) {
            eight x, y;
            owi_load_eight(lanes + in_chunk(width, j, lane), &x);
            owi_load_eight(out + j * L + lane, &y);
            y -= x;
            y = 2.0f * (eight)((masks)y & (masks)(x == x));
            owi_store_eight(&y, flow + j * L + lane);
        }
}

/* And d/dx as far as x itself goes is its negative, to which the network's own is added. */
OWI_WIDE static void gradient_lanes(const owi_mlp *mlp, const float *lanes,
                                    const float *flow_out, const float *flow_in,
                                    float *gradient)
{
    const size_t width = owi_mlp_n_inputs(mlp);
    for (size_t j = 0; j < width; j++)
        for (size_t lane = 0; lane < L; lane += at_a_time) {
            const size_t at = in_chunk(width, j, lane);
            eight x, out, in;
            owi_load_eight(lanes + at, &x);
            owi_load_eight(flow_out + j * L + lane, &out);
            owi_load_eight(flow_in + j * L + lane, &in);
            eight sum = -out + in * mlp->scale[j];
            sum = (eight)((masks)sum & (masks)(x == x));
            owi_store_eight(&sum, gradient + at);
        }
}

static ow_status name_infinity(size_t width, const float *lanes, size_t tile)
{
    size_t i = 0;
    while (i + 1 < width * L && !isinf(lanes[in_chunk(width, i % width, i / width)])) i++;
    return owi_fail(OW_ERR_NUMERIC, "row %zu, entry %zu: expected a number, got infinity",
                    tile * L + i / width + 1, i % width);
}

typedef struct {
    const float *lanes;
    float *gradient;
} job;

static ow_status run_tile(void *user, owi_mlp_pass *pass, size_t tile)
{
    const job *work = user;
    const owi_mlp *mlp = pass->mlp;
    const size_t width = owi_mlp_n_inputs(mlp), last = mlp->spec.n_layers;
    const float *lanes = work->lanes + tile * width * L;
    const owi_batch one = {1, L};
    if (!fill_tile(mlp, lanes, pass->value[0])) return name_infinity(width, lanes, tile);
    owi_mlp_pass_forward(pass, one);
    compare_tile(width, lanes, pass->value[last], pass->flow[last]);
    owi_mlp_pass_backward(pass, one, true);
    gradient_lanes(mlp, lanes, pass->flow[last], pass->flow[0],
                   work->gradient + tile * width * L);
    return OW_OK;
}

ow_status owi_autoencoder_gradient_lanes(owi_mlp_runner *runner, size_t n_tiles,
                                         const float *lanes, float *gradient)
{
    job work = {lanes, gradient};
    return owi_mlp_run_tiles(runner, n_tiles, run_tile, &work);
}
