/* SPDX-License-Identifier: MIT */
#include "circuit/structure/leaf_features.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"

/* ---- Which features there are ---- */

static size_t count_features(const ow_circuit *circuit, const ow_leaf *leaf)
{
    switch (leaf->kind) {
    case OW_LEAF_GAUSSIAN:
        return circuit->spec.variance > 0.0 ? 1 : 2;
    case OW_LEAF_CATEGORICAL:
    case OW_LEAF_BERNOULLI:
        return leaf->n_levels;
    case OW_LEAF_POINT_MASSES:
        return leaf->n_masses + 3;
    case OW_LEAF_FOLLOWS:
        return 0;
    }
    return 0;
}

static void list_features(const ow_circuit *circuit, uint32_t column, owi_feature *feature)
{
    const ow_leaf *leaf = &circuit->leaves[column];
    const bool fixed = circuit->spec.variance > 0.0;

    if (owi_leaf_has_levels(leaf)) {
        for (uint32_t level = 0; level < leaf->n_levels; level++)
            *feature++ = (owi_feature){OWI_FEATURE_LEVEL, column, level};
        return;
    }
    if (leaf->kind == OW_LEAF_POINT_MASSES) {
        for (uint32_t mass = 0; mass < leaf->n_masses; mass++)
            *feature++ = (owi_feature){OWI_FEATURE_MASS, column, mass};
        *feature++ = (owi_feature){OWI_FEATURE_SLAB, column, 0};
    }
    if (leaf->kind == OW_LEAF_FOLLOWS) return;
    *feature++ = (owi_feature){fixed ? OWI_FEATURE_NUMBER : OWI_FEATURE_MEAN, column, 0};
    if (!fixed) *feature = (owi_feature){OWI_FEATURE_VARIANCE, column, 0};
}

/* The scopes of all regions in features and in gap features. */
static ow_status list_scopes(ow_circuit *circuit, const uint32_t *gap_of_column)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t n_regions = regions->n_copies * regions->n_regions;
    const size_t n_repetitions = regions->n_copies * circuit->spec.repetitions;
    const size_t n_words = owi_scope_words(circuit->n_features);
    size_t n_scope, n_gaps, n_bits;

    if (!owi_size_multiply(n_repetitions, circuit->n_features, &n_scope) ||
        !owi_size_multiply(n_repetitions, circuit->n_gap_features, &n_gaps) ||
        !owi_size_multiply(n_regions, n_words, &n_bits) || n_scope > UINT32_MAX)
        return owi_fail(OW_ERR_ARGUMENT, "%zu features in %zu repetitions are too many",
                        circuit->n_features, n_repetitions);
    circuit->scope_start = owi_alloc_array(circuit->ctx, n_regions + 1, sizeof(uint32_t));
    circuit->gap_start = owi_alloc_array(circuit->ctx, n_regions + 1, sizeof(uint32_t));
    circuit->scope = owi_alloc_array(circuit->ctx, n_scope, sizeof(uint32_t));
    circuit->scope_bits = owi_alloc_array(circuit->ctx, n_bits, sizeof(uint32_t));
    circuit->gap_scope = owi_alloc_array(circuit->ctx, n_gaps, sizeof(uint32_t));
    if (circuit->scope_start == NULL || circuit->gap_start == NULL ||
        circuit->scope == NULL || circuit->scope_bits == NULL || circuit->gap_scope == NULL)
        return OW_ERR_MEMORY;

    uint32_t n = 0, n_gap = 0;
    for (size_t r = 0; r < n_regions; r++) {
        circuit->scope_start[r] = n;
        circuit->gap_start[r] = n_gap;
        for (uint32_t i = regions->start[r]; i < regions->start[r + 1]; i++) {
            const uint32_t j = regions->columns[i];
            for (uint32_t f = circuit->feature_start[j]; f < circuit->feature_start[j + 1];
                 f++) {
                circuit->scope[n++] = f;
                circuit->scope_bits[r * n_words + f / 32] |= (uint32_t)1 << f % 32;
            }
            if (gap_of_column[j] != UINT32_MAX)
                circuit->gap_scope[n_gap++] = gap_of_column[j];
        }
    }
    circuit->scope_start[n_regions] = n;
    circuit->gap_start[n_regions] = n_gap;
    return OW_OK;
}

/* Of a soft row: one for each level, one for a number. */
static size_t count_entries(const ow_leaf *leaf)
{
    return owi_leaf_has_levels(leaf) ? leaf->n_levels : 1;
}

/* A column that follows from others has an entry, but no feature. */
static ow_status list_soft_entries(ow_circuit *circuit)
{
    const size_t d = circuit->spec.n_columns;
    uint32_t n = 0;
    for (size_t j = 0; j < d; j++) n += (uint32_t)count_entries(&circuit->leaves[j]);
    circuit->soft_start = owi_alloc_array(circuit->ctx, d + 1, sizeof(uint32_t));
    circuit->soft_column = owi_alloc_array(circuit->ctx, n, sizeof(uint32_t));
    n = 0;
    if (circuit->soft_start == NULL || circuit->soft_column == NULL) return OW_ERR_MEMORY;
    for (uint32_t j = 0; j < d; j++) {
        const ow_leaf *leaf = &circuit->leaves[j];
        circuit->soft_start[j] = n;
        circuit->has_levels |= owi_leaf_has_levels(leaf);
        for (size_t k = 0; k < count_entries(leaf); k++) circuit->soft_column[n++] = j;
    }
    circuit->soft_start[d] = n;
    return OW_OK;
}

ow_status owi_circuit_init_features(ow_circuit *circuit)
{
    const size_t d = circuit->spec.n_columns;
    ow_context *ctx = circuit->ctx;

    circuit->feature_start = owi_alloc_array(ctx, d + 1, sizeof(uint32_t));
    circuit->gap_column = owi_alloc_array(ctx, d, sizeof(uint32_t));
    if (circuit->feature_start == NULL || circuit->gap_column == NULL) return OW_ERR_MEMORY;
    size_t n = 0;
    for (size_t j = 0; j < d; j++) {
        circuit->feature_start[j] = (uint32_t)n;
        n += count_features(circuit, &circuit->leaves[j]);
        if (n > UINT32_MAX)
            return owi_fail(OW_ERR_ARGUMENT, "the columns have too many levels in all");
    }
    circuit->feature_start[d] = (uint32_t)n;
    circuit->n_features = n;
    OWI_TRY(list_soft_entries(circuit));
    circuit->features = owi_alloc_array(ctx, n, sizeof *circuit->features);
    uint32_t *gap_of_column = owi_alloc_array(ctx, d, sizeof *gap_of_column);
    if (circuit->features == NULL || gap_of_column == NULL) {
        owi_free(ctx, gap_of_column);
        return OW_ERR_MEMORY;
    }
    for (uint32_t j = 0; j < d; j++) {
        list_features(circuit, j, circuit->features + circuit->feature_start[j]);
        circuit->row_constant += owi_leaf_fixed_constant(circuit, j);
        circuit->has_tails |= owi_leaf_has_tails(&circuit->leaves[j]);
        gap_of_column[j] = UINT32_MAX;
        if (circuit->leaves[j].kind != OW_LEAF_GAUSSIAN) continue;
        gap_of_column[j] = (uint32_t)circuit->n_gap_features;
        circuit->gap_column[circuit->n_gap_features++] = j;
    }
    ow_status status = list_scopes(circuit, gap_of_column);
    owi_free(ctx, gap_of_column);
    return status;
}

/* ---- Parameters ---- */

void owi_circuit_fill_leaves(ow_circuit *circuit)
{
    const size_t n_regions = circuit->regions.n_copies * circuit->regions.n_regions;
    const size_t I = circuit->spec.inputs;

    for (size_t r = 0; r < n_regions; r++) {
        const size_t start = circuit->scope_start[r];
        const size_t width = circuit->scope_start[r + 1] - start;
        for (size_t i = 0; i < I * width; i++) {
            const owi_feature *feature =
                &circuit->features[circuit->scope[start + i % width]];
            const ow_leaf *leaf = &circuit->leaves[feature->column];
            float value = 0.0f; /* a mean */
            if (feature->kind == OWI_FEATURE_VARIANCE) value = 1.0f;
            if (feature->kind == OWI_FEATURE_LEVEL)
                value = (float)-log((double)leaf->n_levels);
            if (feature->kind == OWI_FEATURE_MASS || feature->kind == OWI_FEATURE_SLAB)
                value = (float)-log((double)leaf->n_masses + 1.0);
            circuit->leaf[I * start + i] = value;
        }
    }
}
