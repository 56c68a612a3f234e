/* SPDX-License-Identifier: MIT */
/* The gradient of an autoencoder's error for rows that stand in lanes, some chunks of which
 * are a tile of the backend: nothing is turned around on the way. */
#include <math.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "network/autoencoder.h"
#include "network/mlp_lanes.h"
#include "network/mlp_pass.h"

enum { L = owi_tile_lanes };

static ow_status name_infinity(size_t width, const float *lanes, size_t tile)
{
    size_t i = 0;
    while (i + 1 < width * L &&
           !isinf(lanes[owi_mlp_in_lanes(width, i % width, i / width)]))
        i++;
    return owi_fail(OW_ERR_NUMERIC, "row %zu, entry %zu: expected a number, got infinity",
                    tile * L + i / width + 1, i % width);
}

typedef struct {
    size_t n_rows;
    const float *lanes;
    float *gradient;
} job;

static ow_status run_tile(void *user, owi_mlp_pass *pass, size_t tile)
{
    const job *work = user;
    const owi_mlp *mlp = pass->mlp;
    const size_t width = owi_mlp_n_inputs(mlp), last = mlp->spec.n_layers;
    const float *lanes = work->lanes + tile * width * L;
    const owi_batch one = owi_tiles_of(owi_smaller(L, work->n_rows - tile * L));
    if (!owi_mlp_fill_lanes(mlp, lanes, pass->value[0]))
        return name_infinity(width, lanes, tile);
    owi_mlp_pass_forward(pass, one);
    owi_mlp_compare_lanes(width, lanes, pass->value[last], pass->flow[last]);
    owi_mlp_pass_backward(pass, one, true);
    owi_mlp_gradient_lanes(mlp, lanes, pass->flow[last], pass->flow[0],
                           work->gradient + tile * width * L);
    return OW_OK;
}

ow_status owi_autoencoder_gradient_lanes(const owi_call *call, owi_mlp_runner *runner,
                                         size_t n_rows, const float *lanes, float *gradient)
{
    job work = {n_rows, lanes, gradient};
    return owi_mlp_run_tiles(call, runner, (n_rows + L - 1) / L, run_tile, &work);
}
