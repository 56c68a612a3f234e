/* SPDX-License-Identifier: MIT */
#include "model/train/replicas.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/rows/bootstrap_source.h"
#include "model/train/train_circuit.h"

static ow_status learn_replica(owi_training *t, const owi_call *call,
                               const owi_train_rules *rules, ow_pooling pooling,
                               size_t number, float *block, ow_circuit **circuit)
{
    owi_train_rules own = *rules;
    owi_bootstrap sample = {
        .from = &t->train,
        .n_columns = t->model->plan.width,
        .seed = t->call->seed ^ (0xb007 + number),
        .rate = fmin(1.0, owi_replica_rows / (double)t->rows.n_train),
        .rare = t->rare,
        .block = block,
    };
    owi_bootstrap_rows kept;
    own.circuit.seed = rules->circuit.seed + 101 + number; /* regions of its own */
    ow_status status = owi_bootstrap_keep(call, &sample, &kept);
    ow_row_array array = {kept.n_rows, sample.n_columns, kept.rows, kept.classes, 0};
    const ow_row_source source = ow_row_source_of_array(&array);
    if (status == OW_OK) status = owi_training_circuit_new(t, call, &own, &source, circuit);
    if (status == OW_OK)
        status = owi_training_learn(t, call, &own, &source, *circuit, &pooling);
    owi_free(t->ctx, kept.rows);
    owi_free(t->ctx, kept.classes);
    return status;
}

ow_status owi_model_set_replicas(owi_training *t, const owi_call *call,
                                 const owi_train_rules *rules, const ow_pooling *pooling)
{
    owi_train_rules own = *rules;
    own.learn.prior_rows = pooling->prior_rows;
    own.circuit.depth = ow_circuit_get_spec(t->model->circuit)->depth;
    /* The trees are the model's, so that a file need not keep others. */
    own.circuit.parents = t->model->circuit->spec.parents;
    if (t->model->network != NULL) return OW_OK; /* which decides otherwise */
    ow_circuit *circuits[owi_n_replicas] = {NULL};
    float *block =
        owi_alloc_array(t->ctx, owi_bootstrap_block * t->model->plan.width, sizeof *block);
    ow_status status = block != NULL ? OW_OK : OW_ERR_MEMORY;
    for (size_t k = 0; k < owi_n_replicas && status == OW_OK; k++) {
        const owi_call part = owi_call_part(call, k, 1, owi_n_replicas);
        status = learn_replica(t, &part, &own, *pooling, k, block, &circuits[k]);
    }
    if (status == OW_OK) status = owi_replicas_pack(t->model, owi_n_replicas, circuits);
    for (size_t k = 0; k < owi_n_replicas; k++) ow_circuit_free(circuits[k]);
    owi_free(t->ctx, block);
    return status;
}
