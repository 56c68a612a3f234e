/* SPDX-License-Identifier: MIT */
/* Forward: features of the rows, leaves, sums, roots (doc/method.md). */
#include <string.h>

#include "base/error.h"
#include "circuit/pass/pass_layout.h"
#include "circuit/pass/tile_change.h"

/* Whether the leaves are computed as differences from known rows.  Missing values change
 * which constants a leaf has, so rows with gaps are computed from the start. */
static bool is_near_base(const owi_pass *pass)
{
    return pass->base.features != NULL && !pass->tiles.has_gaps;
}

/* log_value = the log-densities of a copy's leaf components, (T, regions, I, L).  A leaf is
 * linear in the features, log p = bias + sum of theta * feature; there are three ways to
 * come to that sum. */
static void leaves_forward(owi_pass *pass, size_t copy, float *log_value)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const owi_leaf_shape leaves = owi_circuit_leaf_shape(circuit, copy);
    const size_t n_nodes = leaves.n_regions * leaves.n_components;
    const size_t floats = n_nodes * owi_pass_lanes(pass);

    if (is_near_base(pass)) {
        /* Rows near known ones: their values, plus theta times what has changed. */
        memcpy(log_value, pass->base.log_value + copy * floats, floats * sizeof *log_value);
        backend->leaf_change(backend, &leaves, pass->batch, circuit->theta, &pass->marked,
                             pass->change, log_value);
        return;
    }
    if (pass->tiles.has_gaps) {
        /* Missing values: the bias of a region sums constants of all its columns, but a
         * column that is missing must not add its own.  So the bias is left out, and the
         * constants are added one by one as features: 1 where the value is there. */
        const owi_leaf_shape gaps = owi_circuit_gap_shape(circuit, copy);
        memset(log_value, 0, floats * sizeof *log_value);
        backend->leaf_forward(backend, &gaps, pass->batch, circuit->gap_theta, NULL,
                              pass->tiles.gap_features, log_value);
    }
    backend->leaf_forward(backend, &leaves, pass->batch, circuit->theta,
                          pass->tiles.has_gaps ? NULL : circuit->bias + copy * n_nodes,
                          pass->tiles.features, log_value);
}

/* From the leaves of trees to their roots, which are returned. */
static owi_layer_values trees_forward(owi_pass *pass, size_t copy)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const owi_tree_shape trees = owi_circuit_tree_shape(circuit);
    const owi_tree_values nodes = owi_pass_nodes(pass, copy);
    const owi_layer_values roots = owi_pass_layer(pass, 0, copy);
    const size_t floats = owi_leaf_floats(circuit, owi_pass_lanes(pass));
    float *leaves = pass->leaf_log_value + copy * floats;

    leaves_forward(pass, copy, leaves);
    backend->tree_forward(backend, &trees, pass->batch,
                          owi_weights_at(circuit,
                                         owi_circuit_inner_offset(circuit, 1, copy)),
                          leaves, &nodes, &roots);
    return roots;
}

/* One copy from its leaves to its roots.  Values of a layer are kept as logarithms relative
 * to the largest of their region (normalize, sum_forward): log_value, value = exp of it,
 * top. */
static void forward_copy(owi_pass *pass, size_t copy)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const size_t D = circuit->spec.depth, I = circuit->spec.inputs;
    owi_layer_values below = owi_pass_layer(pass, D, copy);

    if (owi_circuit_is_tree(circuit)) {
        below = trees_forward(pass, copy);
    } else {
        leaves_forward(pass, copy, below.log_value);
        backend->normalize(backend, owi_circuit_n_regions(circuit, D), I, pass->batch,
                           &below);
    }

    /* Inner sums from the deepest layer, D - 1, up to 1; none if D < 2. */
    for (size_t d = D; d-- > 1;) {
        const owi_sum_shape sums = owi_circuit_sum_shape(circuit, d);
        const owi_layer_values out = owi_pass_layer(pass, d, copy);
        backend->sum_forward(backend, &sums, pass->batch,
                             owi_weights_at(circuit,
                                            owi_circuit_inner_offset(circuit, d, copy)),
                             &below, &out, pass->scratch);
        below = out;
    }
    const owi_root_shape root = owi_circuit_root_shape(circuit);
    backend->root_forward(backend, &root, pass->batch,
                          owi_weights_at(circuit, owi_circuit_root_offset(circuit, copy)),
                          &below,
                          pass->log_root + copy * root.n_classes * owi_pass_lanes(pass),
                          pass->scratch);
}

ow_status owi_pass_forward_some(owi_pass *pass, size_t n_rows, const float *rows, bool soft,
                                size_t first_row, size_t first_copy, size_t n_copies)
{
    pass->batch = owi_pass_batch(n_rows, pass->in_tiles);
    pass->n_rows = n_rows;
    pass->rows = rows;
    pass->tiles.soft = soft;
    pass->first_copy = first_copy;
    pass->n_copies = n_copies;
    OWI_TRY(owi_fill_features(pass->circuit, pass->batch, n_rows, rows, first_row,
                              &pass->tiles));
    if (is_near_base(pass))
        owi_tile_change(pass->circuit->n_features, pass->tiles.features,
                        pass->base.features, pass->change, pass->changed);
    for (size_t copy = first_copy; copy < first_copy + n_copies; copy++)
        forward_copy(pass, copy);
    return OW_OK;
}

ow_status owi_pass_forward(owi_pass *pass, size_t n_rows, const float *rows,
                           size_t first_row)
{
    return owi_pass_forward_some(pass, n_rows, rows, false, first_row, 0,
                                 pass->circuit->regions.n_copies);
}

double owi_pass_log_class(const owi_pass *pass, size_t row, size_t c)
{
    return pass->log_root[owi_root_index(pass, row, c)] + pass->tiles.row_constant[row];
}

void owi_pass_log_classes(const owi_pass *pass, double *log_class)
{
    const size_t C = pass->circuit->spec.n_classes;
    for (size_t row = 0; row < pass->n_rows; row++)
        for (size_t c = 0; c < C; c++)
            log_class[row * C + c] = owi_pass_log_class(pass, row, c);
}

owi_region_values owi_pass_region(const owi_pass *pass, size_t depth, size_t copy,
                                  size_t region, size_t row)
{
    const size_t L = pass->batch.lanes, lane = row % L;
    const size_t r = row / L * owi_circuit_n_regions(pass->circuit, depth) + region;
    const size_t at = r * owi_components_at(pass->circuit, depth) * L + lane;
    const owi_layer_values layer = owi_pass_layer(pass, depth, copy);
    return (owi_region_values){layer.log_value + at, layer.value + at, L,
                               layer.top[r * L + lane]};
}

owi_region_values owi_pass_node(const owi_pass *pass, size_t copy, size_t region,
                                size_t row)
{
    const size_t L = pass->batch.lanes, lane = row % L;
    const size_t r = row / L * pass->circuit->regions.n_regions + region;
    const size_t at = r * pass->circuit->spec.inputs * L + lane;
    const owi_tree_values nodes = owi_pass_nodes(pass, copy);
    return (owi_region_values){nodes.log_value + at, nodes.value + at, L,
                               nodes.top[r * L + lane]};
}

const float *owi_pass_leaf_log_value(const owi_pass *pass, size_t copy, size_t row,
                                     size_t *stride)
{
    *stride = pass->batch.lanes;
    return pass->leaf_log_value + owi_leaf_at(pass, copy, row);
}
