/* SPDX-License-Identifier: MIT */
#include "network/mlp.h"

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

/* More parameters than this are a mistake. */
static const size_t most_parameters = (size_t)1 << 28;

bool owi_mlp_spec_fill(owi_mlp_spec *spec, owi_mlp_output output, size_t n_inputs,
                       size_t n_hidden, const size_t *hidden, size_t n_outputs)
{
    *spec = (owi_mlp_spec){.output = output};
    if (n_hidden >= owi_mlp_most_layers) return false;
    spec->n_layers = n_hidden + 1;
    spec->sizes[0] = n_inputs;
    for (size_t l = 0; l < n_hidden; l++) spec->sizes[l + 1] = hidden[l];
    spec->sizes[n_hidden + 1] = n_outputs;
    return true;
}

static ow_status count_parameters(const owi_mlp_spec *spec, size_t *n_parameters,
                                  size_t *widest)
{
    *n_parameters = *widest = 0;
    for (size_t l = 0; l <= spec->n_layers; l++) {
        const size_t size = spec->sizes[l];
        size_t n;
        if (size == 0)
            return owi_fail(OW_ERR_ARGUMENT, "a layer of a network has no units");
        *widest = owi_larger(*widest, size);
        if (l == 0) continue;
        if (!owi_size_add(spec->sizes[l - 1], 1, &n) || !owi_size_multiply(n, size, &n) ||
            n > most_parameters || *n_parameters + n > most_parameters)
            return owi_fail(OW_ERR_ARGUMENT,
                            "a network of layers of %zu and %zu units is too large",
                            spec->sizes[l - 1], size);
        *n_parameters += n;
    }
    return OW_OK;
}

static void set_views(owi_mlp *mlp)
{
    float *at = mlp->block;
    for (size_t l = 0; l < mlp->spec.n_layers; l++) {
        const size_t n_in = mlp->spec.sizes[l], n_out = mlp->spec.sizes[l + 1];
        mlp->weight[l] = at;
        mlp->bias[l] = at + n_out * n_in;
        at = mlp->bias[l] + n_out;
        mlp->scope_start[l][1] = (uint32_t)n_in;
    }
}

ow_status owi_mlp_new(ow_context *ctx, const owi_mlp_spec *spec, owi_mlp **out)
{
    size_t n_parameters, widest;
    *out = NULL;
    OWI_REQUIRE(spec->n_layers >= 1 && spec->n_layers <= owi_mlp_most_layers);
    OWI_TRY(count_parameters(spec, &n_parameters, &widest));
    owi_mlp *mlp = owi_alloc_zeroed(ctx, sizeof *mlp);
    if (mlp == NULL) return OW_ERR_MEMORY;
    mlp->ctx = ctx;
    mlp->spec = *spec;
    mlp->n_parameters = n_parameters;
    mlp->shift = owi_alloc_array(ctx, spec->sizes[0], sizeof *mlp->shift);
    mlp->scale = owi_alloc_array(ctx, spec->sizes[0], sizeof *mlp->scale);
    mlp->block = owi_alloc_array(ctx, n_parameters, sizeof *mlp->block);
    mlp->identity = owi_alloc_array(ctx, widest, sizeof *mlp->identity);
    if (mlp->shift == NULL || mlp->scale == NULL || mlp->block == NULL ||
        mlp->identity == NULL) {
        owi_mlp_free(mlp);
        return OW_ERR_MEMORY;
    }
    for (size_t j = 0; j < spec->sizes[0]; j++) mlp->scale[j] = 1.0f;
    for (size_t i = 0; i < widest; i++) mlp->identity[i] = (uint32_t)i;
    set_views(mlp);
    *out = mlp;
    return OW_OK;
}

void owi_mlp_free(owi_mlp *mlp)
{
    if (mlp == NULL) return;
    owi_free(mlp->ctx, mlp->shift);
    owi_free(mlp->ctx, mlp->scale);
    owi_free(mlp->ctx, mlp->block);
    owi_free(mlp->ctx, mlp->identity);
    owi_free(mlp->ctx, mlp);
}

owi_leaf_shape owi_mlp_layer_shape(const owi_mlp *mlp, size_t layer, size_t n_outputs)
{
    return (owi_leaf_shape){.n_regions = 1,
                            .n_components = n_outputs,
                            .n_features = mlp->spec.sizes[layer],
                            .scope_start = mlp->scope_start[layer],
                            .scope = mlp->identity};
}
