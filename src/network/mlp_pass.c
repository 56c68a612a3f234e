/* SPDX-License-Identifier: MIT */
#include "network/mlp_pass.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/sizes.h"
#include "base/numeric/transpose.h"

/* Hidden units are never larger than this, for the same reason. */
static const float largest = 1e18f;

/* ---- Buffers ---- */

/* Takes every buffer from the workspace; without a workspace only counts. */
static size_t carve(owi_mlp_pass *pass, size_t rows, bool with_flow)
{
    owi_carver from = {pass->workspace, 0};
    for (size_t l = 0; l <= pass->mlp->spec.n_layers; l++) {
        const size_t floats = pass->mlp->spec.sizes[l] * rows;
        pass->value[l] = owi_carve(&from, floats, sizeof(float));
        pass->flow[l] = with_flow ? owi_carve(&from, floats, sizeof(float)) : NULL;
    }
    return from.size;
}

ow_status owi_mlp_pass_init(owi_mlp_pass *pass, const owi_mlp *mlp,
                            const owi_backend *backend, size_t most_rows, bool with_flow)
{
    *pass = (owi_mlp_pass){.mlp = mlp, .backend = backend};
    const size_t size = carve(pass, most_rows, with_flow);
    OWI_TRY(owi_workspace_new(mlp->ctx, size, &pass->workspace));
    (void)carve(pass, most_rows, with_flow);
    const ow_status status = owi_workspace_status(pass->workspace);
    if (status != OW_OK) owi_mlp_pass_clear(pass);
    return status;
}

void owi_mlp_pass_clear(owi_mlp_pass *pass)
{
    owi_workspace_free(pass->workspace);
    pass->workspace = NULL;
}

owi_mlp_pass owi_mlp_pass_tile(const owi_mlp_pass *pass, size_t tile)
{
    owi_mlp_pass one = *pass;
    one.workspace = NULL;
    for (size_t l = 0; l <= pass->mlp->spec.n_layers; l++) {
        const size_t at = tile * pass->mlp->spec.sizes[l] * owi_tile_lanes;
        one.value[l] += at;
        if (one.flow[l] != NULL) one.flow[l] += at;
    }
    return one;
}

/* ---- Rows and tiles ---- */

/* Units that are turned around at a time: 64 bytes of a row. */
enum { block_units = 16 };

/* Rows (n_rows x width) to (T, width, L), or back. */
static void to_tiles(owi_batch batch, size_t n_rows, size_t width, const float *rows,
                     float *tiles)
{
    const size_t L = batch.lanes;
    if (L == 1) memcpy(tiles, rows, n_rows * width * sizeof *tiles);
    for (size_t t = 0; t < batch.n_tiles && L > 1; t++) {
        const size_t n = owi_smaller(L, n_rows - t * L);
        for (size_t j = 0; j < width; j += block_units)
            owi_transpose(n, owi_smaller(block_units, width - j), rows + t * L * width + j,
                          width, tiles + (t * width + j) * L, L);
    }
}

static void to_rows(owi_batch batch, size_t n_rows, size_t width, const float *tiles,
                    float *rows)
{
    const size_t L = batch.lanes;
    if (L == 1) memcpy(rows, tiles, n_rows * width * sizeof *tiles);
    for (size_t t = 0; t < batch.n_tiles && L > 1; t++) {
        const size_t n = owi_smaller(L, n_rows - t * L);
        for (size_t j = 0; j < width; j += block_units)
            owi_transpose(owi_smaller(block_units, width - j), n,
                          tiles + (t * width + j) * L, L, rows + t * L * width + j, width);
    }
}

void owi_mlp_clear_spare_lanes(owi_batch batch, size_t n_rows, size_t width, float *tiles)
{
    const size_t L = batch.lanes, spare = batch.n_tiles * L - n_rows;
    float *last = tiles + (batch.n_tiles - 1) * width * L;
    for (size_t j = 0; j < width && spare > 0; j++)
        memset(last + j * L + L - spare, 0, spare * sizeof *last);
}

/* x to z of n values, in place, value i with shift and scale number i * step; false if some
 * x is infinite.  Without branches, for vector code. */
static OWI_INLINE bool standardise(size_t n, const float *shift, const float *scale,
                                   size_t step, float *restrict values)
{
    const float farthest = (float)owi_mlp_farthest;
    uint32_t n_infinite = 0;
    for (size_t i = 0; i < n; i++) {
        const float x = values[i], z = (x - shift[i * step]) * scale[i * step];
        const float above = z > -farthest ? z : -farthest;
        const float near = above < farthest ? above : farthest;
        n_infinite += fabsf(x) > FLT_MAX; /* not so for NaN */
        values[i] = x == x ? near : 0.0f;
    }
    return n_infinite == 0;
}

OWI_WIDE static bool standardise_rows(size_t n_rows, const owi_mlp *mlp, float *rows)
{
    const size_t width = owi_mlp_n_inputs(mlp);
    bool finite = true;
    for (size_t i = 0; i < n_rows; i++)
        finite &= standardise(width, mlp->shift, mlp->scale, 1, rows + i * width);
    return finite;
}

OWI_WIDE static bool standardise_tiles(size_t n_tiles, const owi_mlp *mlp, float *tiles)
{
    enum { L = owi_tile_lanes };
    const size_t width = owi_mlp_n_inputs(mlp);
    bool finite = true;
    for (size_t t = 0; t < n_tiles; t++, tiles += width * L)
        for (size_t j = 0; j < width; j++)
            finite &= standardise(L, mlp->shift + j, mlp->scale + j, 0, tiles + j * L);
    return finite;
}

ow_status owi_mlp_name_infinity(size_t n_rows, size_t width, const float *rows,
                                size_t first_row)
{
    size_t i = 0;
    while (i + 1 < n_rows * width && !isinf(rows[i])) i++;
    return owi_fail(OW_ERR_NUMERIC, "row %zu, entry %zu: expected a number, got infinity",
                    first_row + i / width + 1, i % width);
}

ow_status owi_mlp_pass_fill(owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                            const float *rows, size_t first_row)
{
    const owi_mlp *mlp = pass->mlp;
    const size_t width = owi_mlp_n_inputs(mlp), L = batch.lanes;
    to_tiles(batch, n_rows, width, rows, pass->value[0]);
    owi_mlp_clear_spare_lanes(batch, n_rows, width, pass->value[0]);
    const bool finite = L == 1 ? standardise_rows(n_rows, mlp, pass->value[0])
                               : standardise_tiles(batch.n_tiles, mlp, pass->value[0]);
    return finite ? OW_OK : owi_mlp_name_infinity(n_rows, width, rows, first_row);
}

void owi_mlp_pass_outputs(const owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                          float *rows)
{
    to_rows(batch, n_rows, owi_mlp_n_outputs(pass->mlp),
            pass->value[pass->mlp->spec.n_layers], rows);
}

void owi_mlp_pass_set_flow(owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                           const float *rows)
{
    const size_t width = owi_mlp_n_outputs(pass->mlp);
    float *flow = pass->flow[pass->mlp->spec.n_layers];
    to_tiles(batch, n_rows, width, rows, flow);
    owi_mlp_clear_spare_lanes(batch, n_rows, width, flow);
}

OWI_WIDE static void scale_flow(size_t n, const float *x, const float *scale,
                                const float *flow, float *restrict gradient)
{
    for (size_t j = 0; j < n; j++) {
        const float by_x = flow[j] * scale[j];
        gradient[j] = x[j] == x[j] ? by_x : 0.0f;
    }
}

void owi_mlp_pass_gradient(const owi_mlp_pass *pass, owi_batch batch, size_t n_rows,
                           const float *rows, float *gradient)
{
    const size_t width = owi_mlp_n_inputs(pass->mlp), L = batch.lanes;
    for (size_t i = 0; i < n_rows * width && L == 1; i += width)
        scale_flow(width, rows + i, pass->mlp->scale, pass->flow[0] + i, gradient + i);
    for (size_t i = 0; i < n_rows * width && L > 1; i += L * width) {
        const size_t n = owi_smaller(L, n_rows - i / width);
        for (size_t j = 0; j < width; j += block_units) {
            const size_t n_units = owi_smaller(block_units, width - j);
            float block[owi_tile_lanes * block_units];
            owi_transpose(n_units, n, pass->flow[0] + i + j * L, L, block, block_units);
            for (size_t lane = 0; lane < n; lane++)
                scale_flow(n_units, rows + i + lane * width + j, pass->mlp->scale + j,
                           block + lane * block_units, gradient + i + lane * width + j);
        }
    }
}

/* ---- Up and down ---- */

void owi_mlp_pass_forward(owi_mlp_pass *pass, owi_batch batch)
{
    const owi_mlp *mlp = pass->mlp;
    for (size_t l = 0; l < mlp->spec.n_layers; l++) {
        const size_t n_out = mlp->spec.sizes[l + 1];
        const owi_leaf_shape shape = owi_mlp_layer_shape(mlp, l, n_out);
        float *out = pass->value[l + 1];
        pass->backend->leaf_forward(pass->backend, &shape, batch, mlp->weight[l],
                                    mlp->bias[l], pass->value[l], out);
        if (l + 1 == mlp->spec.n_layers) break;
        for (size_t i = 0; i < batch.n_tiles * n_out * batch.lanes; i++)
            out[i] = out[i] > 0.0f ? (out[i] < largest ? out[i] : largest) : 0.0f;
    }
}

void owi_mlp_pass_backward(owi_mlp_pass *pass, owi_batch batch, bool to_inputs)
{
    const owi_mlp *mlp = pass->mlp;
    for (size_t l = mlp->spec.n_layers; l-- > (to_inputs ? 0 : 1);) {
        const owi_leaf_shape shape = owi_mlp_layer_shape(mlp, l, mlp->spec.sizes[l + 1]);
        const size_t n = batch.n_tiles * mlp->spec.sizes[l] * batch.lanes;
        float *flow = pass->flow[l];
        memset(flow, 0, n * sizeof *flow);
        pass->backend->leaf_backward(pass->backend, &shape, batch, mlp->weight[l],
                                     pass->flow[l + 1], flow);
        for (size_t i = 0; i < n && l > 0; i++)
            flow[i] = pass->value[l][i] > 0.0f ? flow[i] : 0.0f;
    }
}
