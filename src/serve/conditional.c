/* SPDX-License-Identifier: MIT */
#include "serve/conditional.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal/memory.h"

ow_status conditional_init(conditional *c, const ow_model *model, size_t most_rows,
                           uint64_t seed)
{
    const size_t n = most_rows * conditional_samples;
    *c = (conditional){.model = model,
                       .n_columns = ow_schema_n_columns(ow_model_schema(model)),
                       .n_classes = ow_schema_n_classes(ow_model_schema(model)),
                       .width = ow_circuit_get_spec(ow_model_circuit(model))->n_columns,
                       .seed = seed};
    c->encoded = memory_new(n * c->width + 1, sizeof *c->encoded);
    c->values = memory_new(n * c->n_columns + 1, sizeof *c->values);
    c->proba = memory_new(n * c->n_classes + 1, sizeof *c->proba);
    return ow_evaluator_new(ow_model_circuit(model), NULL, &c->evaluator);
}

void conditional_clear(conditional *c)
{
    ow_evaluator_free(c->evaluator);
    free(c->encoded);
    free(c->values);
    free(c->proba);
}

/* What is known stays as it was given: the circuit's encoding rounds numbers. */
static void keep_known(double *values, const double *row, size_t n_columns)
{
    for (size_t j = 0; j < n_columns; j++)
        if (!isnan(row[j])) values[j] = row[j];
}

ow_status conditional_predict(conditional *c, ow_predictor *predictor, size_t n,
                              const double *rows, const ow_call *call, double *proba)
{
    const size_t N = n * conditional_samples;
    ow_call own = {.size = sizeof own};
    if (call != NULL) own = *call;
    own.seed = c->seed++;
    for (size_t i = 0; i < N; i++)
        memcpy(c->values + i * c->n_columns, rows + i / conditional_samples * c->n_columns,
               c->n_columns * sizeof *c->values);
    ow_model_encode(c->model, N, c->values, c->encoded);
    ow_status status = ow_evaluator_sample(c->evaluator, N, &own, c->encoded, NULL);
    if (status != OW_OK) return status;
    ow_model_decode(c->model, N, c->encoded, c->values);
    for (size_t i = 0; i < N; i++)
        keep_known(c->values + i * c->n_columns,
                   rows + i / conditional_samples * c->n_columns, c->n_columns);
    const ow_predictions wanted = {.size = sizeof wanted, .proba = c->proba};
    status = ow_predictor_predict(predictor, N, c->values, call, &wanted);
    memset(proba, 0, n * c->n_classes * sizeof *proba);
    for (size_t i = 0; i < N && status == OW_OK; i++)
        for (size_t k = 0; k < c->n_classes; k++)
            proba[i / conditional_samples * c->n_classes + k] +=
                c->proba[i * c->n_classes + k] / conditional_samples;
    return status;
}
