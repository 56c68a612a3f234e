/* SPDX-License-Identifier: MIT */
/* log S(x_q given x_e) = log S(x_q, x_e) - log S(x_e): two passes over the same rows, the
 * second with the query left out. */
#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/threads/parallel.h"
#include "circuit/pass/evaluator.h"

typedef struct {
    ow_evaluator *evaluator;
    const float *rows;
    const bool *evidence;
    double *log_class, *log_density; /* either may be NULL */
    /* Of each worker, for a chunk: */
    float *known; /* (chunk, columns): the evidence alone                         */
    double *
        /* (2, chunk, C): log S(x given c) of all that is there, and of the evidence */
        joint;
} job;

static double given(double joint, double evidence)
{
    return evidence > -INFINITY ? joint - evidence : -INFINITY;
}

static ow_status condition_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    owi_pass *pass = &work->evaluator->passes[chunk->worker];
    const ow_circuit *circuit = pass->circuit;
    const size_t d = circuit->spec.n_columns, C = circuit->spec.n_classes;
    const float *rows = work->rows + chunk->first * d;
    float *known = work->known + chunk->worker * owi_evaluator_chunk * d;
    double *joint = work->joint + chunk->worker * 2 * owi_evaluator_chunk * C;
    double *evidence = joint + owi_evaluator_chunk * C;

    for (size_t i = 0; i < chunk->n * d; i++)
        known[i] = work->evidence[i % d] ? rows[i] : NAN;
    OWI_TRY(owi_pass_forward(pass, chunk->n, rows, chunk->first));
    owi_pass_log_classes(pass, joint);
    OWI_TRY(owi_pass_forward(pass, chunk->n, known, chunk->first));
    owi_pass_log_classes(pass, evidence);
    for (size_t i = 0; i < chunk->n * C && work->log_class != NULL; i++)
        work->log_class[chunk->first * C + i] = given(joint[i], evidence[i]);
    for (size_t row = 0; row < chunk->n && work->log_density != NULL; row++) {
        double log_joint, log_evidence;
        ow_circuit_posterior(circuit, 1, joint + row * C, &log_joint, NULL);
        ow_circuit_posterior(circuit, 1, evidence + row * C, &log_evidence, NULL);
        work->log_density[chunk->first + row] = given(log_joint, log_evidence);
    }
    return OW_OK;
}

ow_status ow_evaluator_condition(ow_evaluator *evaluator, size_t n_rows, const float *rows,
                                 const bool *evidence, const ow_call *call,
                                 double *log_class, double *log_density)
{
    OWI_REQUIRE(evaluator != NULL && evidence != NULL);
    OWI_REQUIRE(n_rows == 0 || rows != NULL);
    owi_call own;
    OWI_TRY(owi_call_begin(&own, evaluator->circuit->ctx, call));
    OWI_TRY(owi_evaluator_prepare(&own, evaluator, n_rows, false));
    const ow_circuit *circuit = evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    const size_t n =
        owi_parallel_workers(&own, n_rows, owi_evaluator_chunk) * owi_evaluator_chunk;
    job work = {evaluator,
                rows,
                evidence,
                log_class,
                log_density,
                owi_alloc_array(ctx, n * circuit->spec.n_columns, sizeof(float)),
                owi_alloc_array(ctx, 2 * n * circuit->spec.n_classes, sizeof(double))};
    ow_status status = OW_ERR_MEMORY;
    if (work.known != NULL && work.joint != NULL)
        status =
            owi_parallel_rows(&own, n_rows, owi_evaluator_chunk, condition_chunk, &work);
    owi_free(ctx, work.known);
    owi_free(ctx, work.joint);
    return status;
}
