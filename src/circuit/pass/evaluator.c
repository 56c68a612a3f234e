/* SPDX-License-Identifier: MIT */
#include "circuit/pass/evaluator.h"

#include "backend/cuda/device_open.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/threads/parallel.h"
#include "base/threads/team.h"
#include "circuit/device/device_pass.h"
#include "circuit/pass/anchor_rows.h"

const char *ow_backend_name(size_t index)
{
    const owi_backend *backend = owi_backend_get(index);
    return backend != NULL ? backend->name : NULL;
}

/* At least so many, each for chunks of any size that may be asked for. */
static ow_status make_passes(ow_evaluator *evaluator, size_t wanted)
{
    ow_context *ctx = evaluator->circuit->ctx;
    owi_pass *passes = evaluator->passes;
    if (wanted > evaluator->n_passes)
        passes = owi_resize_array(ctx, passes, wanted, sizeof *passes);
    if (passes == NULL) return OW_ERR_MEMORY;
    evaluator->passes = passes;
    while (evaluator->n_passes < wanted) {
        OWI_TRY(owi_pass_init(&passes[evaluator->n_passes], evaluator->circuit,
                              evaluator->backend, owi_evaluator_chunk, true));
        evaluator->n_passes++;
    }
    return OW_OK;
}

ow_status ow_evaluator_new(const ow_circuit *circuit, const char *backend,
                           ow_evaluator **out)
{
    OWI_REQUIRE(circuit != NULL && out != NULL);
    *out = NULL;
    const owi_backend *found = NULL;
    const owi_device_api *device = NULL;
    OWI_TRY(owi_backend_choose(backend, &found));
    OWI_TRY(owi_device_open(circuit->ctx, backend, &device));
    ow_evaluator *evaluator = owi_alloc_zeroed(circuit->ctx, sizeof *evaluator);
    if (evaluator == NULL) return OW_ERR_MEMORY;
    evaluator->circuit = circuit;
    evaluator->backend = found;
    ow_status status = make_passes(evaluator, 1);
    if (status == OW_OK && device != NULL)
        status = owi_device_pass_new(device, circuit, &evaluator->device);
    if (status == OW_OK)
        *out = evaluator;
    else
        ow_evaluator_free(evaluator);
    return status;
}

void ow_evaluator_free(ow_evaluator *evaluator)
{
    if (evaluator == NULL) return;
    ow_context *ctx = evaluator->circuit->ctx;
    for (size_t i = 0; i < evaluator->n_passes; i++) owi_pass_clear(&evaluator->passes[i]);
    owi_device_pass_free(evaluator->device);
    owi_free(ctx, evaluator->passes);
    owi_free(ctx, evaluator);
}

/* Whatever the number of threads.  Chunks of few rows are only as good as the products: the
 * rest is made for whole tiles. */
size_t owi_evaluator_chunk_rows(const ow_evaluator *evaluator, size_t n_rows, bool in_tiles)
{
    enum { many_parameters = 1 << 20 };
    const size_t half = (n_rows + 1) / 2;
    const bool is_long = evaluator->circuit->n_leaf >= many_parameters;
    if (!in_tiles || !is_long || n_rows > 2 * owi_evaluator_chunk)
        return owi_evaluator_chunk;
    return owi_larger(owi_lane_group, half);
}

ow_status owi_evaluator_prepare(const owi_call *call, ow_evaluator *evaluator,
                                size_t n_rows, bool in_tiles)
{
    const size_t chunk_rows = owi_evaluator_chunk_rows(evaluator, n_rows, in_tiles);
    OWI_TRY(make_passes(evaluator, owi_parallel_workers(call, n_rows, chunk_rows)));
    for (size_t i = 0; i < evaluator->n_passes; i++)
        evaluator->passes[i].in_tiles = in_tiles;
    return OW_OK;
}

ow_status owi_evaluator_check_classes(const ow_evaluator *evaluator, size_t n_rows,
                                      const int32_t *classes)
{
    const size_t C = evaluator->circuit->spec.n_classes;
    for (size_t i = 0; i < n_rows && classes != NULL; i++)
        if (classes[i] >= 0 && (size_t)classes[i] >= C)
            return owi_fail(OW_ERR_ARGUMENT, "row %zu: class %d, expected 0 to %zu or -1",
                            i + 1, classes[i], C - 1);
    return OW_OK;
}

/* ---- Densities ---- */

ow_status owi_evaluator_forward(ow_evaluator *evaluator, const owi_chunk *chunk,
                                const owi_row_request *asked, double *log_class)
{
    const ow_circuit *circuit = evaluator->circuit;
    const size_t width = owi_circuit_row_width(circuit, asked->soft);
    owi_pass *pass = &evaluator->passes[chunk->worker];

    if (asked->base != NULL) pass->base = owi_anchor_rows_tile(asked->base, chunk->first);
    const ow_status status =
        owi_pass_forward_some(pass, chunk->n, asked->rows + chunk->first * width,
                              asked->soft, chunk->first, 0, circuit->regions.n_copies);
    pass->base = (owi_tile_base){0};
    OWI_TRY(status);
    if (log_class != NULL)
        owi_pass_log_classes(pass, log_class + chunk->first * circuit->spec.n_classes);
    return OW_OK;
}

typedef struct {
    ow_evaluator *evaluator;
    const owi_row_request *asked;
    double *log_class;
} evaluation;

static ow_status evaluate_chunk(void *user, const owi_chunk *chunk)
{
    const evaluation *work = user;
    return owi_evaluator_forward(work->evaluator, chunk, work->asked, work->log_class);
}

/* Whether it takes so long that other processes of the team had better help. */
static bool is_divided(const owi_call *call, const ow_circuit *circuit, size_t n_rows)
{
    enum { much = 1 << 22 }; /* parameters met */
    const size_t each = circuit->n_leaf + circuit->n_weights;
    return owi_team_size(call) > 1 && n_rows >= 2 * owi_evaluator_chunk &&
           n_rows > much / (each + 1);
}

/* Whole chunks, each on one process; the rows that are left over, on every one. */
static ow_status evaluate_together(const owi_call *call, size_t n_chunks, size_t chunk_rows,
                                   evaluation *work)
{
    const size_t n = work->asked->n_rows;
    const size_t each = chunk_rows * work->evaluator->circuit->spec.n_classes;
    const owi_share own = owi_team_own_share(call, n_chunks);
    ow_status status =
        owi_parallel_range(call, n, chunk_rows, own.first, own.end, evaluate_chunk, work);
    if (status == OW_OK && n_chunks * chunk_rows < n)
        status = owi_parallel_range(call, n, chunk_rows, n_chunks, n_chunks + 1,
                                    evaluate_chunk, work);
    return owi_team_complete(call, status, n_chunks, each * sizeof *work->log_class,
                             work->log_class);
}

ow_status owi_evaluate_rows(const owi_call *call, ow_evaluator *evaluator,
                            owi_row_request asked, double *log_class)
{
    const size_t n = asked.n_rows;
    OWI_REQUIRE(n == 0 || (asked.rows != NULL && log_class != NULL));
    if (evaluator->device != NULL && owi_device_serves(evaluator->circuit, &asked))
        return owi_device_evaluate(call, evaluator->device, &asked, log_class);
    OWI_TRY(owi_evaluator_prepare(call, evaluator, n, asked.in_tiles));
    evaluation work = {evaluator, &asked, log_class};
    const size_t chunk_rows = owi_evaluator_chunk_rows(evaluator, n, asked.in_tiles);
    if (is_divided(call, evaluator->circuit, n))
        return evaluate_together(call, n / chunk_rows, chunk_rows, &work);
    return owi_parallel_rows(call, n, chunk_rows, evaluate_chunk, &work);
}

ow_status owi_evaluate(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                       const float *rows, double *log_class)
{
    const owi_row_request asked = {.n_rows = n_rows, .rows = rows};
    return owi_evaluate_rows(call, evaluator, asked, log_class);
}

ow_status owi_evaluate_soft(const owi_call *call, ow_evaluator *evaluator, size_t n_rows,
                            const float *soft, double *log_class)
{
    const owi_row_request asked = {.n_rows = n_rows,
                                   .rows = soft,
                                   .soft = evaluator->circuit->has_levels};
    return owi_evaluate_rows(call, evaluator, asked, log_class);
}

ow_status ow_evaluator_evaluate(ow_evaluator *evaluator, size_t n_rows, const float *rows,
                                const ow_call *call, double *log_class)
{
    owi_call own;
    OWI_REQUIRE(evaluator != NULL);
    OWI_TRY(owi_call_begin(&own, evaluator->circuit->ctx, call));
    return owi_evaluate(&own, evaluator, n_rows, rows, log_class);
}

ow_status ow_evaluator_evaluate_soft(ow_evaluator *evaluator, size_t n_rows,
                                     const float *soft, const ow_call *call,
                                     double *log_class)
{
    owi_call own;
    OWI_REQUIRE(evaluator != NULL);
    OWI_TRY(owi_call_begin(&own, evaluator->circuit->ctx, call));
    return owi_evaluate_soft(&own, evaluator, n_rows, soft, log_class);
}
