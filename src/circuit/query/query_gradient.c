/* SPDX-License-Identifier: MIT */
/* Gradients with respect to the inputs: seeds at the roots, one pass down for each mix.
 *
 * Where every class has a sub-circuit of its own, and nobody asks for more than the
 * classes' own factors, most sub-circuits have nothing to do with a row: then each is run
 * for those rows only that have a factor for it. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "circuit/device/device_pass.h"

typedef struct {
    const owi_call *call;
    ow_evaluator *evaluator;
    owi_row_request asked;
    size_t width;      /* of a row                                                */
    double *log_class; /* may be NULL */
    size_t n_mixes;
    const ow_mix *mixes;
    float *gradients;
} job;

static double class_factor(const job *work, size_t m, size_t row, size_t c)
{
    const double *factors = work->mixes[m].class_factor;
    return factors != NULL ? factors[row * work->evaluator->circuit->spec.n_classes + c]
                           : 0.0;
}

/* ---- All sub-circuits ---- */

/* A class of so small a posterior leaves nothing in a sum of floats, and its sub-circuit,
 * if it has one of its own, nothing to do. */
static const double least_posterior = 1.5e-8; /* 2^-26 */

/* Seeds of row i of the pass: the class factors, and density_factor times the posterior,
 * which is the derivative of log S(x) = log sum_c P(c) S(x given c). */
static void seed_row(const job *work, owi_pass *pass, size_t i, size_t m, size_t row)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t C = circuit->spec.n_classes;
    const double density_factor = work->mixes[m].density_factor;
    double *log_class = pass->class_row, *posterior = log_class + C;

    if (density_factor != 0.0) {
        for (size_t c = 0; c < C; c++) log_class[c] = owi_pass_log_class(pass, i, c);
        ow_circuit_posterior(circuit, 1, log_class, NULL, posterior);
    }
    for (size_t c = 0; c < C; c++) {
        double seed = class_factor(work, m, row, c);
        if (density_factor != 0.0 && posterior[c] >= least_posterior)
            seed += density_factor * posterior[c];
        owi_pass_set_adjoint(pass, i, c, (float)seed);
    }
}

static ow_status differentiate_chunk(void *user, const owi_chunk *chunk)
{
    const job *work = user;
    owi_pass *pass = &work->evaluator->passes[chunk->worker];
    const size_t d = work->width;

    OWI_TRY(owi_evaluator_forward(work->evaluator, chunk, &work->asked, work->log_class));
    if (work->asked.decide != NULL)
        work->asked.decide(work->asked.user, chunk->first, chunk->n);
    for (size_t m = 0; m < work->n_mixes; m++) {
        owi_pass_clear_adjoints(pass);
        for (size_t i = 0; i < chunk->n; i++) seed_row(work, pass, i, m, chunk->first + i);
        owi_pass_backward(pass, NULL);
        owi_pass_gradient(pass,
                          work->gradients + (m * work->asked.n_rows + chunk->first) * d);
    }
    return OW_OK;
}

/* ---- Each sub-circuit for its own rows ---- */

typedef struct {
    const job *work;
    size_t c;             /* the class whose sub-circuit runs                     */
    size_t most;          /* rows of a chunk                                      */
    const size_t *listed; /* numbers of the rows                                  */
    float *room;          /* (workers, 2, most, columns): rows and their gradient */
} class_job;

static ow_status class_chunk(void *user, const owi_chunk *chunk)
{
    const class_job *own = user;
    const job *work = own->work;
    owi_pass *pass = &work->evaluator->passes[chunk->worker];
    const size_t d = work->width;
    const size_t *listed = own->listed + chunk->first;
    float *rows = own->room + 2 * chunk->worker * own->most * d;
    float *gradient = rows + own->most * d;

    for (size_t i = 0; i < chunk->n; i++)
        memcpy(rows + i * d, work->asked.rows + listed[i] * d, d * sizeof *rows);
    OWI_TRY(owi_pass_forward_some(pass, chunk->n, rows, work->asked.soft, 0, own->c, 1));
    for (size_t m = 0; m < work->n_mixes; m++) {
        owi_pass_clear_adjoints(pass);
        for (size_t i = 0; i < chunk->n; i++)
            owi_pass_set_adjoint(pass, i, own->c,
                                 (float)class_factor(work, m, listed[i], own->c));
        owi_pass_backward(pass, NULL);
        owi_pass_gradient(pass, gradient);
        for (size_t i = 0; i < chunk->n; i++) {
            float *sum = work->gradients + (m * work->asked.n_rows + listed[i]) * d;
            for (size_t j = 0; j < d; j++) sum[j] += gradient[i * d + j];
        }
    }
    return OW_OK;
}

/* Which rows need class c; those that need none are looked at by class 0, for a value that
 * cannot be.  Returns how many; listed may be NULL. */
static size_t list_rows(const job *work, size_t c, size_t *listed)
{
    const size_t C = work->evaluator->circuit->spec.n_classes;
    size_t n = 0;
    for (size_t row = 0; row < work->asked.n_rows; row++) {
        bool own = false, any = false;
        for (size_t m = 0; m < work->n_mixes; m++) {
            own |= class_factor(work, m, row, c) != 0.0;
            for (size_t other = 0; c == 0 && other < C; other++)
                any |= class_factor(work, m, row, other) != 0.0;
        }
        if (!own && (c > 0 || any)) continue;
        if (listed != NULL) listed[n] = row;
        n++;
    }
    return n;
}

/* Whether that saves a quarter of the work or more. */
static bool is_sparse(const job *work)
{
    const ow_circuit_spec *spec = &work->evaluator->circuit->spec;
    size_t n = 0;
    if (spec->structure != OW_STRUCTURE_PER_CLASS || work->log_class != NULL) return false;
    for (size_t m = 0; m < work->n_mixes; m++)
        if (work->mixes[m].density_factor != 0.0) return false;
    for (size_t c = 0; c < spec->n_classes; c++) n += list_rows(work, c, NULL);
    return n <= work->asked.n_rows * spec->n_classes / 4 * 3;
}

static ow_status differentiate_by_class(const job *work)
{
    const ow_circuit *circuit = work->evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    const size_t d = work->width;
    const size_t most = owi_smaller(owi_evaluator_chunk, work->asked.n_rows);
    size_t *listed = owi_alloc_array(ctx, work->asked.n_rows, sizeof *listed);
    class_job own = {.work = work, .most = most, .listed = listed};
    own.room =
        owi_alloc_array(ctx, 2 * work->evaluator->n_passes * most * d, sizeof *own.room);

    ow_status status = listed != NULL && own.room != NULL ? OW_OK : OW_ERR_MEMORY;
    memset(work->gradients, 0,
           work->n_mixes * work->asked.n_rows * d * sizeof *work->gradients);
    for (; own.c < circuit->spec.n_classes && status == OW_OK; own.c++) {
        const size_t n = list_rows(work, own.c, listed);
        status = owi_parallel_rows(work->call, n, owi_evaluator_chunk, class_chunk, &own);
    }
    owi_free(ctx, own.room);
    owi_free(ctx, listed);
    return status;
}

ow_status owi_differentiate_rows(const owi_call *call, ow_evaluator *evaluator,
                                 owi_row_request asked, size_t n_mixes, const ow_mix *mixes,
                                 double *log_class, float *gradients)
{
    const size_t n = asked.n_rows;
    job work = {.call = call,
                .evaluator = evaluator,
                .asked = asked,
                .width = owi_circuit_row_width(evaluator->circuit, asked.soft),
                .log_class = log_class,
                .n_mixes = n_mixes,
                .mixes = mixes,
                .gradients = gradients};
    OWI_REQUIRE(n == 0 || asked.rows != NULL);
    OWI_REQUIRE(asked.decide == NULL || log_class != NULL);
    OWI_REQUIRE(n == 0 || n_mixes == 0 || (mixes != NULL && gradients != NULL));
    if (evaluator->device != NULL && owi_device_serves(evaluator->circuit, &asked))
        return owi_device_differentiate(call, evaluator->device, &asked, n_mixes, mixes,
                                        log_class, gradients);
    OWI_TRY(owi_evaluator_prepare(call, evaluator, n, asked.in_tiles));
    if (n > 0 && n_mixes > 0 && is_sparse(&work)) {
        const ow_status status = differentiate_by_class(&work);
        /* A value that cannot be: once more, for the sentence with the row's own number. */
        if (status != OW_ERR_NUMERIC) return status;
    }
    return owi_parallel_rows(call, n,
                             owi_evaluator_chunk_rows(evaluator, n, asked.in_tiles),
                             differentiate_chunk, &work);
}

ow_status owi_differentiate_soft(const owi_call *call, ow_evaluator *evaluator,
                                 size_t n_rows, const float *soft, size_t n_mixes,
                                 const ow_mix *mixes, double *log_class, float *gradients)
{
    const owi_row_request asked = {.n_rows = n_rows,
                                   .rows = soft,
                                   .soft = evaluator->circuit->has_levels};
    return owi_differentiate_rows(call, evaluator, asked, n_mixes, mixes, log_class,
                                  gradients);
}

ow_status ow_evaluator_differentiate(ow_evaluator *evaluator, size_t n_rows,
                                     const float *rows, size_t n_mixes, const ow_mix *mixes,
                                     const ow_call *call, double *log_class,
                                     float *gradients)
{
    owi_call own;
    OWI_REQUIRE(evaluator != NULL);
    OWI_TRY(owi_call_begin(&own, evaluator->circuit->ctx, call));
    const owi_row_request asked = {.n_rows = n_rows, .rows = rows};
    return owi_differentiate_rows(&own, evaluator, asked, n_mixes, mixes, log_class,
                                  gradients);
}

ow_status ow_evaluator_differentiate_soft(ow_evaluator *evaluator, size_t n_rows,
                                          const float *soft, size_t n_mixes,
                                          const ow_mix *mixes, const ow_call *call,
                                          double *log_class, float *gradients)
{
    owi_call own;
    OWI_REQUIRE(evaluator != NULL);
    OWI_TRY(owi_call_begin(&own, evaluator->circuit->ctx, call));
    return owi_differentiate_soft(&own, evaluator, n_rows, soft, n_mixes, mixes, log_class,
                                  gradients);
}
