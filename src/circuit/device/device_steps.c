/* SPDX-License-Identifier: MIT */
#include "circuit/device/device_steps.h"

#include "base/error.h"
#include "circuit/device/device_private.h"

/* The classes and columns of a batch, on the device. */
typedef struct {
    int32_t *origin, *target;
    float *moves;
} step_room;

static void upload(owi_device_pass *pass, void *to, const void *from, size_t size)
{
    owi_device *device = &pass->device;
    if (device->error == 0)
        device->error = device->api->to_device(device->stream, to, from, size);
}

static void download(owi_device_pass *pass, void *to, const void *from, size_t size)
{
    owi_device *device = &pass->device;
    if (device->error == 0)
        device->error = device->api->from_device(device->stream, to, from, size);
}

/* One step along the gradient of what the seeds say, from rows to rows on the device. */
static void take_step(owi_device_pass *pass, const owi_seed_args *seeds, const float *moves,
                      double step, const float *from, float *to)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_rows_out_args out = {.n = (uint32_t)pass->n_rows,
                                   .n_columns = (uint32_t)circuit->spec.n_columns,
                                   .d_features = pass->d_features,
                                   .features = pass->features,
                                   .adjoint_sum = pass->adjoint_sum,
                                   .precision = (float)(1.0 / circuit->spec.variance),
                                   .from = from,
                                   .moves = moves,
                                   .step = step,
                                   .to = to,
                                   .odd = pass->odd};
    owi_device_rows_up(pass, from);
    owi_device_seeds(&pass->device, seeds);
    owi_device_inputs_down(pass);
    owi_device_rows_out(&pass->device, &out);
}

static ow_status batch_steps(owi_device_pass *pass, const step_room *room,
                             const owi_two_steps *steps, size_t first, uint32_t *odd)
{
    const size_t D = pass->circuit->spec.n_columns, at = first * D;
    const size_t n = pass->n_rows, size = n * D * sizeof(float);
    owi_seed_args seeds = owi_device_seed_args(pass);
    owi_device *device = &pass->device;

    upload(pass, pass->given, steps->rows + at, size);
    upload(pass, room->origin, steps->origin + first, n * sizeof *room->origin);
    upload(pass, room->target, steps->target + first, n * sizeof *room->target);
    if (device->error == 0)
        device->error = device->api->clear(device->stream, pass->odd, sizeof *pass->odd);
    seeds.plus = room->target;
    seeds.minus = room->origin;
    take_step(pass, &seeds, room->moves, steps->class_step, pass->given, pass->made);
    download(pass, steps->between + at, pass->made, size);
    seeds.plus = seeds.minus = NULL;
    seeds.density = 1.0;
    take_step(pass, &seeds, room->moves, steps->density_step, pass->made, pass->given);
    download(pass, steps->after + at, pass->given, size);
    download(pass, odd, pass->odd, sizeof *odd);
    if (device->error == 0) device->error = device->api->finish(device->stream);
    return owi_device_status(pass);
}

static ow_status all_steps(const owi_call *call, owi_device_pass *pass,
                           const step_room *room, const owi_two_steps *steps, size_t most,
                           bool *done)
{
    uint32_t odd = 0;
    for (size_t first = 0, n; first < steps->n_rows && odd == 0; first += n) {
        n = steps->n_rows - first < most ? steps->n_rows - first : most;
        OWI_TRY(owi_call_tick(call));
        OWI_TRY(owi_device_make_room(pass, &n, false));
        owi_device_begin(pass, n, steps->rows + first * pass->circuit->spec.n_columns);
        OWI_TRY(batch_steps(pass, room, steps, first, &odd));
    }
    *done = odd == 0;
    return OW_OK;
}

ow_status owi_device_take_steps(const owi_call *call, owi_device_pass *pass,
                                const owi_two_steps *steps, bool *done)
{
    const size_t D = pass->circuit->spec.n_columns;
    size_t most = steps->n_rows;
    *done = false;
    if (!pass->is_plain || steps->n_rows == 0) return OW_OK;
    OWI_TRY(owi_device_give_parameters(pass));
    OWI_TRY(owi_device_make_room(pass, &most, false));
    owi_device *device = &pass->device;
    const step_room room = {owi_device_alloc(device, most * sizeof *room.origin),
                            owi_device_alloc(device, most * sizeof *room.target),
                            owi_device_alloc(device, D * sizeof *room.moves)};
    upload(pass, room.moves, steps->moves, D * sizeof *room.moves);
    ow_status status = owi_device_status(pass);
    if (status == OW_OK) status = all_steps(call, pass, &room, steps, most, done);
    device->api->release(room.origin);
    device->api->release(room.target);
    device->api->release(room.moves);
    return status;
}
