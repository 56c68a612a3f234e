/* SPDX-License-Identifier: MIT */
#include "circuit/device/device_sums.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/learn/sum_layout.h"

ow_status owi_device_sums_new(const owi_device_api *api, const ow_circuit *circuit,
                              owi_device_sums **out)
{
    ow_context *ctx = circuit->ctx;
    *out = NULL;
    owi_device_sums *sums = owi_alloc_zeroed(ctx, sizeof *sums);
    if (sums == NULL) return OW_ERR_MEMORY;
    ow_status status = owi_device_pass_new(api, circuit, &sums->pass);
    if (status != OW_OK) {
        owi_free(ctx, sums);
        return status;
    }
    const size_t parts = owi_sum_n_parts(circuit);
    sums->block = owi_alloc_array(ctx, owi_sum_layout_of(circuit).n, sizeof *sums->block);
    sums->met = owi_alloc_array(ctx, parts, sizeof *sums->met);
    sums->figures =
        owi_alloc_array(ctx, 3 * circuit->spec.n_classes, sizeof *sums->figures);
    if (sums->block != NULL && sums->met != NULL && sums->figures != NULL)
        *out = sums;
    else
        owi_device_sums_free(sums);
    return *out != NULL ? OW_OK : OW_ERR_MEMORY;
}

void owi_device_sums_free(owi_device_sums *sums)
{
    if (sums == NULL) return;
    ow_context *ctx = sums->pass->circuit->ctx;
    owi_free(ctx, sums->log_class);
    owi_free(ctx, sums->factor);
    owi_free(ctx, sums->block);
    owi_free(ctx, sums->met);
    owi_free(ctx, sums->figures);
    owi_device_pass_free(sums->pass);
    owi_free(ctx, sums);
}

/* Rows of a batch, and room for what is known of them. */
static ow_status make_room(owi_device_sums *sums, size_t *n)
{
    ow_context *ctx = sums->pass->circuit->ctx;
    const size_t C = sums->pass->circuit->spec.n_classes;
    OWI_TRY(owi_device_make_room(sums->pass, n, true));
    if (*n <= sums->room) return OW_OK;
    owi_free(ctx, sums->log_class);
    owi_free(ctx, sums->factor);
    sums->room = 0;
    sums->log_class = owi_alloc_array(ctx, *n * C, sizeof *sums->log_class);
    sums->factor = owi_alloc_array(ctx, *n * C, sizeof *sums->factor);
    if (sums->log_class == NULL || sums->factor == NULL) return OW_ERR_MEMORY;
    sums->room = *n;
    return OW_OK;
}

/* The adjoints of a row of class y, [c = y] - share P(c given x), and its figures, as
 * set_adjoints of statistics.c has them. */
static void look_at_row(owi_device_sums *sums, double share, size_t row, size_t y)
{
    const ow_circuit *circuit = sums->pass->circuit;
    const size_t C = circuit->spec.n_classes;
    const double *log_class = sums->log_class + row * C;
    double *factor = sums->factor + row * C;
    memset(factor, 0, C * sizeof *factor);
    sums->figures[y] += 1.0;
    sums->figures[C + y] += log_class[y];
    if (share > 0.0) {
        ow_circuit_posterior(circuit, 1, log_class, NULL, factor);
        sums->figures[2 * C + y] += log(factor[y]);
        for (size_t c = 0; c < C; c++) factor[c] *= -share;
    }
    factor[y] += 1.0;
}

static ow_status add_batch(const owi_call *call, owi_device_sums *sums, double share,
                           size_t first, size_t n, const float *rows,
                           const int32_t *classes)
{
    owi_device_pass *pass = sums->pass;
    const ow_circuit *circuit = pass->circuit;
    OWI_TRY(owi_device_forward(call, pass, n, rows + first * circuit->spec.n_columns, false,
                               first, sums->log_class));
    for (size_t i = 0; i < n; i++) look_at_row(sums, share, i, (size_t)classes[first + i]);
    if (first == 0) owi_device_clear_sums(pass);
    OWI_TRY(owi_device_seed(pass, sums->factor, 0.0));
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++) {
        sums->met[owi_sum_part(copy, false)] = true;
        sums->met[owi_sum_part(copy, true)] |= pass->tiles.has_gaps;
    }
    owi_device_add_sums(pass);
    return OW_OK;
}

ow_status owi_device_sums_add(const owi_call *call, owi_device_sums *sums, double share,
                              size_t n_rows, const float *rows, const int32_t *classes)
{
    const ow_circuit *circuit = sums->pass->circuit;
    memset(sums->met, 0, owi_sum_n_parts(circuit) * sizeof *sums->met);
    memset(sums->figures, 0, 3 * circuit->spec.n_classes * sizeof *sums->figures);
    for (size_t first = 0, n; first < n_rows; first += n) {
        n = n_rows - first;
        OWI_TRY(owi_call_tick(call));
        OWI_TRY(make_room(sums, &n));
        OWI_TRY(add_batch(call, sums, share, first, n, rows, classes));
    }
    return owi_device_read_sums(sums->pass, sums->block);
}
