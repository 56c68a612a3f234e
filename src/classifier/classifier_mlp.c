/* SPDX-License-Identifier: MIT */
/* A network as a classifier: P(c given x) is the softmax of its outputs. */
#include "classifier/classifier_mlp.h"

#include <math.h>

#include "base/error.h"

typedef struct {
    size_t n_classes;
    const double *factor; /* n_rows x classes; NULL where nobody asks for a gradient */
    double *log_proba;    /* likewise; may be NULL                                   */
} job;

/* log P(c) = out_c - log sum_k exp out_k;  d/d out_c of sum_k f_k log P(k) = f_c - P(c)
 * sum_k f_k. */
static void flow_of(void *user, size_t row, const float *out, float *flow)
{
    const job *work = user;
    const size_t C = work->n_classes;
    double top = -INFINITY, sum = 0.0, total = 0.0;
    for (size_t c = 0; c < C; c++) top = fmax(top, (double)out[c]);
    for (size_t c = 0; c < C; c++) sum += exp((double)out[c] - top);
    const double log_sum = top + log(sum);
    for (size_t c = 0; c < C && work->log_proba != NULL; c++)
        work->log_proba[row * C + c] = (double)out[c] - log_sum;
    if (work->factor == NULL) return;
    const double *factor = work->factor + row * C;
    for (size_t c = 0; c < C; c++) total += factor[c];
    for (size_t c = 0; c < C; c++)
        flow[c] = (float)(factor[c] - exp((double)out[c] - log_sum) * total);
}

static ow_status classify(const owi_call *call, ow_classifier *classifier,
                          owi_row_request asked, double *log_proba)
{
    job work = {.n_classes = classifier->n_classes, .log_proba = log_proba};
    return owi_mlp_backward_input(call, classifier->self, asked.n_rows, asked.rows, flow_of,
                                  &work, NULL);
}

static ow_status differentiate(const owi_call *call, ow_classifier *classifier,
                               owi_row_request asked, const double *factor,
                               double *log_proba, float *gradient)
{
    job work = {classifier->n_classes, factor, log_proba};
    return owi_mlp_backward_input(call, classifier->self, asked.n_rows, asked.rows, flow_of,
                                  &work, gradient);
}

static void release(ow_classifier *classifier)
{
    owi_mlp_runner_free(classifier->self);
}

ow_status owi_classifier_from_mlp(const owi_mlp *mlp, const char *backend,
                                  ow_classifier **out)
{
    static const owi_classifier_kind kind = {.classify = classify,
                                             .differentiate = differentiate,
                                             .release = release};
    owi_mlp_runner *runner = NULL;
    *out = NULL;
    OWI_REQUIRE(mlp->spec.output == OWI_MLP_CLASSES);
    OWI_TRY(owi_mlp_runner_new(mlp, backend, &runner));
    const ow_classifier own = {.kind = &kind,
                               .ctx = mlp->ctx,
                               .n_classes = owi_mlp_n_outputs(mlp),
                               .width = owi_mlp_n_inputs(mlp),
                               .self = runner};
    return owi_classifier_new(&own, out);
}
