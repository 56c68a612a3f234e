/* SPDX-License-Identifier: MIT */
/* Two loops on all threads: tile by tile up and down the network, then unit by unit over
 * the parameters, each of which sums over all tiles in one order.  So the bytes do not
 * depend on the number of threads. */
#include "network/mlp_step.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/numeric/largest.h"
#include "base/threads/parallel.h"
#include "network/mlp_lanes.h"

static const double beta1 = 0.9, beta2 = 0.999;
static const float epsilon = 1e-8f;

/* Outputs of a layer that a worker takes at a time: whole blocks of the products. */
enum { unit_outputs = 15, L = owi_tile_lanes };
/* Multiplications that are worth more than one thread. */
static const size_t least_shared = (size_t)1 << 23;

/* ---- Making one ---- */

static void list_units(owi_mlp_step *step)
{
    const owi_mlp_spec *spec = &step->mlp->spec;
    step->n_units = 0;
    for (size_t l = 0; l < spec->n_layers; l++)
        for (size_t k = 0; k < spec->sizes[l + 1]; k += unit_outputs) {
            if (step->units != NULL)
                step->units[step->n_units] =
                    (owi_mlp_unit){l, k, owi_smaller(unit_outputs, spec->sizes[l + 1] - k)};
            step->n_units++;
        }
}

ow_status owi_mlp_step_init(owi_mlp_step *step, const owi_call *call, owi_mlp *mlp,
                            const owi_backend *backend, size_t batch_rows)
{
    ow_context *ctx = mlp->ctx;
    const size_t n_in = owi_mlp_n_inputs(mlp), n_out = owi_mlp_n_outputs(mlp);
    *step = (owi_mlp_step){.call = call,
                           .mlp = mlp,
                           .batch_rows = (batch_rows + L - 1) / L * L};
    const size_t n = step->batch_rows;
    OWI_TRY(owi_mlp_pass_init(&step->pass, mlp, backend, n, true));
    list_units(step);
    step->n_workers = owi_parallel_workers(call, step->n_units, 1);
    step->units = owi_alloc_array(ctx, step->n_units, sizeof *step->units);
    step->rows = owi_alloc_array(ctx, n * n_in, sizeof(float));
    step->out = owi_alloc_array(ctx, n * n_out, sizeof(float));
    step->flow = owi_alloc_array(ctx, n * n_out, sizeof(float));
    step->classes = owi_alloc_array(ctx, n, sizeof *step->classes);
    step->loss = owi_alloc_array(ctx, n, sizeof *step->loss);
    step->correct = owi_alloc_array(ctx, n, sizeof *step->correct);
    step->room = owi_alloc_array(ctx, step->n_workers * unit_outputs * n, sizeof(float));
    step->gradient = owi_alloc_array(ctx, mlp->n_parameters, sizeof(float));
    step->first = owi_alloc_array(ctx, mlp->n_parameters, sizeof(float));
    step->second = owi_alloc_array(ctx, mlp->n_parameters, sizeof(float));
    if (step->units == NULL || step->rows == NULL || step->out == NULL ||
        step->flow == NULL || step->classes == NULL || step->loss == NULL ||
        step->correct == NULL || step->room == NULL || step->gradient == NULL ||
        step->first == NULL || step->second == NULL) {
        owi_mlp_step_clear(step);
        return OW_ERR_MEMORY;
    }
    list_units(step);
    return OW_OK;
}

void owi_mlp_step_clear(owi_mlp_step *step)
{
    ow_context *ctx = step->mlp->ctx;
    void *const blocks[] = {step->units,    step->rows,  step->out,     step->flow,
                            step->classes,  step->loss,  step->correct, step->room,
                            step->gradient, step->first, step->second};
    owi_mlp_pass_clear(&step->pass);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) owi_free(ctx, blocks[i]);
    *step = (owi_mlp_step){0};
}

/* ---- The loss of a row, and its derivatives by the outputs ---- */

/* -log of the class's share of the softmax. */
static void log_loss(size_t C, const float *out, size_t y, float *flow, double *loss,
                     bool *correct)
{
    const size_t best = owi_largest_of_floats(C, out);
    double sum = 0.0;
    for (size_t c = 0; c < C; c++) sum += exp((double)out[c] - (double)out[best]);
    for (size_t c = 0; c < C; c++)
        flow[c] =
            (float)(exp((double)out[c] - (double)out[best]) / sum) - (c == y ? 1.0f : 0.0f);
    *loss = log(sum) + (double)out[best] - (double)out[y];
    *correct = best == y;
}

typedef struct {
    owi_mlp_step *step;
    size_t n_rows, first_row;
    bool learn;
    float rate, scale, decay, unbias2; /* of Adam */
} job;

/* Up to L rows from row `first` on, which is one of a tile's own. */
static ow_status run_classes(const job *work, owi_mlp_pass *tile, size_t first, size_t n)
{
    owi_mlp_step *step = work->step;
    const owi_batch one = {1, L, 0};
    const size_t n_in = owi_mlp_n_inputs(step->mlp), n_out = owi_mlp_n_outputs(step->mlp);
    const float *rows = step->rows + first * n_in;
    float *out = step->out + first * n_out, *flow = step->flow + first * n_out;

    OWI_TRY(owi_mlp_pass_fill(tile, one, n, rows, work->first_row + first));
    owi_mlp_pass_forward(tile, one);
    owi_mlp_pass_outputs(tile, one, n, out);
    for (size_t i = 0; i < n; i++) {
        const size_t at = first + i;
        log_loss(n_out, out + i * n_out, (size_t)step->classes[at], flow + i * n_out,
                 &step->loss[at], &step->correct[at]);
    }
    if (work->learn) owi_mlp_pass_set_flow(tile, one, n, flow);
    return OW_OK;
}

/* The same of a network that gives rows back: these are in lanes, and nothing has to be
 * turned around again. */
static ow_status run_numbers(const job *work, owi_mlp_pass *tile, size_t first, size_t n)
{
    enum { C = owi_row_lanes };
    owi_mlp_step *step = work->step;
    const owi_batch one = {1, L, 0};
    const size_t width = owi_mlp_n_inputs(step->mlp), last = step->mlp->spec.n_layers;
    const float *rows = step->rows + first * width;
    float *lanes = step->out + first * width;
    double losses[L];

    for (size_t i = 0; i < L; i += C) {
        if (i < n)
            owi_rows_to_lanes(owi_smaller(C, n - i), width, rows + i * width,
                              lanes + i * width);
        else
            memset(lanes + i * width, 0, C * width * sizeof *lanes);
    }
    if (!owi_mlp_fill_lanes(step->mlp, lanes, tile->value[0]))
        return owi_mlp_name_infinity(n, width, rows, work->first_row + first);
    owi_mlp_pass_forward(tile, one);
    owi_mlp_compare_lanes(width, lanes, tile->value[last], tile->flow[last]);
    owi_mlp_square_losses(width, tile->flow[last], losses);
    memcpy(step->loss + first, losses, n * sizeof *losses);
    owi_mlp_clear_spare_lanes(one, n, width, tile->flow[last]);
    return OW_OK;
}

static ow_status run_tile(const job *work, size_t first, size_t n)
{
    owi_mlp_pass tile = owi_mlp_pass_tile(&work->step->pass, first / L);
    const bool classes = work->step->mlp->spec.output == OWI_MLP_CLASSES;
    OWI_TRY((classes ? run_classes : run_numbers)(work, &tile, first, n));
    if (work->learn) owi_mlp_pass_backward(&tile, (owi_batch){1, L, 0}, false);
    return OW_OK;
}

static ow_status run_tiles(void *user, const owi_chunk *chunk)
{
    for (size_t i = 0; i < chunk->n; i += L)
        OWI_TRY(run_tile(user, chunk->first + i, owi_smaller(L, chunk->n - i)));
    return OW_OK;
}

/* ---- The step ---- */

/* n parameters by their sums of gradients. */
OWI_WIDE static void adam(const job *work, size_t n, size_t at, float decay)
{
    const float b1 = (float)beta1, b2 = (float)beta2;
    float *restrict parameter = work->step->mlp->block + at;
    const float *restrict gradient = work->step->gradient + at;
    float *restrict first = work->step->first + at, *restrict second =
                                                        work->step->second + at;
    for (size_t i = 0; i < n; i++) {
        const float g = (gradient[i] + decay * parameter[i]) * work->scale;
        first[i] = b1 * first[i] + (1.0f - b1) * g;
        second[i] = b2 * second[i] + (1.0f - b2) * g * g;
        parameter[i] -=
            work->rate * first[i] / (sqrtf(second[i] * work->unbias2) + epsilon);
    }
}

static void run_unit(const job *work, const owi_mlp_unit unit, float *flow)
{
    owi_mlp_step *step = work->step;
    const owi_mlp *mlp = step->mlp;
    const size_t n_in = mlp->spec.sizes[unit.layer],
                 n_out = mlp->spec.sizes[unit.layer + 1];
    const owi_batch batch = {(work->n_rows + L - 1) / L, L, 0};
    const owi_leaf_shape shape = owi_mlp_layer_shape(mlp, unit.layer, unit.n);
    const size_t weight =
        (size_t)(mlp->weight[unit.layer] - mlp->block) + unit.first * n_in;
    const size_t bias = (size_t)(mlp->bias[unit.layer] - mlp->block) + unit.first;

    for (size_t t = 0; t < batch.n_tiles; t++)
        memcpy(flow + t * unit.n * L,
               step->pass.flow[unit.layer + 1] + (t * n_out + unit.first) * L,
               unit.n * L * sizeof *flow);
    memset(step->gradient + weight, 0, unit.n * n_in * sizeof *step->gradient);
    memset(step->gradient + bias, 0, unit.n * sizeof *step->gradient);
    step->pass.backend->leaf_statistics(step->pass.backend, &shape, batch, flow,
                                        step->pass.value[unit.layer],
                                        step->gradient + weight, step->gradient + bias);
    adam(work, unit.n * n_in, weight, work->decay);
    adam(work, unit.n, bias, 0.0f);
}

static ow_status run_units(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    const owi_mlp_step *step = work->step;
    for (size_t i = chunk->first; i < chunk->first + chunk->n; i++)
        run_unit(work, step->units[i],
                 step->room + chunk->worker * unit_outputs * step->batch_rows);
    return OW_OK;
}

ow_status owi_mlp_step_run(owi_mlp_step *step, size_t n_rows, size_t first_row, bool learn)
{
    job work = {.step = step, .n_rows = n_rows, .first_row = first_row, .learn = learn};
    const bool small = step->mlp->n_parameters * n_rows < least_shared;
    if (n_rows == 0) return OW_OK;
    OWI_TRY(owi_parallel_rows(step->call, n_rows, small ? n_rows : L, run_tiles, &work));
    if (!learn) return OW_OK;
    const double t = (double)++step->n_updates;
    work.rate = (float)(step->rate / (1.0 - pow(beta1, t)));
    work.unbias2 = (float)(1.0 / (1.0 - pow(beta2, t)));
    work.scale = 1.0f / (float)n_rows;
    work.decay = (float)step->decay;
    return owi_parallel_rows(step->call, step->n_units, small ? step->n_units : 1,
                             run_units, &work);
}
