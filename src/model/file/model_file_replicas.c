/* SPDX-License-Identifier: MIT */
/* Replicas of the circuit, packed, in memory and in a model file.  They have the sizes and
 * the prior of the model's circuit, so that each of their tensors is that of the circuit
 * with one more dimension in front.  Making circuits of them takes longer than loading all
 * else of a small model, so that it is left to those who ask for robust answers. */
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

/* Bytes of the parts of n replicas before part p; n_parts: of all. */
static size_t bytes_before(const ow_model *model, size_t n, size_t p)
{
    part parts[n_parts];
    size_t bytes = 0;
    list_parts(model->circuit, parts);
    for (size_t q = 0; q < p; q++) bytes += n * parts[q].n * parts[q].element;
    return bytes;
}

/* Part p of replica k. */
static char *packed_part(const ow_model *model, size_t p, size_t k, size_t bytes)
{
    return model->replicas.packed + bytes_before(model, model->replicas.n, p) + k * bytes;
}

static ow_status make_room(ow_model *model, size_t n)
{
    owi_replicas_free(model);
    model->replicas.packed =
        owi_alloc_array(model->ctx, bytes_before(model, n, n_parts), 1);
    if (model->replicas.packed == NULL) return OW_ERR_MEMORY;
    model->replicas.n = n;
    return OW_OK;
}

/* ---- Packing ---- */

ow_status owi_replicas_pack(ow_model *model, size_t n, ow_circuit *const *circuits)
{
    OWI_TRY(make_room(model, n));
    for (size_t k = 0; k < n; k++) {
        part parts[n_parts];
        list_parts(circuits[k], parts);
        for (size_t p = 0; p < n_parts; p++) {
            const size_t bytes = parts[p].n * parts[p].element;
            memcpy(packed_part(model, p, k, bytes), parts[p].at, bytes);
        }
    }
    return OW_OK;
}

void owi_replicas_free(ow_model *model)
{
    owi_free(model->ctx, model->replicas.packed);
    model->replicas = (owi_replicas){0};
}

static void unpack(const ow_model *model, size_t k, size_t first, size_t end,
                   ow_circuit *circuit)
{
    part parts[n_parts];
    list_parts(circuit, parts);
    for (size_t p = first; p < end; p++) {
        const size_t bytes = parts[p].n * parts[p].element;
        memcpy(parts[p].at, packed_part(model, p, k, bytes), bytes);
    }
}

/* Whether the regions are possible.  Trees are those of the model's circuit. */
static bool has_regions(const ow_model *model, const ow_circuit *circuit)
{
    part own[n_parts], models[n_parts];
    if (!owi_circuit_is_tree(circuit))
        return owi_region_graph_check(&circuit->regions, model->ctx, &circuit->spec) ==
               OW_OK;
    list_parts(circuit, own);
    list_parts(model->circuit, models);
    for (size_t p = 0; p < n_region_parts; p++)
        if (memcmp(own[p].at, models[p].at, own[p].n * own[p].element) != 0) return false;
    return true;
}

/* The file may hold anything: what it says of regions and parameters is checked here. */
static ow_status unpack_checked(const ow_model *model, size_t k, ow_circuit *circuit)
{
    static const char name[] = "the model's replicas";
    unpack(model, k, 0, n_region_parts, circuit);
    if (!has_regions(model, circuit))
        return owi_fail(OW_ERR_FORMAT, "%s are damaged", name);
    if (!owi_circuit_is_tree(circuit)) OWI_TRY(owi_circuit_finish(circuit));
    unpack(model, k, n_region_parts, n_parts, circuit);
    memcpy(circuit->log_prior, model->circuit->log_prior,
           circuit->spec.n_classes * sizeof *circuit->log_prior);
    OWI_TRY(owi_circuit_check_parameters(circuit, name));
    owi_circuit_prepare(NULL, circuit);
    return OW_OK;
}

ow_status owi_replica_new(const ow_model *model, size_t k, ow_circuit **out)
{
    *out = NULL;
    const bool is_tree = owi_circuit_is_tree(model->circuit);
    OWI_TRY((is_tree ? ow_circuit_new : owi_circuit_alloc)(model->ctx,
                                                           &model->circuit->spec, out));
    const ow_status status = unpack_checked(model, k, *out);
    if (status != OW_OK) {
        ow_circuit_free(*out);
        *out = NULL;
    }
    return status;
}

/* ---- The file ---- */

void owi_replica_tensors(const ow_model *model, owi_tensor *tensors)
{
    part parts[n_parts];
    list_parts(model->circuit, parts);
    for (size_t p = 0; p < n_parts; p++)
        tensors[p] = (owi_tensor){parts[p].name,
                                  parts[p].type,
                                  2,
                                  {model->replicas.n, parts[p].n},
                                  packed_part(model, p, 0, 0)};
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
    if (K * parts[0].n != count || K > most)
        return owi_fail(OW_ERR_FORMAT, "%s: the replicas are damaged", file->name);
    OWI_TRY(make_room(model, K));
    for (size_t p = 0; p < n_parts; p++)
        OWI_TRY(owi_safetensors_read(file, parts[p].name, parts[p].type, K * parts[p].n,
                                     packed_part(model, p, 0, 0)));
    return OW_OK;
}
