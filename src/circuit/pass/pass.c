/* SPDX-License-Identifier: MIT */
#include "circuit/pass/pass.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/sizes.h"
#include "circuit/pass/adjoint_lanes.h"
#include "circuit/pass/tile_change.h"

/* Fewer rows than this are run one by one: a tile would compute mostly spare lanes. */
enum { fewest_tiled_rows = 24 };

static owi_batch batch_of(size_t n_rows, bool in_tiles)
{
    return n_rows < fewest_tiled_rows && !in_tiles ? (owi_batch){n_rows, 1, 0}
                                                   : owi_tiles_of(n_rows);
}

/* ---- Buffers ---- */

static size_t components_at(const ow_circuit *circuit, size_t depth)
{
    return depth == circuit->spec.depth ? circuit->spec.inputs : circuit->spec.sums;
}

/* Floats of one copy's layer at a depth, for so many rows (lanes included). */
static size_t layer_floats(const ow_circuit *circuit, size_t depth, size_t rows)
{
    return owi_circuit_n_regions(circuit, depth) * components_at(circuit, depth) * rows;
}

static size_t top_depth(const ow_circuit *circuit)
{
    return circuit->spec.depth == 0 ? 0 : 1;
}

static size_t widest_layer(const ow_circuit *circuit, size_t rows)
{
    size_t widest = 0;
    for (size_t d = top_depth(circuit); d <= circuit->spec.depth; d++) {
        const size_t floats = layer_floats(circuit, d, rows);
        widest = floats > widest ? floats : widest;
    }
    return widest;
}

/* For the largest batch and for any smaller one: a few rows, each a tile of its own, may
 * need more than the many that share one. */
static size_t scratch_floats(const ow_circuit *circuit, size_t most_rows)
{
    const size_t K = owi_larger(circuit->spec.inputs, circuit->spec.sums);
    const size_t few_rows = owi_smaller(most_rows, fewest_tiled_rows - 1);
    return owi_larger(owi_scratch_floats(K, owi_tiles_of(most_rows)),
                      owi_scratch_floats(K, batch_of(few_rows, false)));
}

/* Takes every buffer from the workspace; without a workspace only counts.  Returns the
 * size. */
static size_t carve(owi_pass *pass, size_t rows, bool with_backward)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t n_copies = circuit->regions.n_copies, D = circuit->spec.depth;
    const size_t C = circuit->spec.n_classes;
    owi_carver from = {pass->workspace, 0};

    pass->tiles.features = owi_carve(&from, circuit->n_features * rows, sizeof(float));
    pass->tiles.gap_features =
        owi_carve(&from, circuit->n_gap_features * rows, sizeof(float));
    pass->tiles.row_constant = owi_carve(&from, rows, sizeof(double));
    for (size_t d = top_depth(circuit); d <= D; d++) {
        const size_t floats = n_copies * layer_floats(circuit, d, rows);
        pass->layer[d].log_value = owi_carve(&from, floats, sizeof(float));
        pass->layer[d].value = owi_carve(&from, floats, sizeof(float));
        pass->layer[d].top =
            owi_carve(&from, n_copies * owi_circuit_n_regions(circuit, d) * rows,
                      sizeof(float));
    }
    pass->log_root = owi_carve(&from, C * rows, sizeof(double));
    pass->scratch =
        owi_carve(&from, scratch_floats(circuit, pass->most_rows), sizeof(float));
    pass->class_row = owi_carve(&from, 2 * C, sizeof(double));
    if (!with_backward) return from.size;
    pass->adjoint = owi_carve(&from, C * rows, sizeof(float));
    pass->adjoint_sum = owi_carve(&from, rows, sizeof(float));
    for (int i = 0; i < 2; i++)
        pass->flow[i] =
            owi_carve(&from, D > 1 ? widest_layer(circuit, rows) : 0, sizeof(float));
    pass->leaf_flow =
        owi_carve(&from, n_copies * layer_floats(circuit, D, rows), sizeof(float));
    pass->d_features = owi_carve(&from, circuit->n_features * rows, sizeof(float));
    const size_t packed = n_copies > 1 ? owi_tile_lanes : 0;
    pass->packed_flow = owi_carve(&from, layer_floats(circuit, D, packed), sizeof(float));
    pass->packed_features = owi_carve(&from, circuit->n_features * packed, sizeof(float));
    const size_t F = circuit->n_features;
    pass->change = owi_carve(&from, F * owi_tile_lanes, sizeof(float));
    pass->changed =
        owi_carve(&from, owi_lane_groups * owi_scope_words(F), sizeof(uint32_t));
    pass->marked = (owi_marked){pass->changed, owi_carve(&from, F, sizeof(uint32_t)),
                                owi_carve(&from, F, sizeof(size_t))};
    return from.size;
}

ow_status owi_pass_init(owi_pass *pass, const ow_circuit *circuit,
                        const owi_backend *backend, size_t most_rows, bool with_backward)
{
    *pass = (owi_pass){.circuit = circuit, .backend = backend, .most_rows = most_rows};
    const owi_batch batch = owi_tiles_of(most_rows);
    const size_t rows = batch.n_tiles * batch.lanes;
    const size_t size = carve(pass, rows, with_backward);
    OWI_TRY(owi_workspace_new(circuit->ctx, size, &pass->workspace));
    (void)carve(pass, rows, with_backward);
    const ow_status status = owi_workspace_status(pass->workspace);
    if (status != OW_OK) owi_pass_clear(pass);
    return status;
}

void owi_pass_clear(owi_pass *pass)
{
    owi_workspace_free(pass->workspace);
    pass->workspace = NULL;
}

/* ---- Forward ---- */

static size_t padded_rows(const owi_pass *pass)
{
    return pass->batch.n_tiles * pass->batch.lanes;
}

/* One copy's part of a layer. */
static owi_layer_values layer_of(const owi_pass *pass, size_t depth, size_t copy)
{
    const size_t rows = padded_rows(pass);
    const size_t floats = layer_floats(pass->circuit, depth, rows);
    const owi_layer_values *layer = &pass->layer[depth];
    return (owi_layer_values){
        layer->log_value + copy * floats, layer->value + copy * floats,
        layer->top + copy * owi_circuit_n_regions(pass->circuit, depth) * rows};
}

static owi_weights weights_at(const ow_circuit *circuit, size_t offset)
{
    return (owi_weights){circuit->linear_weight + offset, circuit->log_weight + offset};
}

static bool is_near_base(const owi_pass *pass)
{
    return pass->base.features != NULL && !pass->tiles.has_gaps;
}

static void leaves_forward(owi_pass *pass, size_t copy, float *log_value)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const owi_leaf_shape leaves = owi_circuit_leaf_shape(circuit, copy);
    const size_t n_nodes = leaves.n_regions * leaves.n_components;
    const size_t floats = n_nodes * padded_rows(pass);

    if (is_near_base(pass)) {
        memcpy(log_value, pass->base.log_value + copy * floats, floats * sizeof *log_value);
        backend->leaf_change(backend, &leaves, pass->batch, circuit->theta, &pass->marked,
                             pass->change, log_value);
        return;
    }
    if (pass->tiles.has_gaps) {
        /* The constants of plain Gaussians, each only where its value is there. */
        const owi_leaf_shape gaps = owi_circuit_gap_shape(circuit, copy);
        memset(log_value, 0, floats * sizeof *log_value);
        backend->leaf_forward(backend, &gaps, pass->batch, circuit->gap_theta, NULL,
                              pass->tiles.gap_features, log_value);
    }
    backend->leaf_forward(backend, &leaves, pass->batch, circuit->theta,
                          pass->tiles.has_gaps ? NULL : circuit->bias + copy * n_nodes,
                          pass->tiles.features, log_value);
}

static void forward_copy(owi_pass *pass, size_t copy)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const size_t D = circuit->spec.depth, I = circuit->spec.inputs;
    owi_layer_values below = layer_of(pass, D, copy);

    leaves_forward(pass, copy, below.log_value);
    backend->normalize(backend, owi_circuit_n_regions(circuit, D), I, pass->batch, &below);

    for (size_t d = D; d-- > 1;) {
        const owi_sum_shape sums = owi_circuit_sum_shape(circuit, d);
        const owi_layer_values out = layer_of(pass, d, copy);
        backend->sum_forward(backend, &sums, pass->batch,
                             weights_at(circuit,
                                        owi_circuit_inner_offset(circuit, d, copy)),
                             &below, &out, pass->scratch);
        below = out;
    }
    const owi_root_shape root = owi_circuit_root_shape(circuit);
    backend->root_forward(backend, &root, pass->batch,
                          weights_at(circuit, owi_circuit_root_offset(circuit, copy)),
                          &below,
                          pass->log_root + copy * root.n_classes * padded_rows(pass),
                          pass->scratch);
}

ow_status owi_pass_forward_some(owi_pass *pass, size_t n_rows, const float *rows, bool soft,
                                size_t first_row, size_t first_copy, size_t n_copies)
{
    pass->batch = batch_of(n_rows, pass->in_tiles);
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

/* Where class c of a row stands in (copy, T, classes of a copy, L). */
static size_t root_index(const owi_pass *pass, size_t row, size_t c)
{
    const size_t n = owi_circuit_copy_classes(pass->circuit);
    const size_t copy = n == 1 ? c : c / n, own = c - copy * n;
    const size_t at = copy * pass->batch.n_tiles * n + own;
    if (pass->batch.lanes == 1) return at + row * n;
    return (at + row / owi_tile_lanes * n) * owi_tile_lanes + row % owi_tile_lanes;
}

double owi_pass_log_class(const owi_pass *pass, size_t row, size_t c)
{
    return pass->log_root[root_index(pass, row, c)] + pass->tiles.row_constant[row];
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
    const size_t at = r * components_at(pass->circuit, depth) * L + lane;
    const owi_layer_values layer = layer_of(pass, depth, copy);
    return (owi_region_values){layer.log_value + at, layer.value + at, L,
                               layer.top[r * L + lane]};
}

/* ---- Backward ---- */

void owi_pass_clear_adjoints(owi_pass *pass)
{
    const size_t rows = padded_rows(pass);
    memset(pass->adjoint, 0, pass->circuit->spec.n_classes * rows * sizeof *pass->adjoint);
    memset(pass->adjoint_sum, 0, rows * sizeof *pass->adjoint_sum);
}

void owi_pass_set_adjoint(owi_pass *pass, size_t row, size_t c, float adjoint)
{
    const size_t at = root_index(pass, row, c);
    if (pass->log_root[at] == -INFINITY) return; /* nothing flows through the impossible */
    pass->adjoint_sum[row] += adjoint - pass->adjoint[at];
    pass->adjoint[at] = adjoint;
}

static void backward_copy(owi_pass *pass, size_t copy, const owi_statistics *statistics)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const size_t D = circuit->spec.depth, rows = padded_rows(pass);
    const owi_root_shape root = owi_circuit_root_shape(circuit);
    float *leaf_flow = pass->leaf_flow + copy * layer_floats(circuit, D, rows);
    float *weight = statistics != NULL ? statistics->weight : NULL;

    const size_t at = owi_circuit_root_offset(circuit, copy);
    const owi_layer_values top = layer_of(pass, top_depth(circuit), copy);
    float *flow = D <= 1 ? leaf_flow : pass->flow[0];
    backend->root_backward(backend, &root, pass->batch, weights_at(circuit, at), &top,
                           pass->log_root + copy * root.n_classes * rows,
                           pass->adjoint + copy * root.n_classes * rows, flow,
                           weight != NULL ? weight + at : NULL, pass->scratch);
    for (size_t d = 1; d < D; d++) {
        const owi_sum_shape sums = owi_circuit_sum_shape(circuit, d);
        const size_t inner = owi_circuit_inner_offset(circuit, d, copy);
        const owi_layer_values in = layer_of(pass, d + 1, copy);
        float *below = d + 1 == D ? leaf_flow : pass->flow[d % 2];
        backend->sum_backward(backend, &sums, pass->batch, weights_at(circuit, inner), &in,
                              flow, below, weight != NULL ? weight + inner : NULL,
                              pass->scratch);
        flow = below;
    }
}

/* Adds one copy's leaf statistics. */
static void leaf_statistics(owi_pass *pass, size_t copy, const owi_statistics *statistics)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const owi_leaf_shape leaves = owi_circuit_leaf_shape(circuit, copy);
    const size_t n_nodes = leaves.n_regions * leaves.n_components;
    const float *flow = pass->leaf_flow + copy * layer_floats(circuit, circuit->spec.depth,
                                                              padded_rows(pass));
    float *total = pass->tiles.has_gaps ? statistics->leaf_gappy : statistics->leaf_whole;

    backend->leaf_statistics(backend, &leaves, pass->batch, flow, pass->tiles.features,
                             statistics->leaf, total + copy * n_nodes);
    if (!pass->tiles.has_gaps) return;
    const owi_leaf_shape gaps = owi_circuit_gap_shape(circuit, copy);
    backend->leaf_statistics(backend, &gaps, pass->batch, flow, pass->tiles.gap_features,
                             statistics->leaf_there, NULL);
}

/* Nothing flows down a copy without a adjoint. */
static bool is_seeded(const owi_pass *pass, size_t copy)
{
    const size_t n = owi_circuit_copy_classes(pass->circuit) * padded_rows(pass);
    const float *adjoint = pass->adjoint + copy * n;
    size_t i = 0;
    while (i < n && adjoint[i] == 0.0f) i++;
    return i < n;
}

void owi_pass_backward(owi_pass *pass, const owi_statistics *statistics)
{
    const size_t floats =
        layer_floats(pass->circuit, pass->circuit->spec.depth, padded_rows(pass));
    for (size_t copy = pass->first_copy; copy < pass->first_copy + pass->n_copies; copy++) {
        if (!is_seeded(pass, copy)) {
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
    const size_t L = pass->batch.lanes, D = pass->circuit->spec.depth;
    *stride = L;
    return pass->leaf_flow + copy * layer_floats(pass->circuit, D, padded_rows(pass)) +
           row / L * layer_floats(pass->circuit, D, L) + row % L;
}

/* One copy's flow on to the features; of a single tile only the lanes that it concerns, if
 * that is fewer groups of them. */
static void leaves_backward(owi_pass *pass, size_t copy)
{
    const ow_circuit *circuit = pass->circuit;
    const owi_backend *backend = pass->backend;
    const owi_leaf_shape leaves = owi_circuit_leaf_shape(circuit, copy);
    const size_t rows = padded_rows(pass), F = circuit->n_features;
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
    const size_t rows = padded_rows(pass);

    memset(pass->d_features, 0, circuit->n_features * rows * sizeof *pass->d_features);
    /* Backwards: the parameters that forward has read last are still at hand. */
    for (size_t copy = pass->first_copy + pass->n_copies; copy-- > pass->first_copy;)
        if (is_seeded(pass, copy)) leaves_backward(pass, copy);
    owi_input_gradient(circuit, pass->batch, pass->n_rows, pass->rows, &pass->tiles,
                       pass->d_features, pass->adjoint_sum, gradient);
}
