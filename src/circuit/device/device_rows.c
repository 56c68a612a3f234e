/* SPDX-License-Identifier: MIT */
/* Rows through a device, batch after batch: what an evaluator does elsewhere chunk by chunk
 * (evaluator.c, query_gradient.c). */
#include "base/error.h"
#include "base/memory/sizes.h"
#include "circuit/device/device_private.h"

bool owi_device_serves(const ow_circuit *circuit, const owi_row_request *asked)
{
    enum { least_work = 1 << 20 };
    const size_t parameters = circuit->n_leaf + circuit->n_weights;
    return asked->in_tiles || asked->n_rows >= least_work / (parameters + 1);
}

/* One batch of the rows asked for. */
typedef struct {
    const owi_call *call;
    owi_device_pass *pass;
    const owi_row_request *asked;
    size_t first, n;
} row_batch;

/* The next batch; n is 0 behind the last one. */
static ow_status next_batch(row_batch *batch)
{
    batch->first += batch->n;
    batch->n = batch->asked->n_rows - batch->first;
    if (batch->n == 0) return OW_OK;
    OWI_TRY(owi_call_tick(batch->call));
    return owi_device_make_room(batch->pass, &batch->n, false);
}

static ow_status batch_up(const row_batch *batch, double *log_class)
{
    const owi_row_request *asked = batch->asked;
    const size_t width = owi_circuit_row_width(batch->pass->circuit, asked->soft);
    return owi_device_forward(batch->call, batch->pass, batch->n,
                              asked->rows + batch->first * width, asked->soft, batch->first,
                              log_class);
}

ow_status owi_device_evaluate(const owi_call *call, owi_device_pass *pass,
                              const owi_row_request *asked, double *log_class)
{
    const size_t C = pass->circuit->spec.n_classes;
    row_batch batch = {call, pass, asked, 0, 0};
    OWI_TRY(next_batch(&batch));
    while (batch.n > 0) {
        OWI_TRY(batch_up(&batch, log_class + batch.first * C));
        OWI_TRY(next_batch(&batch));
    }
    return OW_OK;
}

static ow_status decide_chunk(void *user, const owi_chunk *chunk)
{
    const row_batch *batch = user;
    batch->asked->decide(batch->asked->user, batch->first + chunk->first, chunk->n);
    return OW_OK;
}

static ow_status batch_down(const row_batch *batch, size_t m, const ow_mix *mix,
                            float *gradients)
{
    const ow_circuit *circuit = batch->pass->circuit;
    const size_t C = circuit->spec.n_classes;
    const size_t width = owi_circuit_row_width(circuit, batch->asked->soft);
    const double *factors =
        mix->class_factor != NULL ? mix->class_factor + batch->first * C : NULL;
    OWI_TRY(owi_call_tick(batch->call));
    OWI_TRY(owi_device_seed(batch->pass, factors, mix->density_factor));
    return owi_device_gradient(batch->call, batch->pass,
                               gradients +
                                   (m * batch->asked->n_rows + batch->first) * width);
}

ow_status owi_device_differentiate(const owi_call *call, owi_device_pass *pass,
                                   const owi_row_request *asked, size_t n_mixes,
                                   const ow_mix *mixes, double *log_class, float *gradients)
{
    const size_t C = pass->circuit->spec.n_classes;
    row_batch batch = {call, pass, asked, 0, 0};
    OWI_TRY(next_batch(&batch));
    while (batch.n > 0) {
        OWI_TRY(batch_up(&batch, log_class != NULL ? log_class + batch.first * C
                                                   : pass->host_class));
        if (asked->decide != NULL)
            OWI_TRY(owi_parallel_rows(call, batch.n, owi_tile_lanes, decide_chunk, &batch));
        for (size_t m = 0; m < n_mixes; m++)
            OWI_TRY(batch_down(&batch, m, &mixes[m], gradients));
        OWI_TRY(next_batch(&batch));
    }
    return OW_OK;
}
