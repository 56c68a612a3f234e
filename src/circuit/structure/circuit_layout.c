/* SPDX-License-Identifier: MIT */
/* Where a circuit's weights lie, and its layers as the kernels see them. */
#include "circuit/structure/circuit.h"

/* ---- Sizes and places ---- */

size_t owi_circuit_child_components(const ow_circuit *circuit, size_t depth)
{
    return depth + 1 == circuit->spec.depth ? circuit->spec.inputs : circuit->spec.sums;
}

size_t owi_circuit_top_components(const ow_circuit *circuit)
{
    return circuit->spec.depth <= 1 ? circuit->spec.inputs : circuit->spec.sums;
}

size_t owi_circuit_copy_classes(const ow_circuit *circuit)
{
    return circuit->spec.structure == OW_STRUCTURE_SHARED ? circuit->spec.n_classes : 1;
}

size_t owi_circuit_n_runs(const ow_circuit *circuit)
{
    if (owi_circuit_is_tree(circuit)) return 2;
    return circuit->spec.depth > 1 ? circuit->spec.depth : 1;
}

/* The sums of a run in one copy, and the weights of each. */
static size_t run_sums(const ow_circuit *circuit, size_t run, size_t *block)
{
    const ow_circuit_spec *spec = &circuit->spec;
    if (run == 0) {
        const size_t K = owi_circuit_top_components(circuit);
        *block = spec->repetitions * (spec->depth == 0 ? K : K * K);
        return owi_circuit_copy_classes(circuit);
    }
    if (owi_circuit_is_tree(circuit)) {
        *block = spec->inputs;
        return spec->repetitions * (circuit->regions.n_parts - 1) * spec->inputs;
    }
    const size_t K = owi_circuit_child_components(circuit, run);
    *block = K * K;
    return owi_circuit_n_regions(circuit, run) * spec->sums;
}

owi_weight_run owi_circuit_weight_run(const ow_circuit *circuit, size_t copy, size_t run)
{
    owi_weight_run at = {0};
    /* Run 0 comes last, run 1 before it. */
    for (size_t i = owi_circuit_n_runs(circuit); i-- > run;) {
        at.n_sums = run_sums(circuit, i, &at.block);
        if (i > run) at.first += circuit->regions.n_copies * at.n_sums * at.block;
    }
    at.first += copy * at.n_sums * at.block;
    return at;
}

size_t owi_circuit_inner_offset(const ow_circuit *circuit, size_t depth, size_t copy)
{
    return owi_circuit_weight_run(circuit, copy, depth).first;
}

size_t owi_circuit_root_offset(const ow_circuit *circuit, size_t copy)
{
    return owi_circuit_weight_run(circuit, copy, 0).first;
}

size_t owi_circuit_sum_size(const ow_circuit *circuit, size_t first)
{
    for (size_t run = owi_circuit_n_runs(circuit); run-- > 1;) {
        const owi_weight_run all = owi_circuit_weight_run(circuit, 0, run);
        if (first < all.first + circuit->regions.n_copies * all.n_sums * all.block)
            return all.block;
    }
    return owi_circuit_weight_run(circuit, 0, 0).block;
}

/* ---- Shapes for the kernels ---- */

static owi_leaf_shape leaf_shape(const ow_circuit *circuit, size_t copy, size_t n_features,
                                 const uint32_t *start, const uint32_t *scope)
{
    return (owi_leaf_shape){.n_regions = circuit->regions.n_regions,
                            .n_components = circuit->spec.inputs,
                            .n_features = n_features,
                            .scope_start = start + copy * circuit->regions.n_regions,
                            .scope = scope};
}

owi_leaf_shape owi_circuit_leaf_shape(const ow_circuit *circuit, size_t copy)
{
    owi_leaf_shape shape = leaf_shape(circuit, copy, circuit->n_features,
                                      circuit->scope_start, circuit->scope);
    shape.scope_bits =
        circuit->scope_bits + copy * shape.n_regions * owi_scope_words(circuit->n_features);
    return shape;
}

owi_leaf_shape owi_circuit_gap_shape(const ow_circuit *circuit, size_t copy)
{
    return leaf_shape(circuit, copy, circuit->n_gap_features, circuit->gap_start,
                      circuit->gap_scope);
}

owi_sum_shape owi_circuit_sum_shape(const ow_circuit *circuit, size_t depth)
{
    return (owi_sum_shape){.n_regions = owi_circuit_n_regions(circuit, depth),
                           .n_sums = circuit->spec.sums,
                           .n_components = owi_circuit_child_components(circuit, depth)};
}

owi_root_shape owi_circuit_root_shape(const ow_circuit *circuit)
{
    return (owi_root_shape){.n_classes = owi_circuit_copy_classes(circuit),
                            .n_partitions = circuit->spec.repetitions,
                            .n_components = owi_circuit_top_components(circuit),
                            .single = circuit->spec.depth == 0};
}

owi_tree_shape owi_circuit_tree_shape(const ow_circuit *circuit)
{
    return (owi_tree_shape){.n_trees = circuit->spec.repetitions,
                            .n_nodes = circuit->regions.n_parts,
                            .n_components = circuit->spec.inputs,
                            .parent = circuit->regions.parent};
}
