/* SPDX-License-Identifier: MIT */
#include "circuit/pass/tree_row.h"

#include <math.h>
#include <string.h>

/* Below this a sum of products with float weights, whose largest factors are 1, has lost
 * what it was made of. */
static const double least_sum = 1e-30;

size_t owi_tree_row_size(const ow_circuit *circuit)
{
    return circuit->regions.n_regions * 4 * (circuit->spec.inputs + 1) +
           2 * circuit->spec.inputs;
}

owi_tree_row owi_tree_row_of(const ow_circuit *circuit, double *buffers)
{
    const size_t n = circuit->regions.n_regions, K = circuit->spec.inputs;
    double *const tops = buffers + 4 * n * K;
    return (owi_tree_row){.circuit = circuit,
                          .up = buffers,
                          .below = buffers + n * K,
                          .beside = buffers + 2 * n * K,
                          .down = buffers + 3 * n * K,
                          .up_top = tops,
                          .below_top = tops + n,
                          .beside_top = tops + 2 * n,
                          .down_top = tops + 3 * n,
                          .in = tops + 4 * n,
                          .out = tops + 4 * n + K};
}

size_t owi_tree_row_parent(const owi_tree_row *row, size_t r)
{
    const owi_region_graph *regions = &row->circuit->regions;
    return r / regions->n_parts * regions->n_parts + regions->parent[r];
}

owi_weights owi_tree_row_edge(const owi_tree_row *row, size_t r)
{
    const ow_circuit *circuit = row->circuit;
    const size_t n = circuit->regions.n_parts, K = circuit->spec.inputs;
    const size_t at = owi_circuit_inner_offset(circuit, 1, row->copy) +
                      (r / n * (n - 1) + r % n - 1) * K * K;
    return (owi_weights){circuit->linear_weight + at, circuit->log_weight + at};
}

/* Subtracts the largest of n logarithms from them, and returns it; -infinity where all
 * are: then they stay. */
static double take_top(size_t n, double *x)
{
    double top = -INFINITY;
    for (size_t k = 0; k < n; k++) top = x[k] > top ? x[k] : top;
    for (size_t k = 0; k < n && top > -INFINITY; k++) x[k] -= top;
    return top;
}

/* log sum_k weight[first + k * step] exp(in[k]), term by term. */
static double exact_sum(size_t K, const float *log_weight, size_t step, const double *in)
{
    double top = -INFINITY, sum = 0.0;
    for (size_t k = 0; k < K; k++) top = fmax(top, (double)log_weight[k * step] + in[k]);
    if (top == -INFINITY) return -INFINITY;
    for (size_t k = 0; k < K; k++) sum += exp((double)log_weight[k * step] + in[k] - top);
    return top + log(sum);
}

/* row->in (logarithms) along an edge, to its parent or from it: message gets what arrives,
 * relative to the logarithm that is returned. */
static double pass_edge(owi_tree_row *row, size_t r, bool to_parent, double *message)
{
    const size_t K = row->circuit->spec.inputs;
    const owi_weights w = owi_tree_row_edge(row, r);
    const size_t each = to_parent ? K : 1, step = to_parent ? 1 : K;
    const double top = take_top(K, row->in);

    for (size_t k = 0; k < K; k++) row->out[k] = top > -INFINITY ? exp(row->in[k]) : 0.0;
    for (size_t i = 0; i < K; i++) {
        double sum = 0.0;
        for (size_t k = 0; k < K; k++)
            sum += (double)w.linear[i * each + k * step] * row->out[k];
        message[i] =
            sum >= least_sum ? log(sum) : exact_sum(K, w.log + i * each, step, row->in);
    }
    const double most = take_top(K, message);
    return most > -INFINITY ? top + most : -INFINITY;
}

/* beside = the sum of up over the siblings: first those before, then those behind.  `below`
 * of their parent adds them up on the way, and is whole in the end. */
static void add_siblings(owi_tree_row *row)
{
    const size_t n = row->circuit->regions.n_regions, K = row->circuit->spec.inputs;
    const size_t n_parts = row->circuit->regions.n_parts;

    memset(row->beside, 0, n * K * sizeof *row->beside);
    memset(row->beside_top, 0, n * sizeof *row->beside_top);
    for (int round = 0; round < 2; round++) {
        memset(row->below, 0, n * K * sizeof *row->below);
        memset(row->below_top, 0, n * sizeof *row->below_top);
        for (size_t i = 0; i < n; i++) {
            const size_t r = round == 0 ? i : n - 1 - i;
            if (r % n_parts == 0) continue;
            const size_t q = owi_tree_row_parent(row, r);
            for (size_t k = 0; k < K; k++) {
                row->beside[r * K + k] += row->below[q * K + k];
                row->below[q * K + k] += row->up[r * K + k];
            }
            row->beside_top[r] += row->below_top[q];
            row->below_top[q] += row->up_top[r];
        }
    }
}

void owi_tree_row_up(owi_tree_row *row)
{
    const size_t n = row->circuit->regions.n_regions, K = row->circuit->spec.inputs;
    const size_t n_parts = row->circuit->regions.n_parts;

    memset(row->below, 0, n * K * sizeof *row->below);
    memset(row->below_top, 0, n * sizeof *row->below_top);
    for (size_t r = n; r-- > 0;) {
        if (r % n_parts == 0) continue;
        const size_t q = owi_tree_row_parent(row, r);
        double *up = row->up + r * K;
        for (size_t k = 0; k < K; k++)
            row->in[k] = row->leaf[r * K + k] + row->below[r * K + k];
        row->up_top[r] = row->below_top[r] + pass_edge(row, r, true, up);
        for (size_t k = 0; k < K; k++) row->below[q * K + k] += up[k];
        row->below_top[q] += row->up_top[r];
    }
    add_siblings(row);
}

void owi_tree_row_down(owi_tree_row *row, size_t c)
{
    const ow_circuit *circuit = row->circuit;
    const size_t n = circuit->regions.n_regions, K = circuit->spec.inputs;
    const size_t n_parts = circuit->regions.n_parts;
    const size_t per_copy = owi_circuit_copy_classes(circuit);
    const float *root = circuit->log_weight + owi_circuit_root_offset(circuit, row->copy) +
                        (c % per_copy) * circuit->spec.repetitions * K;

    for (size_t r = 0; r < n; r++) {
        double *down = row->down + r * K;
        if (r % n_parts == 0) {
            for (size_t k = 0; k < K; k++) down[k] = (double)root[r / n_parts * K + k];
            row->down_top[r] = 0.0;
            continue;
        }
        const size_t q = owi_tree_row_parent(row, r);
        for (size_t k = 0; k < K; k++)
            row->in[k] =
                row->leaf[q * K + k] + row->beside[r * K + k] + row->down[q * K + k];
        row->down_top[r] =
            row->down_top[q] + row->beside_top[r] + pass_edge(row, r, false, down);
    }
}
