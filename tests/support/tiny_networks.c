/* SPDX-License-Identifier: MIT */
#include "support/tiny_networks.h"

#include "base/numeric/rng.h"

owi_mlp *ow_random_network(ow_context *ctx, owi_mlp_output output, size_t n_inputs,
                           size_t n_hidden, const size_t *hidden, size_t n_outputs,
                           uint64_t seed)
{
    owi_mlp_spec spec;
    owi_mlp *mlp = NULL;
    owi_rng rng;
    owi_rng_init(&rng, seed, 0);
    assert_true(owi_mlp_spec_fill(&spec, output, n_inputs, n_hidden, hidden, n_outputs));
    assert_ok(owi_mlp_new(ctx, &spec, &mlp));
    for (size_t i = 0; i < mlp->n_parameters; i++)
        mlp->block[i] = (float)(0.6 * owi_rng_normal(&rng));
    for (size_t j = 0; j < n_inputs; j++) {
        mlp->shift[j] = (float)owi_rng_normal(&rng);
        mlp->scale[j] = (float)(0.5 + owi_rng_uniform(&rng));
    }
    return mlp;
}

void ow_copy_parameters(const owi_mlp *mlp, double *parameters)
{
    for (size_t i = 0; i < mlp->n_parameters; i++) parameters[i] = (double)mlp->block[i];
}

void ow_brute_network(const owi_mlp *mlp, const double *parameters, const double *row,
                      double *out)
{
    enum { widest = 256 };
    double in[widest], next[widest];
    for (size_t j = 0; j < mlp->spec.sizes[0]; j++)
        in[j] =
            isnan(row[j]) ? 0.0 : (row[j] - (double)mlp->shift[j]) * (double)mlp->scale[j];
    for (size_t l = 0; l < mlp->spec.n_layers; l++) {
        const size_t n_in = mlp->spec.sizes[l], n_out = mlp->spec.sizes[l + 1];
        assert_true(n_in <= widest && n_out <= widest);
        for (size_t k = 0; k < n_out; k++) {
            next[k] = parameters[n_out * n_in + k];
            for (size_t j = 0; j < n_in; j++) next[k] += parameters[k * n_in + j] * in[j];
            if (l + 1 < mlp->spec.n_layers) next[k] = fmax(next[k], 0.0);
        }
        memcpy(in, next, n_out * sizeof *in);
        parameters += n_out * n_in + n_out;
    }
    memcpy(out, in, mlp->spec.sizes[mlp->spec.n_layers] * sizeof *out);
}

float *ow_random_floats(size_t n, double missing, uint64_t seed)
{
    float *made = calloc(n, sizeof *made);
    owi_rng rng;
    assert_non_null(made);
    owi_rng_init(&rng, seed, 1);
    for (size_t i = 0; i < n; i++)
        made[i] = owi_rng_uniform(&rng) < missing ? NAN : (float)owi_rng_normal(&rng);
    return made;
}
