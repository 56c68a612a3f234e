/* SPDX-License-Identifier: MIT */
#include "circuit/evaluator.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

const char *ow_backend_name(size_t index)
{
    const owi_backend *backend = owi_backend_get(index);
    return backend != NULL ? backend->name : NULL;
}

/* "cpu, cpu-avx512, ..., ref" */
static void list_backends(char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "cpu");
    for (size_t i = 0; owi_backend_get(i) != NULL && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, ", %s", owi_backend_get(i)->name);
}

ow_status ow_evaluator_new(const ow_circuit *circuit, const char *backend,
                           ow_evaluator **out)
{
    OWI_REQUIRE(circuit != NULL && out != NULL);
    *out = NULL;
    const owi_backend *found = owi_backend_find(backend != NULL ? backend : "cpu");
    if (found == NULL) {
        char names[256];
        list_backends(names, sizeof names);
        return owi_fail(OW_ERR_UNSUPPORTED, "no backend %s on this machine; there are %s",
                        backend, names);
    }
    ow_evaluator *evaluator = owi_alloc_zeroed(circuit->ctx, sizeof *evaluator);
    if (evaluator == NULL) return OW_ERR_MEMORY;
    evaluator->circuit = circuit;
    evaluator->backend = found;
    const ow_status status = owi_evaluator_prepare(evaluator, 1);
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
    owi_free(ctx, evaluator->passes);
    owi_free(ctx, evaluator);
}

ow_status owi_evaluator_prepare(ow_evaluator *evaluator, size_t n_rows)
{
    ow_context *ctx = evaluator->circuit->ctx;
    const size_t n_workers = owi_parallel_workers(ctx, n_rows, owi_evaluator_chunk);
    if (n_workers <= evaluator->n_passes) return OW_OK;

    owi_pass *passes =
        owi_resize_array(ctx, evaluator->passes, n_workers, sizeof *evaluator->passes);
    if (passes == NULL) return OW_ERR_MEMORY;
    evaluator->passes = passes;
    while (evaluator->n_passes < n_workers) {
        OWI_TRY(owi_pass_init(&passes[evaluator->n_passes], evaluator->circuit,
                              evaluator->backend, owi_evaluator_chunk, true));
        evaluator->n_passes++;
    }
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

typedef struct {
    ow_evaluator *evaluator;
    const float *rows;
    double *log_class; /* may be NULL when differentiating */
    size_t n_mixes, n_rows;
    const ow_mix *mixes;
    float *gradients;
} job;

static ow_status forward_chunk(const job *work, const owi_chunk *chunk, owi_pass *pass)
{
    const ow_circuit *circuit = pass->circuit;

    OWI_TRY(owi_pass_forward(
        pass, chunk->n, work->rows + chunk->first * circuit->spec.n_columns, chunk->first));
    if (work->log_class != NULL)
        owi_pass_log_classes(pass,
                             work->log_class + chunk->first * circuit->spec.n_classes);
    return OW_OK;
}

static ow_status evaluate_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    return forward_chunk(work, chunk, &work->evaluator->passes[chunk->worker]);
}

ow_status ow_evaluate(ow_evaluator *evaluator, size_t n_rows, const float *rows,
                      double *log_class)
{
    OWI_REQUIRE(evaluator != NULL);
    OWI_REQUIRE(n_rows == 0 || (rows != NULL && log_class != NULL));
    OWI_TRY(owi_evaluator_prepare(evaluator, n_rows));
    job work = {.evaluator = evaluator, .rows = rows, .log_class = log_class};
    return owi_parallel_rows(evaluator->circuit->ctx, n_rows, owi_evaluator_chunk,
                             evaluate_chunk, &work);
}

/* ---- Gradients ---- */

/* Seeds of one row: the class factors, and density_factor times the posterior, which is the derivative of
 * log S(x) = log sum_c P(c) S(x given c). */
static void seed_row(owi_pass *pass, size_t row, const ow_mix *mix,
                     const double *class_factor)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes;
    double *log_class = pass->class_row, *posterior = log_class + C;

    for (size_t c = 0; c < C; c++) log_class[c] = owi_pass_log_class(pass, row, c);
    ow_circuit_posterior(circuit, 1, log_class, NULL, posterior);
    for (size_t c = 0; c < C; c++) {
        double seed = mix->density_factor * posterior[c];
        if (class_factor != NULL) seed += class_factor[c];
        owi_pass_set_seed(pass, row, c, (float)seed);
    }
}

static ow_status differentiate_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    owi_pass *pass = &work->evaluator->passes[chunk->worker];
    const size_t C = pass->circuit->spec.n_classes, d = pass->circuit->spec.n_columns;

    OWI_TRY(forward_chunk(work, chunk, pass));
    for (size_t m = 0; m < work->n_mixes; m++) {
        const ow_mix *mix = &work->mixes[m];
        owi_pass_clear_seeds(pass);
        for (size_t row = 0; row < chunk->n; row++)
            seed_row(pass, row, mix,
                     mix->class_factor != NULL
                         ? mix->class_factor + (chunk->first + row) * C
                         : NULL);
        owi_pass_backward(pass, NULL);
        owi_pass_gradient(pass, work->gradients + (m * work->n_rows + chunk->first) * d);
    }
    return OW_OK;
}

ow_status ow_differentiate(ow_evaluator *evaluator, size_t n_rows, const float *rows,
                           size_t n_mixes, const ow_mix *mixes, double *log_class,
                           float *gradients)
{
    OWI_REQUIRE(evaluator != NULL);
    OWI_REQUIRE(n_rows == 0 || rows != NULL);
    OWI_REQUIRE(n_rows == 0 || n_mixes == 0 || (mixes != NULL && gradients != NULL));
    OWI_TRY(owi_evaluator_prepare(evaluator, n_rows));
    job work = {evaluator, rows, log_class, n_mixes, n_rows, mixes, gradients};
    return owi_parallel_rows(evaluator->circuit->ctx, n_rows, owi_evaluator_chunk,
                             differentiate_chunk, &work);
}
