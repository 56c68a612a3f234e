/* SPDX-License-Identifier: MIT */
#include "circuit/structure/circuit.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/options.h"
#include "circuit/structure/leaf_features.h"
#include "circuit/structure/sheets.h"

/* ---- Making one ---- */

/* The leaves and their point masses, which the spec only lent. */
static ow_status copy_leaves(ow_circuit *circuit)
{
    const ow_leaf *from = circuit->spec.leaves;
    const size_t n = circuit->spec.n_columns;
    size_t n_masses = 0;
    for (size_t j = 0; j < n; j++)
        if (from[j].kind == OW_LEAF_POINT_MASSES) n_masses += from[j].n_masses;

    circuit->leaves = owi_alloc_array(circuit->ctx, n, sizeof *circuit->leaves);
    circuit->masses = owi_alloc_array(circuit->ctx, n_masses, sizeof *circuit->masses);
    if (circuit->leaves == NULL || circuit->masses == NULL) return OW_ERR_MEMORY;
    float *masses = circuit->masses;
    for (size_t j = 0; j < n; j++) {
        ow_leaf *leaf = &circuit->leaves[j];
        *leaf = from[j];
        if (leaf->kind != OW_LEAF_POINT_MASSES) leaf->n_masses = 0;
        if (leaf->kind != OW_LEAF_CATEGORICAL)
            leaf->n_levels = leaf->kind == OW_LEAF_BERNOULLI ? 2 : 0;
        if (owi_leaf_has_levels(leaf) || leaf->kind == OW_LEAF_FOLLOWS)
            leaf->low = leaf->high = 0.0;
        if (leaf->n_masses > 0)
            memcpy(masses, leaf->masses, leaf->n_masses * sizeof *masses);
        leaf->masses = masses;
        masses += leaf->n_masses;
    }
    circuit->spec.leaves = circuit->leaves;
    return OW_OK;
}

/* The trees, which the spec only lent. */
static ow_status copy_parents(ow_circuit *circuit)
{
    ow_circuit_spec *spec = &circuit->spec;
    if (spec->parents == NULL) return OW_OK;
    const size_t n = spec->repetitions * owi_region_graph_groups(spec);
    circuit->parents = owi_alloc_array(circuit->ctx, n, sizeof *circuit->parents);
    if (circuit->parents == NULL) return OW_ERR_MEMORY;
    memcpy(circuit->parents, spec->parents, n * sizeof *circuit->parents);
    spec->parents = circuit->parents;
    return OW_OK;
}

ow_status owi_circuit_alloc(ow_context *ctx, const ow_circuit_spec *spec, ow_circuit **out)
{
    *out = NULL;
    OWI_TRY(owi_circuit_check_spec(spec));
    ow_circuit *circuit = owi_alloc_zeroed(ctx, sizeof *circuit);
    if (circuit == NULL) return OW_ERR_MEMORY;
    circuit->ctx = ctx;
    circuit->spec = *spec;
    ow_status status = copy_leaves(circuit);
    if (status != OW_OK) goto done;

    status = owi_circuit_check_size(&circuit->spec);
    if (status == OW_OK) status = copy_parents(circuit);
    if (status == OW_OK) status = owi_sheets_copy(circuit);
    if (status == OW_OK)
        status = owi_region_graph_alloc(&circuit->regions, ctx, &circuit->spec);
    if (status != OW_OK) goto done;
    circuit->log_prior = owi_alloc_array(ctx, spec->n_classes, sizeof *circuit->log_prior);
    circuit->shift = owi_alloc_array(ctx, spec->n_columns, sizeof *circuit->shift);
    circuit->farthest = owi_alloc_array(ctx, spec->n_columns, sizeof *circuit->farthest);
    if (circuit->log_prior == NULL || circuit->shift == NULL || circuit->farthest == NULL)
        status = OW_ERR_MEMORY;
    if (status != OW_OK) goto done;
    for (size_t c = 0; c < spec->n_classes; c++)
        circuit->log_prior[c] = -log((double)spec->n_classes);
    *out = circuit;
    circuit = NULL;

done:
    ow_circuit_free(circuit);
    return status;
}

/* Equal weights within each sum. */
static void fill_weights(ow_circuit *circuit)
{
    for (size_t run = 0; run < owi_circuit_n_runs(circuit); run++) {
        const owi_weight_run all = owi_circuit_weight_run(circuit, 0, run);
        const size_t n = circuit->regions.n_copies * all.n_sums * all.block;
        const float equal = (float)-log((double)all.block);
        for (size_t i = 0; i < n; i++) circuit->log_weight[all.first + i] = equal;
    }
}

static ow_status allocate_block(ow_circuit *circuit)
{
    ow_context *ctx = circuit->ctx;
    const size_t n_copies = circuit->regions.n_copies, I = circuit->spec.inputs;
    const size_t n_regions = n_copies * circuit->regions.n_regions;
    size_t n_block;

    circuit->n_weights = owi_circuit_root_offset(circuit, n_copies);
    if (!owi_size_multiply(circuit->scope_start[n_regions], I, &circuit->n_leaf) ||
        !owi_size_add(circuit->n_leaf, circuit->n_weights, &n_block) ||
        n_block > SIZE_MAX / sizeof(float))
        return owi_fail(OW_ERR_MEMORY, "a circuit of this size does not fit into memory");
    circuit->block = owi_alloc_aligned(ctx, n_block, sizeof(float));
    circuit->theta = owi_alloc_aligned(ctx, circuit->n_leaf, sizeof(float));
    circuit->linear_weight = owi_alloc_aligned(ctx, circuit->n_weights, sizeof(float));
    circuit->bias = owi_alloc_array(ctx, n_regions * I, sizeof(float));
    circuit->gap_theta =
        owi_alloc_array(ctx, (size_t)circuit->gap_start[n_regions] * I, sizeof(float));
    if (circuit->block == NULL || circuit->theta == NULL ||
        circuit->linear_weight == NULL || circuit->bias == NULL ||
        circuit->gap_theta == NULL)
        return OW_ERR_MEMORY;
    circuit->leaf = circuit->block;
    circuit->log_weight = circuit->block + circuit->n_leaf;
    return OW_OK;
}

ow_status owi_circuit_finish(ow_circuit *circuit)
{
    OWI_TRY(owi_circuit_init_features(circuit));
    OWI_TRY(allocate_block(circuit));
    owi_circuit_fill_leaves(circuit);
    fill_weights(circuit);
    owi_circuit_prepare(NULL, circuit);
    return OW_OK;
}

/* As deep as the columns can be halved; trees are not halved at all. */
static void cut_depth(ow_context *ctx, ow_circuit_spec *spec)
{
    const size_t most = owi_region_graph_most_halvings(spec);
    if (spec->parents != NULL) {
        spec->depth = 0;
        spec->same_regions = true;
        return;
    }
    if (spec->depth > most) {
        owi_log(ctx, OW_LOG_WARN,
                "depth %zu is more than the columns can be halved; using %zu", spec->depth,
                most);
        spec->depth = most;
    }
    if (spec->depth == 0) spec->repetitions = 1; /* without halvings all would be alike */
}

ow_status ow_circuit_new(ow_context *ctx, const ow_circuit_spec *spec, ow_circuit **out)
{
    ow_circuit *circuit = NULL;

    OWI_REQUIRE(ctx != NULL && spec != NULL && out != NULL);
    *out = NULL;
    ow_circuit_spec own = {.size = sizeof(ow_circuit_spec)};
    OWI_TRY(OWI_OPTIONS_TAKE(ow_circuit_spec, spec, &own));
    OWI_TRY(owi_circuit_check_spec(&own));
    cut_depth(ctx, &own);
    OWI_TRY(owi_circuit_alloc(ctx, &own, &circuit));
    owi_region_graph_clear(&circuit->regions, ctx);
    ow_status status = owi_region_graph_init(&circuit->regions, ctx, &circuit->spec);
    if (status == OW_OK) status = owi_circuit_finish(circuit);
    if (status == OW_OK)
        *out = circuit;
    else
        ow_circuit_free(circuit);
    return status;
}

void ow_circuit_free(ow_circuit *circuit)
{
    if (circuit == NULL) return;
    ow_context *ctx = circuit->ctx;
    owi_region_graph_clear(&circuit->regions, ctx);
    void *const blocks[] = {
        circuit->leaves,        circuit->masses,        circuit->features,
        circuit->feature_start, circuit->scope_start,   circuit->scope,
        circuit->scope_bits,    circuit->gap_column,    circuit->gap_start,
        circuit->gap_scope,     circuit->shift,         circuit->log_prior,
        circuit->bias,          circuit->gap_theta,     circuit->average,
        circuit->class_rows,    circuit->farthest,      circuit->soft_start,
        circuit->soft_column,   circuit->parents,       circuit->sheets,
        circuit->sheet_bits,    circuit->sheet_constant};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) owi_free(ctx, blocks[i]);
    owi_free_aligned(ctx, circuit->block);
    owi_free_aligned(ctx, circuit->theta);
    owi_free_aligned(ctx, circuit->linear_weight);
    owi_free(ctx, circuit);
}

/* ---- What it knows ---- */

const ow_circuit_spec *ow_circuit_get_spec(const ow_circuit *circuit)
{
    return &circuit->spec;
}

const double *ow_circuit_log_prior(const ow_circuit *circuit)
{
    return circuit->log_prior;
}

ow_status ow_circuit_set_prior(ow_circuit *circuit, const double *prior)
{
    OWI_REQUIRE(circuit != NULL && prior != NULL);
    double sum = 0.0;
    for (size_t c = 0; c < circuit->spec.n_classes; c++) {
        if (!(prior[c] >= 0.0 && prior[c] <= 1.0))
            return owi_fail(OW_ERR_NUMERIC,
                            "the prior of class %zu is %g, not a probability", c, prior[c]);
        sum += prior[c];
    }
    if (fabs(sum - 1.0) > 1e-6)
        return owi_fail(OW_ERR_NUMERIC, "the class prior sums to %g, not 1", sum);
    for (size_t c = 0; c < circuit->spec.n_classes; c++)
        circuit->log_prior[c] = log(prior[c] / sum);
    circuit->version++;
    return OW_OK;
}

size_t ow_circuit_n_leaf_parameters(const ow_circuit *circuit)
{
    return circuit->n_leaf;
}

size_t ow_circuit_n_weights(const ow_circuit *circuit)
{
    return circuit->n_weights;
}

const uint32_t *ow_circuit_region(const ow_circuit *circuit, size_t copy, size_t repetition,
                                  size_t region, size_t *n_columns)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t at = copy * regions->n_regions + repetition * regions->n_parts + region;
    *n_columns = regions->start[at + 1] - regions->start[at];
    return regions->columns + regions->start[at];
}

void ow_circuit_posterior(const ow_circuit *circuit, size_t n_rows, const double *log_class,
                          double *log_density, double *posterior)
{
    const size_t C = circuit->spec.n_classes;
    const double *log_prior = circuit->log_prior;

    for (size_t row = 0; row < n_rows; row++) {
        const double *log_c = log_class + row * C;
        size_t best = 0;
        for (size_t c = 1; c < C; c++)
            if (log_c[c] + log_prior[c] > log_c[best] + log_prior[best]) best = c;
        const double top = log_c[best] + log_prior[best];
        const bool possible = top > -INFINITY;
        /* Densities are compared before priors are added, which far out (-1e30) would
         * vanish beside them. */
        double sum = 0.0;
        for (size_t c = 0; c < C && possible; c++)
            sum += exp(log_c[c] - log_c[best] + (log_prior[c] - log_prior[best]));
        if (log_density != NULL) log_density[row] = possible ? top + log(sum) : -INFINITY;
        for (size_t c = 0; c < C && posterior != NULL; c++)
            posterior[row * C + c] =
                possible
                    ? exp(log_c[c] - log_c[best] + (log_prior[c] - log_prior[best])) / sum
                    : exp(log_prior[c]);
    }
}

double owi_circuit_mean_variance(const ow_circuit *circuit)
{
    const size_t I = circuit->spec.inputs;
    double sum = 0.0, n = 0.0;
    if (circuit->spec.variance > 0.0) return circuit->spec.variance;
    /* The regions of all copies: a sub-circuit for each class has its own leaves. */
    for (size_t r = 0; r < circuit->regions.n_copies * circuit->regions.n_regions; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        for (size_t i = 0; i < I * width; i++) {
            const owi_feature *feature =
                &circuit->features[circuit->scope[start + i % width]];
            if (feature->kind != OWI_FEATURE_VARIANCE) continue;
            sum += (double)circuit->leaf[I * start + i];
            n += 1.0;
        }
    }
    return n > 0.0 ? sum / n : 1.0;
}
