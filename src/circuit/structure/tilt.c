/* SPDX-License-Identifier: MIT */
/* Tilting a leaf p_k of one column by exp(beta . phi):
 *
 *     Gaussian       mean m, variance v -> mean m + beta v,  norm beta m + beta^2 v / 2
 *     levels         p_i                -> p_i exp(beta_i),  norm log sum_i p_i exp(beta_i)
 *     point masses   both: the slab's norm counts as its beta
 *
 * The norms of a component's columns add up.  A sum over pairs then has the weights W[i,j]
 * exp(norm_i + norm_j), whose total is its own norm; the root's is log Z. */
#include "circuit/structure/tilt.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "circuit/structure/leaf_features.h"

/* n log-probabilities, each plus its own `by`, and `last` for the last, to sum 1 again;
 * returns the log of what the sum was. */
static double tilt_levels(size_t n, const double *by, double last, float *log_p)
{
    double top = -INFINITY, sum = 0.0;
    log_p[n - 1] += (float)last;
    for (size_t i = 0; i < n; i++) {
        log_p[i] += (float)by[i];
        top = fmax(top, (double)log_p[i]);
    }
    for (size_t i = 0; i < n; i++) sum += exp((double)log_p[i] - top);
    const double log_sum = top + log(sum);
    for (size_t i = 0; i < n; i++) log_p[i] -= (float)log_sum;
    return log_sum;
}

static double tilt_gaussian(const ow_circuit *circuit, size_t column, double by,
                            float *parameter)
{
    const double v =
        circuit->spec.variance > 0.0 ? circuit->spec.variance : (double)parameter[1];
    const double m = (double)parameter[0] - (double)circuit->shift[column];
    parameter[0] = (float)((double)parameter[0] + by * v);
    return by * m + 0.5 * by * by * v;
}

/* The leaf of one column of one component; returns its norm. */
static double tilt_leaf(const ow_circuit *circuit, size_t column, const double *beta,
                        float *parameter)
{
    const ow_leaf *leaf = &circuit->leaves[column];
    if (leaf->kind == OW_LEAF_FOLLOWS) return 0.0;
    if (leaf->kind == OW_LEAF_GAUSSIAN)
        return tilt_gaussian(circuit, column, beta[0], parameter);
    if (owi_leaf_has_levels(leaf)) return tilt_levels(leaf->n_levels, beta, 0.0, parameter);
    const size_t n = leaf->n_masses + 1;
    const double slab = tilt_gaussian(circuit, column, beta[n], parameter + n);
    return tilt_levels(n, beta, slab, parameter);
}

/* The norms of all components of the copy's leaf regions, (regions, I). */
static void tilt_leaves(ow_circuit *circuit, size_t copy, const double *beta, double *norm)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t I = circuit->spec.inputs, first = copy * regions->n_regions;
    float *parameter = circuit->leaf + I * circuit->scope_start[first];

    for (size_t r = first; r < first + regions->n_regions; r++)
        for (size_t k = 0; k < I; k++, norm++) {
            *norm = 0.0;
            for (size_t s = regions->start[r]; s < regions->start[r + 1]; s++) {
                const uint32_t j = regions->columns[s];
                const size_t f = circuit->feature_start[j];
                *norm += tilt_leaf(circuit, j, beta + f, parameter);
                parameter += circuit->feature_start[j + 1] - f;
            }
        }
}

/* What weight i of a sum is multiplied with: norms are those of its first child's
 * components. */
static double norm_of(size_t i, size_t K, bool pairs, const double *norm)
{
    if (!pairs) return norm[i];
    const size_t partition = i / (K * K), pair = i % (K * K);
    return norm[2 * partition * K + pair / K] + norm[(2 * partition + 1) * K + pair % K];
}

/* One sum of n weights, over one pair of regions or, at the root, all of them; returns its
 * norm. */
static double tilt_sum(size_t n, size_t K, bool pairs, const double *norm,
                       float *log_weight)
{
    double top = -INFINITY, sum = 0.0;
    for (size_t i = 0; i < n; i++)
        top = fmax(top, (double)log_weight[i] + norm_of(i, K, pairs, norm));
    for (size_t i = 0; i < n; i++)
        sum += exp((double)log_weight[i] + norm_of(i, K, pairs, norm) - top);
    const double log_sum = top + log(sum);
    for (size_t i = 0; i < n; i++)
        log_weight[i] =
            (float)((double)log_weight[i] + norm_of(i, K, pairs, norm) - log_sum);
    return log_sum;
}

/* Trees: norm (regions, I) of the leaves; edges are sums over a node's states.  The norms
 * of the roots, in the end, are moved to the front, (repetitions, I). */
static void tilt_edges(ow_circuit *circuit, size_t copy, double *norm)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t n = regions->n_parts, K = circuit->spec.inputs;
    float *weight = circuit->log_weight + owi_circuit_inner_offset(circuit, 1, copy);

    for (size_t r = regions->n_regions; r-- > 0;) {
        if (r % n == 0) continue; /* a root */
        const size_t rep = r / n, parent = rep * n + regions->parent[r];
        float *edge = weight + (rep * (n - 1) + r % n - 1) * K * K;
        for (size_t k = 0; k < K; k++)
            norm[parent * K + k] += tilt_sum(K, K, false, norm + r * K, edge + k * K);
    }
    for (size_t i = 0; i < circuit->spec.repetitions * K; i++)
        norm[i] = norm[i / K * n * K + i % K];
}

ow_status owi_circuit_tilt(ow_circuit *circuit, size_t class_index, const double *beta,
                           double *log_norm)
{
    OWI_REQUIRE(circuit->spec.structure == OW_STRUCTURE_PER_CLASS);
    const size_t D = circuit->spec.depth;
    size_t K = circuit->spec.inputs;
    double *norm =
        owi_alloc_array(circuit->ctx, circuit->regions.n_regions * K, sizeof *norm);
    if (norm == NULL) return OW_ERR_MEMORY;

    tilt_leaves(circuit, class_index, beta, norm);
    if (owi_circuit_is_tree(circuit)) tilt_edges(circuit, class_index, norm);
    for (size_t depth = D; depth-- > 1;) {
        const owi_weight_run run = owi_circuit_weight_run(circuit, class_index, depth);
        const size_t S = circuit->spec.sums;
        double *inner = owi_alloc_array(circuit->ctx, run.n_sums, sizeof *inner);
        if (inner == NULL) {
            owi_free(circuit->ctx, norm);
            return OW_ERR_MEMORY;
        }
        for (size_t s = 0; s < run.n_sums; s++)
            inner[s] = tilt_sum(run.block, K, true, norm + s / S * 2 * K,
                                circuit->log_weight + run.first + s * run.block);
        owi_free(circuit->ctx, norm);
        norm = inner;
        K = S;
    }
    const owi_weight_run root = owi_circuit_weight_run(circuit, class_index, 0);
    *log_norm = tilt_sum(root.block, K, D > 0, norm, circuit->log_weight + root.first);
    owi_free(circuit->ctx, norm);
    return OW_OK;
}

/* ---- What a class's rows are like on average ---- */

/* Adds flow times the expected features of one leaf. */
static void add_expected(const ow_circuit *circuit, size_t column, double flow,
                         const float *parameter, double *expected)
{
    const ow_leaf *leaf = &circuit->leaves[column];
    const bool levels = owi_leaf_has_levels(leaf);
    const size_t n = levels                               ? leaf->n_levels
                     : leaf->kind == OW_LEAF_POINT_MASSES ? leaf->n_masses + 1
                                                          : 0;
    for (size_t i = 0; i < n; i++) expected[i] += flow * exp((double)parameter[i]);
    if (levels || leaf->kind == OW_LEAF_FOLLOWS) return;
    const double slab = n > 0 ? exp((double)parameter[n - 1]) : 1.0;
    expected[n] += flow * slab * ((double)parameter[n] - (double)circuit->shift[column]);
}

/* Sends the flow of a sum to its children's components. */
static void spread(size_t n, size_t K, bool pairs, double flow, const float *log_weight,
                   double *below)
{
    for (size_t i = 0; i < n; i++) {
        const double share = flow * exp((double)log_weight[i]);
        if (!pairs) {
            below[i] += share;
            continue;
        }
        const size_t partition = i / (K * K), pair = i % (K * K);
        below[2 * partition * K + pair / K] += share;
        below[(2 * partition + 1) * K + pair % K] += share;
    }
}

static void add_leaves(const ow_circuit *circuit, size_t copy, const double *flow,
                       double *expected)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t I = circuit->spec.inputs, first = copy * regions->n_regions;
    const float *parameter = circuit->leaf + I * circuit->scope_start[first];
    for (size_t r = first; r < first + regions->n_regions; r++)
        for (size_t k = 0; k < I; k++, flow++)
            for (size_t s = regions->start[r]; s < regions->start[r + 1]; s++) {
                const uint32_t j = regions->columns[s];
                const size_t f = circuit->feature_start[j];
                add_expected(circuit, j, *flow, parameter, expected + f);
                parameter += circuit->feature_start[j + 1] - f;
            }
}

/* Trees: flow (repetitions, I) of the roots becomes that of all nodes, (regions, I). */
static void spread_edges(const ow_circuit *circuit, size_t copy, double *flow)
{
    const owi_region_graph *regions = &circuit->regions;
    const size_t n = regions->n_parts, K = circuit->spec.inputs;
    const float *weight = circuit->log_weight + owi_circuit_inner_offset(circuit, 1, copy);

    for (size_t i = circuit->spec.repetitions * K; i-- > 0;) {
        const double root = flow[i];
        flow[i] = 0.0;
        flow[i / K * n * K + i % K] = root;
    }
    for (size_t r = 0; r < regions->n_regions; r++) {
        if (r % n == 0) continue; /* a root */
        const size_t rep = r / n, parent = rep * n + regions->parent[r];
        const float *edge = weight + (rep * (n - 1) + r % n - 1) * K * K;
        for (size_t k = 0; k < K; k++)
            spread(K, K, false, flow[parent * K + k], edge + k * K, flow + r * K);
    }
}

ow_status owi_circuit_expected_features(const ow_circuit *circuit, size_t class_index,
                                        double *expected)
{
    const size_t D = circuit->spec.depth, I = circuit->spec.inputs, S = circuit->spec.sums;
    const size_t most = circuit->regions.n_regions * (I > S ? I : S);
    double *flow = owi_alloc_array(circuit->ctx, 2 * most, sizeof *flow);
    if (flow == NULL) return OW_ERR_MEMORY;
    double *below = flow + most;
    memset(flow, 0, 2 * most * sizeof *flow);
    memset(expected, 0, circuit->n_features * sizeof *expected);

    const owi_weight_run root = owi_circuit_weight_run(circuit, class_index, 0);
    spread(root.block, owi_circuit_top_components(circuit), D > 0, 1.0,
           circuit->log_weight + root.first, flow);
    if (owi_circuit_is_tree(circuit)) spread_edges(circuit, class_index, flow);
    for (size_t depth = 1; depth < D; depth++) {
        const owi_weight_run run = owi_circuit_weight_run(circuit, class_index, depth);
        const size_t K = owi_circuit_child_components(circuit, depth);
        memset(below, 0, most * sizeof *below);
        for (size_t s = 0; s < run.n_sums; s++)
            spread(run.block, K, true, flow[s],
                   circuit->log_weight + run.first + s * run.block, below + s / S * 2 * K);
        memcpy(flow, below, most * sizeof *flow);
    }
    add_leaves(circuit, class_index, flow, expected);
    owi_free(circuit->ctx, flow);
    return OW_OK;
}
