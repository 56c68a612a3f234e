/* SPDX-License-Identifier: MIT */
/* Replicas of the circuit in a model file.  They have the sizes and the prior of the
 * model's circuit, so that each of their tensors is that of the circuit with one more
 * dimension in front. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "model/file/model_file.h"

/* The arrays of a circuit that make it what it is, those of its regions first. */
typedef struct {
    const char *name;
    owi_tensor_type type;
    size_t element, n;
    void *at;
} part;

enum { n_region_parts = 2, n_parts = owi_n_replica_tensors };

static void list_parts(const ow_circuit *circuit, part parts[n_parts])
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t n_regions = regions->n_copies * regions->n_regions;
    const ow_circuit_spec *spec = &circuit->spec;
    const part all[n_parts] = {
        {"replicas.region_start", OWI_TENSOR_U32, 4, n_regions + 1, regions->start},
        {"replicas.region_columns", OWI_TENSOR_U32, 4,
         regions->n_copies * spec->repetitions * spec->n_columns, regions->columns},
        {"replicas.shift", OWI_TENSOR_F32, 4, spec->n_columns, circuit->shift},
        {"replicas.leaf", OWI_TENSOR_F32, 4, circuit->n_leaf, circuit->leaf},
        {"replicas.log_weight", OWI_TENSOR_F32, 4, circuit->n_weights, circuit->log_weight},
    };
    memcpy(parts, all, sizeof all);
}

/* ---- Writing ---- */

ow_status owi_replica_tensors(const ow_model *model, owi_tensor *tensors, void **block)
{
    const size_t K = model->replicas.n;
    part parts[n_parts];
    size_t size = 0;
    list_parts(model->circuit, parts);
    for (size_t p = 0; p < n_parts; p++) size += K * parts[p].n * parts[p].element;
    char *at = owi_alloc_array(model->ctx, size, 1);
    *block = at;
    if (at == NULL) return OW_ERR_MEMORY;
    for (size_t p = 0; p < n_parts; p++) {
        const size_t bytes = parts[p].n * parts[p].element;
        tensors[p] = (owi_tensor){parts[p].name, parts[p].type, 2, {K, parts[p].n}, at};
        for (size_t k = 0; k < K; k++, at += bytes) {
            part own[n_parts];
            list_parts(model->replicas.circuits[k], own);
            memcpy(at, own[p].at, bytes);
        }
    }
    return OW_OK;
}

/* ---- Reading ---- */

static ow_status damaged(const owi_safetensors *file)
{
    return owi_fail(OW_ERR_FORMAT, "%s: the replicas are damaged", file->name);
}

/* The regions of a replica are read.  Trees are those of the model's circuit. */
static ow_status finish_regions(const owi_safetensors *file, const ow_model *model,
                                ow_circuit *circuit)
{
    part own[n_parts], models[n_parts];
    if (!owi_circuit_is_tree(circuit)) {
        OWI_TRY(owi_model_file_blame(
            file, owi_region_graph_check(&circuit->regions, model->ctx, &circuit->spec)));
        return owi_circuit_finish(circuit);
    }
    list_parts(circuit, own);
    list_parts(model->circuit, models);
    for (size_t p = 0; p < n_region_parts; p++)
        if (memcmp(own[p].at, models[p].at, own[p].n * own[p].element) != 0)
            return damaged(file);
    return OW_OK;
}

/* One tensor into all replicas. */
static ow_status read_part(const owi_safetensors *file, ow_model *model, size_t p)
{
    const size_t K = model->replicas.n;
    part parts[n_parts];
    list_parts(model->circuit, parts);
    const size_t bytes = parts[p].n * parts[p].element;
    char *all = owi_alloc_array(model->ctx, K, bytes);
    if (all == NULL) return OW_ERR_MEMORY;
    const ow_status status =
        owi_safetensors_read(file, parts[p].name, parts[p].type, K * parts[p].n, all);
    for (size_t k = 0; k < K && status == OW_OK; k++) {
        list_parts(model->replicas.circuits[k], parts);
        memcpy(parts[p].at, all + k * bytes, bytes);
    }
    owi_free(model->ctx, all);
    return status;
}

ow_status owi_model_read_replicas(const owi_safetensors *file, ow_model *model)
{
    enum { most = 64 };
    size_t count;
    part parts[n_parts];
    list_parts(model->circuit, parts);
    if (!owi_safetensors_has(file, parts[0].name)) return OW_OK;
    OWI_TRY(owi_safetensors_count(file, parts[0].name, parts[0].type, &count));
    const size_t K = count / parts[0].n;
    if (K * parts[0].n != count || K > most) return damaged(file);
    OWI_TRY(owi_replicas_new(model, K));
    const bool trees = owi_circuit_is_tree(model->circuit);
    for (size_t k = 0; k < K; k++)
        OWI_TRY((trees ? ow_circuit_new : owi_circuit_alloc)(
            model->ctx, &model->circuit->spec, &model->replicas.circuits[k]));
    for (size_t p = 0; p < n_region_parts; p++) OWI_TRY(read_part(file, model, p));
    for (size_t k = 0; k < K; k++)
        OWI_TRY(finish_regions(file, model, model->replicas.circuits[k]));
    for (size_t p = n_region_parts; p < n_parts; p++) OWI_TRY(read_part(file, model, p));
    for (size_t k = 0; k < K; k++) {
        OWI_TRY(owi_circuit_check_parameters(model->replicas.circuits[k], file->name));
        owi_circuit_prepare(NULL, model->replicas.circuits[k]);
    }
    return OW_OK;
}
