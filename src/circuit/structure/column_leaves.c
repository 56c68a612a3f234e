/* SPDX-License-Identifier: MIT */
#include "circuit/structure/column_leaves.h"

#include <math.h>
#include <string.h>

#include "base/memory/alloc.h"
#include "circuit/structure/leaf_features.h"

/* Lines of a column: its features, and the constant of a plain Gaussian. */
static size_t count_lines(const ow_circuit *circuit, size_t j)
{
    return circuit->feature_start[j + 1] - circuit->feature_start[j] +
           (circuit->leaves[j].kind == OW_LEAF_GAUSSIAN);
}

/* Leaf region `region` of a copy: the parameters of its columns go to their lines. */
static void spread_region(owi_column_leaves *leaves, size_t copy, size_t region)
{
    const ow_circuit *circuit = leaves->circuit;
    const size_t I = circuit->spec.inputs, R = circuit->spec.repetitions;
    const size_t N = leaves->n_leaves, rep = region / circuit->regions.n_parts;
    const size_t r = copy * circuit->regions.n_regions + region;
    const size_t start = circuit->scope_start[r],
                 width = circuit->scope_start[r + 1] - start;
    const size_t gaps = circuit->gap_start[r], n_gaps = circuit->gap_start[r + 1] - gaps;
    const float *theta = circuit->theta + I * start;
    const float *gap_theta = circuit->gap_theta + I * gaps;

    for (uint32_t i = circuit->regions.start[r]; i < circuit->regions.start[r + 1]; i++) {
        const uint32_t j = circuit->regions.columns[i];
        const size_t n = circuit->feature_start[j + 1] - circuit->feature_start[j];
        float *line =
            leaves->theta + (copy * leaves->n_rows + leaves->first[j]) * N + rep * I;
        for (size_t f = 0; f < n; f++, line += N)
            for (size_t k = 0; k < I; k++) line[k] = theta[k * width + f];
        theta += n;
        if (circuit->leaves[j].kind == OW_LEAF_GAUSSIAN) {
            for (size_t k = 0; k < I; k++) line[k] = gap_theta[k * n_gaps];
            gap_theta++;
        }
        const size_t at = (copy * circuit->spec.n_columns + j) * R + rep;
        leaves->node[at] = region * I;
        leaves->parameter[at] =
            I * start + (size_t)(theta - n - (circuit->theta + I * start));
    }
}

ow_status owi_column_leaves_init(owi_column_leaves *leaves, const ow_circuit *circuit)
{
    ow_context *ctx = circuit->ctx;
    const size_t d = circuit->spec.n_columns, n_copies = circuit->regions.n_copies;

    *leaves =
        (owi_column_leaves){.circuit = circuit,
                            .n_leaves = circuit->spec.repetitions * circuit->spec.inputs};
    for (size_t j = 0; j < d; j++) leaves->n_rows += count_lines(circuit, j);
    leaves->first = owi_alloc_array(ctx, d, sizeof *leaves->first);
    const size_t n_places = n_copies * d * circuit->spec.repetitions;
    leaves->node = owi_alloc_array(ctx, n_places, sizeof *leaves->node);
    leaves->parameter = owi_alloc_array(ctx, n_places, sizeof *leaves->parameter);
    leaves->theta =
        owi_alloc_array(ctx, n_copies * leaves->n_rows * leaves->n_leaves, sizeof(float));
    if (leaves->first == NULL || leaves->node == NULL || leaves->parameter == NULL ||
        leaves->theta == NULL) {
        owi_column_leaves_clear(leaves);
        return OW_ERR_MEMORY;
    }
    for (size_t j = 0, line = 0; j < d; j++) {
        leaves->first[j] = line;
        line += count_lines(circuit, j);
    }
    for (size_t copy = 0; copy < n_copies; copy++)
        for (size_t region = 0; region < circuit->regions.n_regions; region++)
            spread_region(leaves, copy, region);
    return OW_OK;
}

void owi_column_leaves_clear(owi_column_leaves *leaves)
{
    if (leaves->circuit == NULL) return;
    owi_free(leaves->circuit->ctx, leaves->first);
    owi_free(leaves->circuit->ctx, leaves->node);
    owi_free(leaves->circuit->ctx, leaves->parameter);
    owi_free(leaves->circuit->ctx, leaves->theta);
    *leaves = (owi_column_leaves){0};
}

/* slope z + square z^2 + constant; square NULL where the variance is fixed. */
static void log_gaussians(size_t N, const float *slope, const float *square,
                          const float *constant, double z, double *log_p)
{
    if (square == NULL) {
        for (size_t n = 0; n < N; n++)
            log_p[n] = (double)slope[n] * z + (double)constant[n];
        return;
    }
    const double zz = z * z;
    for (size_t n = 0; n < N; n++)
        log_p[n] = (double)slope[n] * z + (double)square[n] * zz + (double)constant[n];
}

void owi_column_log(const owi_column_leaves *leaves, size_t copy, size_t column, float x,
                    double *log_p)
{
    const ow_circuit *circuit = leaves->circuit;
    const ow_leaf *leaf = &circuit->leaves[column];
    const size_t N = leaves->n_leaves;
    const float *line = leaves->theta + (copy * leaves->n_rows + leaves->first[column]) * N;

    if (isnan(x) || leaf->kind == OW_LEAF_FOLLOWS) {
        memset(log_p, 0, N * sizeof *log_p);
        return;
    }
    const size_t mass = owi_leaf_mass(leaf, x);
    if (owi_leaf_has_levels(leaf) || mass < leaf->n_masses) {
        line += (owi_leaf_has_levels(leaf) ? (size_t)x : mass) * N;
        for (size_t n = 0; n < N; n++) log_p[n] = (double)line[n];
        return;
    }
    const double z = owi_leaf_number(circuit, column, x);
    if (leaf->kind == OW_LEAF_POINT_MASSES) /* the slab's line has the constant */
        log_gaussians(N, line + (mass + 1) * N, line + (mass + 2) * N, line + mass * N, z,
                      log_p);
    else if (circuit->spec.variance > 0.0)
        log_gaussians(N, line, NULL, line + N, z, log_p);
    else
        log_gaussians(N, line, line + N, line + 2 * N, z, log_p);
}

void owi_column_log_values(const owi_column_leaves *leaves, size_t copy, const float *row,
                           double *log_p, double *log_value)
{
    const ow_circuit *circuit = leaves->circuit;
    const size_t I = circuit->spec.inputs, R = circuit->spec.repetitions;

    memset(log_value, 0, circuit->regions.n_regions * I * sizeof *log_value);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        if (isnan(row[j])) continue;
        const size_t *node = owi_column_nodes(leaves, copy, j);
        owi_column_log(leaves, copy, j, row[j], log_p);
        for (size_t rep = 0; rep < R; rep++)
            for (size_t k = 0; k < I; k++) log_value[node[rep] + k] += log_p[rep * I + k];
    }
}

float owi_column_mean(const owi_column_leaves *leaves, size_t copy, size_t column,
                      const float *flow, size_t stride)
{
    const ow_circuit *circuit = leaves->circuit;
    const size_t N = leaves->n_leaves, I = circuit->spec.inputs;
    const size_t *node = owi_column_nodes(leaves, copy, column);
    const ow_leaf *leaf = &circuit->leaves[column];
    const bool fixed = circuit->spec.variance > 0.0;
    const float *slope = leaves->theta +
                         (copy * leaves->n_rows + leaves->first[column]) * N +
                         (leaf->n_masses > 0 ? (leaf->n_masses + 1) * N : 0);
    double sum = 0.0, total = 0.0;

    if (leaf->kind == OW_LEAF_FOLLOWS) return NAN;
    for (size_t n = 0; n < N;
         n++) { /* slope = mean / variance, square = -1 / (2 variance) */
        const double g = (double)flow[(node[n / I] + n % I) * stride];
        sum += g * (double)slope[n];
        total += fixed ? g / circuit->spec.variance : -2.0 * g * (double)slope[N + n];
    }
    if (!(total > 0.0)) return NAN;
    return (float)((double)circuit->shift[column] + sum / total);
}

float owi_column_leaf_mean(const owi_column_leaves *leaves, size_t copy, size_t column,
                           size_t rep, size_t k)
{
    const ow_circuit *circuit = leaves->circuit;
    const size_t at =
        (copy * circuit->spec.n_columns + column) * circuit->spec.repetitions + rep;
    const size_t r =
        copy * circuit->regions.n_regions + leaves->node[at] / circuit->spec.inputs;
    const size_t width = circuit->scope_start[r + 1] - circuit->scope_start[r];
    const size_t n_masses = circuit->leaves[column].n_masses;
    return circuit
        ->leaf[leaves->parameter[at] + k * width + (n_masses > 0 ? n_masses + 1 : 0)];
}
