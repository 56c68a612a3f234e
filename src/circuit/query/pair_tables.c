/* SPDX-License-Identifier: MIT */
#include "circuit/query/pair_tables.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "circuit/query/pair_couple.h"

/* Logarithms: second is at most this large in a product; an outer product that is below
 * this is left out. */
static const double most_second = 10.0, least_apart = -80.0;

static double larger(double a, double b) /* fmax is a call */
{
    return a > b ? a : b;
}

/* ---- What does not depend on the row ---- */

static size_t n_nodes(const ow_circuit *circuit)
{
    return circuit->regions.n_regions * circuit->spec.inputs;
}

static void fill_tables(const ow_changes *changes, owi_pair_tables *tables)
{
    const ow_circuit *circuit = changes->evaluator->circuit;
    const size_t N = changes->leaves.n_leaves, M = changes->n_candidates;
    const size_t I = circuit->spec.inputs, n_parts = circuit->regions.n_parts;

    owi_row_tree_weights(circuit, tables->weight);
    for (size_t copy = 0; copy < circuit->regions.n_copies; copy++) {
        for (size_t i = 0; i < M; i++)
            for (size_t n = 0; n < N; n++)
                tables->across[(copy * N + n) * M + i] =
                    changes->table[(copy * M + i) * N + n];
        for (size_t j = 0; j < circuit->spec.n_columns; j++) {
            const size_t *node = owi_column_nodes(&changes->leaves, copy, j);
            uint32_t *held = tables->held + (copy * circuit->spec.n_columns + j) * N;
            for (size_t n = 0; n < N; n++) held[n] = (uint32_t)(node[n / I] + n % I);
        }
    }
    uint32_t *other = tables->other;
    for (size_t r = 0; r < circuit->regions.n_regions; r++) {
        const size_t first = r / n_parts * n_parts;
        tables->other_start[r] = (uint32_t)(other - tables->other);
        for (size_t b = first; b < first + n_parts; b++)
            for (size_t k = 0; k < I && b != r; k++) *other++ = (uint32_t)(b * I + k);
    }
    tables->other_start[circuit->regions.n_regions] = (uint32_t)(other - tables->other);
}

ow_status owi_pair_tables_new(const ow_changes *changes, owi_pair_tables **out)
{
    const ow_circuit *circuit = changes->evaluator->circuit;
    ow_context *ctx = circuit->ctx;
    const size_t N = changes->leaves.n_leaves, n_copies = circuit->regions.n_copies;
    const size_t n_other = (circuit->regions.n_parts - 1) * n_nodes(circuit);

    *out = NULL;
    owi_pair_tables *tables = owi_alloc_zeroed(ctx, sizeof *tables);
    if (tables == NULL) return OW_ERR_MEMORY;
    tables->weight = owi_alloc_array(ctx, circuit->n_weights, sizeof *tables->weight);
    tables->across =
        owi_alloc_array(ctx, n_copies * N * changes->n_candidates, sizeof *tables->across);
    tables->other_start =
        owi_alloc_array(ctx, circuit->regions.n_regions + 1, sizeof *tables->other_start);
    tables->other = owi_alloc_array(ctx, n_other, sizeof *tables->other);
    tables->held =
        owi_alloc_array(ctx, n_copies * circuit->spec.n_columns * N, sizeof *tables->held);
    tables->zeros =
        owi_alloc_array(ctx, owi_larger(changes->most_in_column, n_nodes(circuit)),
                        sizeof *tables->zeros);
    if (tables->weight == NULL || tables->across == NULL || tables->other_start == NULL ||
        tables->other == NULL || tables->held == NULL || tables->zeros == NULL) {
        owi_pair_tables_free(tables, ctx);
        return OW_ERR_MEMORY;
    }
    fill_tables(changes, tables);
    *out = tables;
    return OW_OK;
}

void owi_pair_tables_free(owi_pair_tables *tables, ow_context *ctx)
{
    if (tables == NULL) return;
    owi_free(ctx, tables->weight);
    owi_free(ctx, tables->across);
    owi_free(ctx, tables->other_start);
    owi_free(ctx, tables->other);
    owi_free(ctx, tables->held);
    owi_free(ctx, tables->zeros);
    owi_free(ctx, tables);
}

void owi_pair_row_carve(owi_pair_row *pairs, owi_carver *from)
{
    const ow_changes *changes = pairs->changes;
    const ow_circuit *circuit = changes->evaluator->circuit;
    const size_t d = circuit->spec.n_columns, C = circuit->spec.n_classes;
    const size_t N = changes->leaves.n_leaves, nodes = n_nodes(circuit);
    const size_t n_regions = circuit->regions.n_regions;
    const size_t n_parts = circuit->regions.n_parts;
    const size_t lanes = owi_tiles_of(changes->n_candidates).n_tiles * owi_tile_lanes;

    pairs->tree.circuit = circuit;
    pairs->tree.leaves = &changes->leaves;
    pairs->tree.weight = pairs->tables->weight;
    owi_row_tree_carve(&pairs->tree, from);
    pairs->candidate = owi_carve(from, changes->n_candidates, sizeof *pairs->candidate);
    pairs->lane_start = owi_carve(from, d + 1, sizeof *pairs->lane_start);
    pairs->classes = owi_carve(from, C, sizeof *pairs->classes);
    for (size_t c = 0; c < C; c++) {
        owi_pair_class one = {.first = owi_carve(from, d * N, sizeof(float)),
                              .z = owi_carve(from, d, sizeof(double)),
                              .y = owi_carve(from, d, sizeof(double)),
                              .second = owi_carve(from, nodes * lanes, sizeof(float)),
                              .log_x = owi_carve(from, d * N, sizeof(double)),
                              .log_flow = owi_carve(from, nodes, sizeof(double)),
                              .apart = owi_carve(from, d * N, sizeof(owi_pair_apart))};
        if (pairs->classes != NULL) pairs->classes[c] = one;
    }
    pairs->values = owi_carve(from, nodes * lanes, sizeof(float));
    pairs->h = owi_carve(from, nodes * (n_parts - 1) * circuit->spec.inputs, sizeof(float));
    owi_pair_couple_carve(pairs, from);
    pairs->scale = owi_carve(from, n_regions * n_parts, sizeof(double));
    pairs->most_scale = owi_carve(from, n_regions, sizeof(double));
    pairs->own = owi_carve(from, nodes, sizeof(double));
    pairs->top_without = owi_carve(from, circuit->spec.repetitions, sizeof(double));
    pairs->parameters = owi_carve(from, changes->most_in_column * N, sizeof(float));
    pairs->sums = owi_carve(from, C * lanes * changes->most_in_column, sizeof(float));
}

/* ---- One row in one class ---- */

typedef struct {
    owi_pair_row *pairs;
    owi_pair_class *to;
    size_t copy, c;
} part;

/* row[lane] of one component, for the lanes of column k: set to, or raised by, factor times
 * p_n of the candidate. */
static void spread(const part *p, size_t k, size_t n, size_t node, float factor, bool add,
                   float *tiles)
{
    const owi_pair_row *pairs = p->pairs;
    const ow_changes *changes = pairs->changes;
    const size_t nodes = n_nodes(changes->evaluator->circuit);
    const float *across = pairs->tables->across +
                          (p->copy * changes->leaves.n_leaves + n) * changes->n_candidates;
    const size_t end = pairs->lane_start[k + 1];

    for (size_t lane = pairs->lane_start[k]; lane < end;) {
        const size_t tile = lane / owi_tile_lanes, at = lane % owi_tile_lanes;
        const size_t count = owi_smaller(end - lane, owi_tile_lanes - at);
        const uint32_t *candidate = pairs->candidate + lane;
        float *to = tiles + (tile * nodes + node) * owi_tile_lanes + at;
        if (candidate[count - 1] - candidate[0] == count - 1) {
            const float *from = across + candidate[0];
            for (size_t i = 0; i < count; i++)
                to[i] = factor * from[i] + (add ? to[i] : 0.0f);
        } else {
            for (size_t i = 0; i < count; i++)
                to[i] = factor * across[candidate[i]] + (add ? to[i] : 0.0f);
        }
        lane += count;
    }
}

/* most_scale[b] = max over other leaf regions a of the repetition of scale[a,b] - d_top[a];
 * H is multiplied with what is missing to that. */
static void balance_couplings(const part *p, const bool *wanted)
{
    owi_pair_row *pairs = p->pairs;
    const ow_circuit *circuit = pairs->changes->evaluator->circuit;
    const size_t I = circuit->spec.inputs, n_parts = circuit->regions.n_parts;
    const size_t width = (n_parts - 1) * I;

    for (size_t r = 0; r < circuit->regions.n_regions; r++) {
        const size_t first = r / n_parts * n_parts;
        double most = -INFINITY;
        if (wanted != NULL && !wanted[r]) continue;
        for (size_t a = first; a < first + n_parts; a++)
            if (a != r && (wanted == NULL || wanted[a]))
                most =
                    fmax(most, pairs->scale[a * n_parts + r - first] -
                                   pairs->tree.d_top[owi_row_tree_leaf(&pairs->tree, a)]);
        pairs->most_scale[r] = most;
    }
    for (size_t a = 0; a < circuit->regions.n_regions && n_parts > 2; a++)
        for (size_t place = 0; place + 1 < n_parts; place++) {
            const size_t first = a / n_parts * n_parts;
            const size_t b = place + (first + place >= a);
            if (wanted != NULL && (!wanted[a] || !wanted[first + b])) continue;
            const float factor =
                (float)exp(pairs->scale[a * n_parts + b] -
                           pairs->tree.d_top[owi_row_tree_leaf(&pairs->tree, a)] -
                           pairs->most_scale[first + b]);
            float *h = pairs->h + a * I * width + place * I;
            for (size_t n = 0; n < I; n++)
                for (size_t m = 0; m < I; m++) h[n * width + m] *= factor;
        }
}

/* Column j: the value of each component without it, relative to the largest of its
 * repetition; that goes to `first`, with z, and times p_n to its lanes of the values of
 * single changes, with y. */
static void fill_column(const part *p, size_t j, double most_flow)
{
    owi_pair_row *pairs = p->pairs;
    const owi_row_tree *tree = &pairs->tree;
    const size_t I = tree->circuit->spec.inputs, R = tree->circuit->spec.repetitions;
    const size_t *node = owi_column_nodes(tree->leaves, p->copy, j);
    const double *log_x = tree->log_x + j * R * I;
    const bool has_others = tree->circuit->regions.n_parts > 1;
    double z = -INFINITY, y = -INFINITY, *top = pairs->top_without;

    for (size_t rep = 0; rep < R; rep++) {
        const size_t region = node[rep] / I;
        top[rep] = -INFINITY;
        for (size_t k = 0; k < I; k++) {
            const size_t at = node[rep] + k;
            const double log_without = tree->log_value[at] - log_x[rep * I + k];
            const double own =
                p->to->log_flow[at] - most_flow + pairs->own[at] - log_x[rep * I + k];
            top[rep] = larger(top[rep], log_without);
            y = larger(y, own);
        }
        z = larger(z, top[rep] + tree->d_top[owi_row_tree_leaf(tree, region)]);
        if (has_others) y = larger(y, top[rep] + pairs->most_scale[region]);
    }
    p->to->z[j] = z;
    p->to->y[j] = y;
    for (size_t rep = 0; rep < R; rep++) {
        const size_t region = node[rep] / I;
        const double to_first =
            exp(top[rep] + tree->d_top[owi_row_tree_leaf(tree, region)] - z);
        const double to_value =
            has_others ? exp(top[rep] + pairs->most_scale[region] - y) : 0.0;
        for (size_t k = 0; k < I; k++) {
            const size_t n = rep * I + k, at = node[rep] + k;
            const double without = exp(tree->log_value[at] - log_x[n] - top[rep]);
            p->to->first[j * R * I + n] = (float)(without * to_first);
            if (has_others)
                spread(p, j, n, at, (float)(without * to_value), false, pairs->values);
        }
    }
}

/* The lanes of column k in the derivatives of the regions that hold it. */
static void fill_own(const part *p, size_t k)
{
    owi_pair_row *pairs = p->pairs;
    const owi_row_tree *tree = &pairs->tree;
    const size_t I = tree->circuit->spec.inputs, N = tree->leaves->n_leaves;
    const size_t *node = owi_column_nodes(tree->leaves, p->copy, k);
    const double *log_x = tree->log_x + k * N;

    for (size_t n = 0; n < N; n++) {
        const size_t at = node[n / I] + n % I;
        const double log_second = pairs->own[at] - log_x[n] - p->to->y[k];
        if (log_second > most_second)
            p->to->apart[p->to->n_apart++] = (owi_pair_apart){(uint32_t)k, (uint32_t)n};
        else if (log_second > least_apart)
            spread(p, k, n, at, (float)exp(log_second), true, p->to->second);
    }
}

static bool fill_class(const part *p, const float *row)
{
    owi_pair_row *pairs = p->pairs;
    owi_row_tree *tree = &pairs->tree;
    const ow_circuit *circuit = tree->circuit;
    const size_t d = circuit->spec.n_columns, I = circuit->spec.inputs;
    const size_t N = tree->leaves->n_leaves, nodes = n_nodes(circuit);
    const size_t floats = pairs->batch.n_tiles * nodes * owi_tile_lanes;
    double most_flow = -INFINITY;

    if (p->c % owi_circuit_copy_classes(circuit) == 0 &&
        !owi_row_tree_up(tree, p->copy, row))
        return false;
    if (!owi_row_tree_down(tree, p->c)) return false;
    const bool *wanted = owi_pair_couple_wanted(pairs, p->copy);
    owi_row_tree_couple(tree, p->c, wanted, pairs->h, pairs->scale);
    balance_couplings(p, wanted);
    memcpy(p->to->log_x, tree->log_x, d * N * sizeof *tree->log_x);
    for (size_t at = 0; at < nodes; at++) {
        const size_t leaf = owi_row_tree_leaf(tree, at / I);
        pairs->own[at] = log(tree->d[leaf * tree->most + at % I]);
        p->to->log_flow[at] = tree->log_value[at] + tree->d_top[leaf] + pairs->own[at];
        most_flow = larger(most_flow, p->to->log_flow[at]);
    }
    if (!isfinite(most_flow)) return false;
    p->to->n_apart = 0;
    memset(circuit->regions.n_parts > 1 ? pairs->values : p->to->second, 0,
           floats * sizeof(float));
    for (size_t j = 0; j < d; j++)
        if (pairs->lane_start[j] < pairs->lane_start[j + 1]) fill_column(p, j, most_flow);
    if (circuit->regions.n_parts > 1) owi_pair_couple(pairs, p->copy, p->to->second);
    for (size_t k = 0; k < d; k++)
        if (pairs->lane_start[k] < pairs->lane_start[k + 1]) fill_own(p, k);
    return true;
}

bool owi_pair_row_fill(owi_pair_row *pairs, const float *row)
{
    const ow_circuit *circuit = pairs->changes->evaluator->circuit;
    pairs->batch = owi_tiles_of(pairs->n_lanes);
    for (size_t c = 0; c < circuit->spec.n_classes; c++) {
        const part p = {pairs, &pairs->classes[c], c / owi_circuit_copy_classes(circuit),
                        c};
        if (!fill_class(&p, row)) return false;
    }
    return true;
}

/* ---- Products ---- */

/* Components of column k that are not in the product: an outer product each. */
static void add_apart(const part *p, size_t j, size_t first_tile, size_t m, float *sums)
{
    const owi_pair_row *pairs = p->pairs;
    const ow_changes *changes = pairs->changes;
    const size_t I = changes->evaluator->circuit->spec.inputs, N = changes->leaves.n_leaves;
    const size_t M = changes->n_candidates;
    const size_t *node_j = owi_column_nodes(&changes->leaves, p->copy, j);

    for (size_t i = 0; i < p->to->n_apart; i++) {
        const size_t k = p->to->apart[i].column, n = p->to->apart[i].n;
        const size_t *node_k = owi_column_nodes(&changes->leaves, p->copy, k);
        if (k <= j || node_k[n / I] != node_j[n / I]) continue;
        const double log_share = p->to->log_flow[node_k[n / I] + n % I] -
                                 p->to->log_x[j * N + n] - p->to->log_x[k * N + n] -
                                 p->to->z[j] - p->to->y[k];
        if (log_share < least_apart) continue;
        const float share = (float)exp(log_share);
        const float *across = pairs->tables->across + (p->copy * N + n) * M;
        for (size_t v = 0; v < m; v++) {
            const float factor = share * across[pairs->candidate[pairs->lane_start[j] + v]];
            for (size_t lane = pairs->lane_start[k]; lane < pairs->lane_start[k + 1];
                 lane++) {
                const size_t tile = lane / owi_tile_lanes - first_tile;
                sums[(tile * m + v) * owi_tile_lanes + lane % owi_tile_lanes] +=
                    factor * across[pairs->candidate[lane]];
            }
        }
    }
}

void owi_pair_row_multiply(owi_pair_row *pairs, size_t j, size_t *first_tile)
{
    const ow_changes *changes = pairs->changes;
    const ow_circuit *circuit = changes->evaluator->circuit;
    const owi_backend *backend = changes->evaluator->backend;
    const size_t N = changes->leaves.n_leaves, nodes = n_nodes(circuit);
    const size_t m = pairs->lane_start[j + 1] - pairs->lane_start[j];
    const uint32_t scope_start[2] = {0, (uint32_t)N};

    *first_tile = pairs->lane_start[j + 1] / owi_tile_lanes;
    owi_batch batch = pairs->batch;
    batch.n_tiles -= *first_tile;
    for (size_t c = 0; c < circuit->spec.n_classes; c++) {
        const part p = {pairs, &pairs->classes[c], c / owi_circuit_copy_classes(circuit),
                        c};
        const float *first = p.to->first + j * N;
        float *sums = pairs->sums + c * batch.n_tiles * m * owi_tile_lanes;
        for (size_t v = 0; v < m; v++) {
            const size_t candidate = pairs->candidate[pairs->lane_start[j] + v];
            const float *line =
                changes->table + (p.copy * changes->n_candidates + candidate) * N;
            for (size_t n = 0; n < N; n++)
                pairs->parameters[v * N + n] = line[n] * first[n];
        }
        const owi_leaf_shape shape = {.n_regions = 1,
                                      .n_components = m,
                                      .n_features = nodes,
                                      .scope_start = scope_start,
                                      .scope = pairs->tables->held +
                                               (p.copy * circuit->spec.n_columns + j) * N};
        backend->leaf_forward(backend, &shape, batch, pairs->parameters,
                              pairs->tables->zeros,
                              p.to->second + *first_tile * nodes * owi_tile_lanes, sums);
        add_apart(&p, j, *first_tile, m, sums);
    }
}
