/* SPDX-License-Identifier: MIT */
/* Backward: from adjoints at the roots to flows of the leaves, sums for learning, and
 * gradients of the inputs (doc/method.md). */
#include <math.h>
#include <string.h>

#include "circuit/pass/adjoint_lanes.h"
#include "circuit/pass/pass_layout.h"

void owi_pass_clear_adjoints(owi_pass *pass)
{
    const size_t rows = owi_pass_lanes(pass);
    memset(pass->adjoint, 0, pass->circuit->spec.n_classes * rows * sizeof *pass->adjoint);
    memset(pass->adjoint_sum, 0, rows * sizeof *pass->adjoint_sum);
}

void owi_pass_set_adjoint(owi_pass *pass, size_t row, size_t c, float adjoint)
{
    const size_t at = owi_root_index(pass, row, c);
    /* An impossible class has no derivative: its adjoint stays 0. */
    if (pass->log_root[at] == -INFINITY) return;
    /* The sum over the classes, for the part of log S that all of them share, the row's
     * constant.  Setting an adjoint again replaces it. */
    pass->adjoint_sum[row] += adjoint - pass->adjoint[at];
    pass->adjoint[at] = adjoint;
}

/* The flow of a component is the derivative of the objective with respect to its log-value.
 * Down one copy from the adjoints at its roots to its leaves: each layer distributes its
 * flow to the layer below, and adds what passes each weight to the statistics, if there are
 * any.  The last layer is written where it is kept, leaf_flow. */
static void backward_copy(owi_pass *pass, size_t copy, const owi_statistics *statistics)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const size_t D = circuit->spec.depth, rows = owi_pass_lanes(pass);
    const owi_root_shape root = owi_circuit_root_shape(circuit);
    const bool trees = owi_circuit_is_tree(circuit);
    float *leaf_flow = pass->leaf_flow + copy * owi_leaf_floats(circuit, rows);
    float *weight = statistics != NULL ? statistics->weight : NULL;

    const size_t at = owi_circuit_root_offset(circuit, copy);
    const owi_layer_values top = owi_pass_layer(pass, owi_top_depth(circuit), copy);
    /* The layer below the roots is the leaves if D <= 1, else an inner layer or the roots
     * of trees; after that the two flow buffers are used in turn. */
    float *flow = D <= 1 && !trees ? leaf_flow : pass->flow[0];
    backend->root_backward(backend, &root, pass->batch, owi_weights_at(circuit, at), &top,
                           pass->log_root + copy * root.n_classes * rows,
                           pass->adjoint + copy * root.n_classes * rows, flow,
                           weight != NULL ? weight + at : NULL, pass->scratch);
    if (trees) {
        const owi_tree_shape shape = owi_circuit_tree_shape(circuit);
        const owi_tree_values nodes = owi_pass_nodes(pass, copy);
        const size_t edges = owi_circuit_inner_offset(circuit, 1, copy);
        backend->tree_backward(backend, &shape, pass->batch, owi_weights_at(circuit, edges),
                               &nodes, flow, leaf_flow,
                               weight != NULL ? weight + edges : NULL, pass->scratch);
    }
    for (size_t d = 1; d < D; d++) {
        const owi_sum_shape sums = owi_circuit_sum_shape(circuit, d);
        const size_t inner = owi_circuit_inner_offset(circuit, d, copy);
        const owi_layer_values in = owi_pass_layer(pass, d + 1, copy);
        float *below = d + 1 == D ? leaf_flow : pass->flow[d % 2];
        backend->sum_backward(backend, &sums, pass->batch, owi_weights_at(circuit, inner),
                              &in, flow, below, weight != NULL ? weight + inner : NULL,
                              pass->scratch);
        flow = below;
    }
}

/* Adds one copy's leaf statistics: flow * feature for each parameter, and the flow itself
 * for each component.  In a batch with missing values the flow is counted apart, and for
 * each column only where its value is there. */
static void leaf_statistics(owi_pass *pass, size_t copy, const owi_statistics *statistics)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const owi_leaf_shape leaves = owi_circuit_leaf_shape(circuit, copy);
    const size_t n_nodes = leaves.n_regions * leaves.n_components;
    const float *flow =
        pass->leaf_flow + copy * owi_leaf_floats(circuit, owi_pass_lanes(pass));
    float *total = pass->tiles.has_gaps ? statistics->leaf_gappy : statistics->leaf_whole;

    backend->leaf_statistics(backend, &leaves, pass->batch, flow, pass->tiles.features,
                             statistics->leaf, total + copy * n_nodes);
    if (!pass->tiles.has_gaps) return;
    const owi_leaf_shape gaps = owi_circuit_gap_shape(circuit, copy);
    backend->leaf_statistics(backend, &gaps, pass->batch, flow, pass->tiles.gap_features,
                             statistics->leaf_there, NULL);
}

/* Whether a copy has any adjoint; nothing flows down one that has none. */
static bool has_adjoint(const owi_pass *pass, size_t copy)
{
    const size_t n = owi_circuit_copy_classes(pass->circuit) * owi_pass_lanes(pass);
    const float *adjoint = pass->adjoint + copy * n;
    size_t i = 0;
    while (i < n && adjoint[i] == 0.0f) i++;
    return i < n;
}

void owi_pass_backward(owi_pass *pass, const owi_statistics *statistics)
{
    const size_t floats = owi_leaf_floats(pass->circuit, owi_pass_lanes(pass));
    for (size_t copy = pass->first_copy; copy < pass->first_copy + pass->n_copies; copy++) {
        if (!has_adjoint(pass, copy)) {
            memset(pass->leaf_flow + copy * floats, 0, floats * sizeof *pass->leaf_flow);
            continue;
        }
        backward_copy(pass, copy, statistics);
        if (statistics != NULL) leaf_statistics(pass, copy, statistics);
    }
}

const float *owi_pass_leaf_flow(const owi_pass *pass, size_t copy, size_t row,
                                size_t *stride)
{
    *stride = pass->batch.lanes;
    return pass->leaf_flow + owi_leaf_at(pass, copy, row);
}

/* Adds one copy's part to d_features, the derivatives with respect to the features.  With a
 * copy for each class, only the rows of that class have flow in it.  Kernels work on groups
 * of 16 lanes, so in a single tile the lanes with flow are packed together first, if they
 * then fill fewer groups. */
static void leaves_backward(owi_pass *pass, size_t copy)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const owi_leaf_shape leaves = owi_circuit_leaf_shape(circuit, copy);
    const size_t rows = owi_pass_lanes(pass), F = circuit->n_features;
    const size_t n_nodes = leaves.n_regions * leaves.n_components;
    const float *flow = pass->leaf_flow + copy * n_nodes * rows;

    if (circuit->regions.n_copies > 1 && rows == owi_tile_lanes && pass->batch.lanes > 1) {
        const size_t n_classes = owi_circuit_copy_classes(circuit);
        const owi_adjoint_lanes adjoint =
            owi_find_adjoint_lanes(n_classes, pass->adjoint + copy * n_classes * rows);
        const owi_batch packed = owi_tiles_of(adjoint.n);
        if (packed.spare > pass->batch.spare) {
            owi_pack_lanes(&adjoint, n_nodes, flow, pass->packed_flow);
            owi_pack_lanes(&adjoint, F, pass->d_features, pass->packed_features);
            backend->leaf_backward(backend, &leaves, packed, circuit->theta,
                                   pass->packed_flow, pass->packed_features);
            owi_unpack_lanes(&adjoint, F, pass->packed_features, pass->d_features);
            return;
        }
    }
    backend->leaf_backward(backend, &leaves, pass->batch, circuit->theta, flow,
                           pass->d_features);
}

void owi_pass_gradient(owi_pass *pass, float *gradient)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t rows = owi_pass_lanes(pass);

    memset(pass->d_features, 0, circuit->n_features * rows * sizeof *pass->d_features);
    /* Backwards: the parameters that forward has read last are still at hand. */
    for (size_t copy = pass->first_copy + pass->n_copies; copy-- > pass->first_copy;)
        if (has_adjoint(pass, copy)) leaves_backward(pass, copy);
    owi_input_gradient(circuit, pass->batch, pass->n_rows, pass->rows, &pass->tiles,
                       pass->d_features, pass->adjoint_sum, gradient);
}
