/* SPDX-License-Identifier: MIT */
/* Where things lie in a pass's buffers: sizes and places that making a pass, forward and
 * backward share.  `rows` below counts lanes: n_tiles * lanes, spare ones included. */
#ifndef OWI_PASS_LAYOUT_H
#define OWI_PASS_LAYOUT_H

#include "circuit/pass/pass.h"

/* Fewer rows than this are run one by one: a tile would compute mostly spare lanes.  For
 * one group of lanes trees take as long either way, and leaves half as long in a tile. */
enum { owi_fewest_tiled_rows = owi_lane_group };

static inline owi_batch owi_pass_batch(size_t n_rows, bool in_tiles)
{
    return n_rows < owi_fewest_tiled_rows && !in_tiles ? (owi_batch){n_rows, 1, 0}
                                                       : owi_tiles_of(n_rows);
}

static inline size_t owi_pass_lanes(const owi_pass *pass)
{
    return pass->batch.n_tiles * pass->batch.lanes;
}

/* ---- Layers: depth D are the leaf regions, 1 the children of the roots; a circuit of
 * depth 0 has its leaves at 0, one of trees the roots of these ---- */

static inline size_t owi_top_depth(const ow_circuit *circuit)
{
    return circuit->spec.depth == 0 ? 0 : 1;
}

/* K: components of each region at a depth. */
static inline size_t owi_components_at(const ow_circuit *circuit, size_t depth)
{
    return depth == circuit->spec.depth ? circuit->spec.inputs : circuit->spec.sums;
}

/* Floats of one copy's layer at a depth. */
static inline size_t owi_layer_floats(const ow_circuit *circuit, size_t depth, size_t rows)
{
    return owi_circuit_n_regions(circuit, depth) * owi_components_at(circuit, depth) * rows;
}

/* Floats of one copy's leaf regions: the layer at depth D, or the nodes of trees. */
static inline size_t owi_leaf_floats(const ow_circuit *circuit, size_t rows)
{
    return circuit->regions.n_regions * circuit->spec.inputs * rows;
}

/* One copy's part of a layer, for the current batch. */
static inline owi_layer_values owi_pass_layer(const owi_pass *pass, size_t depth,
                                              size_t copy)
{
    const size_t rows = owi_pass_lanes(pass);
    const size_t floats = owi_layer_floats(pass->circuit, depth, rows);
    const owi_layer_values *layer = &pass->layer[depth];
    return (owi_layer_values){
        layer->log_value + copy * floats, layer->value + copy * floats,
        layer->top + copy * owi_circuit_n_regions(pass->circuit, depth) * rows};
}

/* One copy's nodes of trees, likewise. */
static inline owi_tree_values owi_pass_nodes(const owi_pass *pass, size_t copy)
{
    const size_t rows = owi_pass_lanes(pass), n_regions = pass->circuit->regions.n_regions;
    const size_t floats = owi_leaf_floats(pass->circuit, rows);
    const owi_tree_values *nodes = &pass->nodes;
    return (owi_tree_values){nodes->log_value + copy * floats, nodes->value + copy * floats,
                             nodes->sum + copy * floats,
                             nodes->top + copy * n_regions * rows};
}

/* A row's first component in a buffer of all leaf components. */
static inline size_t owi_leaf_at(const owi_pass *pass, size_t copy, size_t row)
{
    const size_t L = pass->batch.lanes;
    return copy * owi_leaf_floats(pass->circuit, owi_pass_lanes(pass)) +
           row / L * owi_leaf_floats(pass->circuit, L) + row % L;
}

static inline owi_weights owi_weights_at(const ow_circuit *circuit, size_t offset)
{
    return (owi_weights){circuit->linear_weight + offset, circuit->log_weight + offset};
}

/* Where class c of a row stands in log_root and adjoint, (copy, T, classes of a copy, L).
 * With n classes in a copy, class c is number c mod n of copy c / n. */
static inline size_t owi_root_index(const owi_pass *pass, size_t row, size_t c)
{
    const size_t n = owi_circuit_copy_classes(pass->circuit);
    const size_t copy = n == 1 ? c : c / n, own = c - copy * n;
    const size_t at = copy * pass->batch.n_tiles * n + own;
    if (pass->batch.lanes == 1) return at + row * n;
    return (at + row / owi_tile_lanes * n) * owi_tile_lanes + row % owi_tile_lanes;
}

#endif
