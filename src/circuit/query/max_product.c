/* SPDX-License-Identifier: MIT */
#include "circuit/query/max_product.h"

#include <math.h>

#include "circuit/pass/pass.h"
#include "circuit/query/chosen_tree.h"

static const double log_2_pi = 1.8378770664093454836;

typedef struct {
    const ow_circuit *circuit;
    size_t copy;
    float *row;
    /* by depth: (region, K), the log-value of the best tree below */
    double *best[owi_most_depths];
    double *nodes; /* of trees: (regions, K), likewise */
} tree;

static size_t components_at(const ow_circuit *circuit, size_t depth)
{
    return depth == circuit->spec.depth ? circuit->spec.inputs : circuit->spec.sums;
}

size_t owi_max_product_scratch(const ow_circuit *circuit)
{
    size_t n = circuit->spec.repetitions * circuit->spec.inputs; /* log p of one column */
    for (size_t depth = 0; depth <= circuit->spec.depth; depth++)
        n += owi_circuit_n_regions(circuit, depth) * components_at(circuit, depth);
    if (owi_circuit_is_tree(circuit)) /* the nodes, and the state of each */
        n += circuit->regions.n_regions * circuit->spec.inputs + circuit->regions.n_parts;
    return n;
}

/* ---- Leaves ---- */

/* The most probable value of a column under one leaf; its log-density is returned. */
static double leaf_mode(const ow_circuit *circuit, size_t column, const float *parameter,
                        float *mode)
{
    const ow_leaf *leaf = &circuit->leaves[column];
    const size_t n_levels = leaf->n_levels > 0 ? leaf->n_levels : leaf->n_masses;
    double top = -INFINITY, slab = leaf->log_cell;

    if (leaf->kind == OW_LEAF_FOLLOWS) { /* owi_sheets_complete fills it in */
        *mode = 0.0f;
        return 0.0;
    }
    for (size_t i = 0; i < n_levels; i++)
        if ((double)parameter[i] > top) {
            top = (double)parameter[i];
            *mode = leaf->n_levels > 0 ? (float)i : leaf->masses[i];
        }
    if (leaf->n_levels > 0) return top;
    if (leaf->n_masses > 0) {
        slab += (double)parameter[leaf->n_masses];
        parameter += leaf->n_masses + 1;
    }
    const double variance =
        circuit->spec.variance > 0.0 ? circuit->spec.variance : (double)parameter[1];
    slab -= 0.5 * (log(variance) + log_2_pi);
    if (slab < top) return top;
    *mode = parameter[0];
    return slab;
}

/* The modes of what a row misses in component k of a leaf region: the sum of their
 * log-densities; the values too, if there is a row to fill. */
static double region_modes(const tree *t, size_t region, size_t k, float *fill)
{
    const ow_circuit *circuit = t->circuit;
    const size_t r = t->copy * circuit->regions.n_regions + region;
    const size_t start = circuit->scope_start[r],
                 width = circuit->scope_start[r + 1] - start;
    const float *parameter = circuit->leaf + circuit->spec.inputs * start + k * width;
    double sum = 0.0;

    for (uint32_t i = circuit->regions.start[r]; i < circuit->regions.start[r + 1]; i++) {
        const uint32_t j = circuit->regions.columns[i];
        if (isnan(t->row[j])) {
            float mode = NAN;
            sum += leaf_mode(circuit, j, parameter, &mode);
            if (fill != NULL) fill[j] = mode;
        }
        parameter += circuit->feature_start[j + 1] - circuit->feature_start[j];
    }
    return sum;
}

static void fill_region(void *user, size_t region, size_t k)
{
    const tree *t = user;
    (void)region_modes(t, region, k, t->row);
}

/* ---- Sums ---- */

/* The largest of K x n_right terms log_weight + left + right; right NULL: single
 * components. */
static double best_term(const float *log_weight, size_t K, const double *left,
                        const double *right, size_t *index)
{
    const size_t n_right = right != NULL ? K : 1;
    double top = -INFINITY;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < n_right; j++) {
            const double term = (double)log_weight[i * n_right + j] + left[i] +
                                (right != NULL ? right[j] : 0.0);
            if (term <= top) continue;
            top = term;
            *index = i * n_right + j;
        }
    return top;
}

static double best_pair(const tree *t, size_t depth, size_t region, size_t k, size_t *index)
{
    const size_t K = owi_circuit_child_components(t->circuit, depth);
    const double *left = t->best[depth + 1] + 2 * region * K;
    return best_term(owi_sum_weights(t->circuit, t->copy, depth, region, k), K, left,
                     left + K, index);
}

/* The best state of a node of trees, given its parent's. */
static double best_state(const tree *t, size_t node, size_t k, size_t *index)
{
    const size_t K = t->circuit->spec.inputs;
    return best_term(owi_edge_weights(t->circuit, t->copy, node, k), K, t->nodes + node * K,
                     NULL, index);
}

static size_t choose_pair(void *user, size_t depth, size_t region, size_t k)
{
    const tree *t = user;
    size_t index = 0;
    if (owi_circuit_is_tree(t->circuit))
        (void)best_state(t, region, k, &index);
    else
        (void)best_pair(t, depth, region, k, &index);
    return index;
}

/* Trees: from their leaves to the roots, best[0]. */
static void maximise_nodes(tree *t)
{
    const owi_region_graph *regions = &t->circuit->regions;
    const size_t K = t->circuit->spec.inputs, n = regions->n_parts;

    for (size_t r = regions->n_regions; r-- > 0;) {
        const size_t rep = r / n, parent = rep * n + regions->parent[r];
        for (size_t k = 0; k < K; k++) {
            size_t index;
            if (r % n == 0)
                t->best[0][rep * K + k] = t->nodes[r * K + k];
            else
                t->nodes[parent * K + k] += best_state(t, r, k, &index);
        }
    }
}

/* The best term of a class's root, in one repetition or (SIZE_MAX) in all; numbered
 * partition by partition; false if none is possible. */
static bool best_root(const tree *t, size_t c, size_t only, size_t *chosen)
{
    const ow_circuit *circuit = t->circuit;
    const bool single = circuit->spec.depth == 0;
    const size_t K = owi_circuit_top_components(circuit), block = single ? K : K * K;
    const float *log_weight = owi_root_weights(circuit, c);
    double top = -INFINITY;

    for (size_t rep = 0; rep < circuit->spec.repetitions; rep++) {
        const double *left = t->best[single ? 0 : 1] + (single ? rep : 2 * rep) * K;
        if (only != SIZE_MAX && rep != only) continue;
        size_t index = 0;
        const double term =
            best_term(log_weight + rep * block, K, left, single ? NULL : left + K, &index);
        if (term <= top) continue;
        top = term;
        *chosen = rep * block + index;
    }
    return top > -INFINITY;
}

bool owi_max_product(const owi_column_leaves *leaves, size_t c, size_t rep, float *row,
                     double *scratch)
{
    const ow_circuit *circuit = leaves->circuit;
    const size_t D = circuit->spec.depth, I = circuit->spec.inputs;
    tree t = {.circuit = circuit,
              .copy = c / owi_circuit_copy_classes(circuit),
              .row = row};
    double *log_p = scratch;
    size_t chosen = 0;

    scratch += leaves->n_leaves;
    for (size_t depth = 0; depth <= D; depth++) {
        t.best[depth] = scratch;
        scratch += owi_circuit_n_regions(circuit, depth) * components_at(circuit, depth);
    }
    const bool trees = owi_circuit_is_tree(circuit);
    double *leaf = trees ? scratch : t.best[D];
    t.nodes = leaf;
    owi_column_log_values(leaves, t.copy, row, log_p, leaf);
    for (size_t n = 0; n < circuit->regions.n_regions * I; n++)
        leaf[n] += region_modes(&t, n / I, n % I, NULL);
    if (trees) maximise_nodes(&t);
    for (size_t depth = D; depth-- > 1;)
        for (size_t n = 0; n < owi_circuit_n_regions(circuit, depth) * circuit->spec.sums;
             n++) {
            size_t index;
            t.best[depth][n] = best_pair(&t, depth, n / circuit->spec.sums,
                                         n % circuit->spec.sums, &index);
        }
    if (!best_root(&t, c, rep, &chosen)) return false;
    void *state = trees ? scratch + circuit->regions.n_regions * I : NULL;
    owi_walk_tree(&(owi_chosen_tree){circuit, &t, choose_pair, fill_region, state}, chosen);
    return true;
}
