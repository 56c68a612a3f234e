/* SPDX-License-Identifier: MIT */
#include "circuit/query/pair_couple.h"

#include <string.h>

#include "base/memory/sizes.h"

/* Repetitions of fewer regions are multiplied as they are. */
enum { few_regions = 4 };

static bool is_sparse(const ow_circuit *circuit)
{
    return circuit->regions.n_parts > few_regions;
}

void owi_pair_couple_carve(owi_pair_row *pairs, owi_carver *from)
{
    const ow_circuit *circuit = pairs->changes->evaluator->circuit;
    const size_t n_regions = circuit->regions.n_regions, I = circuit->spec.inputs;
    const size_t n = is_sparse(circuit) ? n_regions : 0;
    const size_t width = (circuit->regions.n_parts - 1) * I;
    pairs->wanted = owi_carve(from, n, sizeof *pairs->wanted);
    pairs->has_values = owi_carve(from, n, sizeof *pairs->has_values);
    pairs->is_needed = owi_carve(from, n, sizeof *pairs->is_needed);
    pairs->scope_start = owi_carve(from, n + 1, sizeof *pairs->scope_start);
    pairs->scope = owi_carve(from, n * width, sizeof *pairs->scope);
    pairs->packed = owi_carve(from, n * I * width, sizeof *pairs->packed);
}

/* Marks the regions that hold column j. */
static void mark(const owi_pair_row *pairs, size_t copy, size_t j, bool *marks)
{
    const owi_column_leaves *leaves = &pairs->changes->leaves;
    const ow_circuit_spec *spec = &leaves->circuit->spec;
    const size_t *node = owi_column_nodes(leaves, copy, j);
    for (size_t rep = 0; rep < spec->repetitions; rep++)
        marks[node[rep] / spec->inputs] = true;
}

const bool *owi_pair_couple_wanted(owi_pair_row *pairs, size_t copy)
{
    const ow_circuit *circuit = pairs->changes->evaluator->circuit;
    if (!is_sparse(circuit)) return NULL;
    memset(pairs->wanted, 0, circuit->regions.n_regions * sizeof *pairs->wanted);
    for (size_t j = 0; j < circuit->spec.n_columns; j++)
        if (pairs->lane_start[j] < pairs->lane_start[j + 1])
            mark(pairs, copy, j, pairs->wanted);
    return pairs->wanted;
}

/* The regions that hold a column of the lanes from `first` to `end`; and those that hold a
 * column which is paired with one of them, from before it. */
static void mark_regions(owi_pair_row *pairs, size_t copy, size_t first, size_t end)
{
    const ow_circuit *circuit = pairs->changes->evaluator->circuit;
    memset(pairs->has_values, 0, circuit->regions.n_regions * sizeof *pairs->has_values);
    memset(pairs->is_needed, 0, circuit->regions.n_regions * sizeof *pairs->is_needed);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        const size_t from = pairs->lane_start[j], to = pairs->lane_start[j + 1];
        if (from == to || from >= end) continue;
        if (to > first) mark(pairs, copy, j, pairs->has_values);
        if (to < end) mark(pairs, copy, j, pairs->is_needed);
    }
}

/* Scopes and parameters of the regions that are needed: the columns of H that belong to
 * those with values. */
static void pack(owi_pair_row *pairs)
{
    const ow_circuit *circuit = pairs->changes->evaluator->circuit;
    const size_t I = circuit->spec.inputs, n_parts = circuit->regions.n_parts;
    const size_t width = (n_parts - 1) * I;
    uint32_t n = 0;
    float *to = pairs->packed;

    for (size_t a = 0; a < circuit->regions.n_regions; a++) {
        const size_t first = a / n_parts * n_parts;
        pairs->scope_start[a] = n;
        if (!pairs->is_needed[a]) continue;
        for (size_t b = first; b < first + n_parts; b++)
            for (size_t m = 0; m < I && b != a && pairs->has_values[b]; m++)
                pairs->scope[n++] = (uint32_t)(b * I + m);
        for (size_t i = 0; i < I; i++)
            for (size_t b = first; b < first + n_parts; b++) {
                if (b == a || !pairs->has_values[b]) continue;
                const size_t place = b - first - (b > a);
                memcpy(to, pairs->h + (a * I + i) * width + place * I, I * sizeof *to);
                to += I;
            }
    }
    pairs->scope_start[circuit->regions.n_regions] = n;
}

void owi_pair_couple(owi_pair_row *pairs, size_t copy, float *second)
{
    const ow_circuit *circuit = pairs->changes->evaluator->circuit;
    const owi_backend *backend = pairs->changes->evaluator->backend;
    const size_t nodes = circuit->regions.n_regions * circuit->spec.inputs;
    const size_t L = owi_tile_lanes;
    owi_leaf_shape shape = {.n_regions = circuit->regions.n_regions,
                            .n_components = circuit->spec.inputs,
                            .n_features = nodes,
                            .scope_start = pairs->tables->other_start,
                            .scope = pairs->tables->other};
    if (!is_sparse(circuit)) {
        backend->leaf_forward(backend, &shape, pairs->batch, pairs->h, pairs->tables->zeros,
                              pairs->values, second);
        return;
    }
    shape.scope_start = pairs->scope_start;
    shape.scope = pairs->scope;
    for (size_t t = 0; t < pairs->batch.n_tiles; t++) {
        const size_t first = t * L, end = owi_smaller(first + L, pairs->n_lanes);
        mark_regions(pairs, copy, first, end);
        pack(pairs);
        backend->leaf_forward(backend, &shape, owi_tiles_of(end - first), pairs->packed,
                              pairs->tables->zeros, pairs->values + t * nodes * L,
                              second + t * nodes * L);
    }
}
