/* SPDX-License-Identifier: MIT */
#include "circuit/pass/log_derivative.h"

#include <math.h>
#include <string.h>

#include "base/memory/sizes.h"
#include "circuit/pass/tree_row.h"

/* Below this a sum of floats, whose largest terms may be 1, has lost what it was made
 * of. */
static const double least_sum = 1e-30;

/* Sums over the same pairs of components: S of them, each with K x K weights and a
 * log-derivative of its own. */
typedef struct {
    size_t n_sums, K;
    const float *linear, *log_weight; /* (S, K, K)           */
    const double *log_parent;         /* (S)                 */
    owi_region_values left, right;    /* the two children    */
    float *value;                     /* scratch: 2 K        */
    double *total;                    /* scratch: 2 K        */
} pair_sums;

/* log sum over sums s and partners of exp(log_parent[s] + log_weight + partner): of
 * component k of the left child, whose partners are on the right, or the other way
 * round. */
static double exact_child(const pair_sums *p, size_t k, bool is_left)
{
    const owi_region_values partner = is_left ? p->right : p->left;
    const size_t first = is_left ? k * p->K : k, step = is_left ? 1 : p->K;
    double top = -INFINITY, sum = 0.0;

    for (int round = 0; round < 2; round++) {
        for (size_t s = 0; s < p->n_sums; s++)
            for (size_t i = 0; i < p->K; i++) {
                const double term =
                    p->log_parent[s] +
                    (double)p->log_weight[s * p->K * p->K + first + i * step] +
                    (double)partner.log_value[i * partner.stride];
                if (round == 0)
                    top = fmax(top, term);
                else
                    sum += exp(term - top);
            }
        if (top == -INFINITY) return -INFINITY;
    }
    return top + log(sum);
}

/* total = sum_s exp(log_parent[s] - offset) sum over partners of weight * value, for both
 * children. */
static void add_sums(const pair_sums *p, double offset)
{
    const size_t K = p->K;
    const float *left = p->value, *right = p->value + K;

    memset(p->total, 0, 2 * K * sizeof *p->total);
    for (size_t s = 0; s < p->n_sums; s++) {
        const double share = exp(p->log_parent[s] - offset);
        const float *weight = p->linear + s * K * K;
        double *to_right = p->total + K;
        if (share == 0.0) continue;
        for (size_t i = 0; i < K; i++, weight += K) {
            const double from_left = share * (double)left[i];
            float sum = 0.0f;
            for (size_t j = 0; j < K; j++) sum += weight[j] * right[j];
            for (size_t j = 0; j < K; j++) to_right[j] += from_left * (double)weight[j];
            p->total[i] += share * (double)sum;
        }
    }
}

/* log-derivatives of the K components of the left child, then of the right. */
static void derive_children(const pair_sums *p, double *log_d)
{
    const size_t K = p->K;
    double offset = -INFINITY;

    for (size_t s = 0; s < p->n_sums; s++) offset = fmax(offset, p->log_parent[s]);
    if (offset == -INFINITY) {
        for (size_t k = 0; k < 2 * K; k++) log_d[k] = -INFINITY;
        return;
    }
    for (size_t k = 0; k < K; k++) {
        p->value[k] = p->left.value[k * p->left.stride];
        p->value[K + k] = p->right.value[k * p->right.stride];
    }
    add_sums(p, offset);
    for (size_t k = 0; k < 2 * K; k++) {
        const double total = p->total[k];
        const double partner_top = (double)(k < K ? p->right : p->left).top;
        log_d[k] = total >= least_sum ? offset + partner_top + log(total)
                                      : exact_child(p, k < K ? k : k - K, k < K);
    }
}

/* ---- All layers ---- */

static size_t most_components(const ow_circuit *circuit)
{
    return owi_larger(circuit->spec.inputs, circuit->spec.sums);
}

size_t owi_log_derivative_scratch(const ow_circuit *circuit)
{
    const size_t K = most_components(circuit);
    if (owi_circuit_is_tree(circuit))
        return circuit->regions.n_regions * circuit->spec.inputs +
               owi_tree_row_size(circuit);
    /* 2 K totals, 2 K floats, and two layers of inner regions in turn. */
    return 3 * K + 2 * (owi_circuit_n_regions(circuit, circuit->spec.depth) * K);
}

typedef struct {
    const owi_pass *pass;
    size_t row, copy;
    double *total;
    float *value;
} walk;

/* The pairs of two neighbouring regions at a depth, from `region` on. */
static pair_sums pairs_of(const walk *w, size_t depth, size_t region, size_t weight,
                          size_t n_sums, const double *log_parent)
{
    const ow_circuit *circuit = w->pass->circuit;
    return (pair_sums){.n_sums = n_sums,
                       .K = owi_circuit_child_components(circuit, depth - 1),
                       .linear = circuit->linear_weight + weight,
                       .log_weight = circuit->log_weight + weight,
                       .log_parent = log_parent,
                       .left = owi_pass_region(w->pass, depth, w->copy, region, w->row),
                       .right =
                           owi_pass_region(w->pass, depth, w->copy, region + 1, w->row),
                       .value = w->value,
                       .total = w->total};
}

/* Trees: from the messages of the row. */
static void derive_trees(const owi_pass *pass, size_t row, size_t c, double *scratch,
                         double *log_d)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t K = circuit->spec.inputs, n = circuit->regions.n_regions;
    const size_t copy = c / owi_circuit_copy_classes(circuit);
    owi_tree_row messages = owi_tree_row_of(circuit, scratch + n * K);
    size_t stride;
    const float *leaf = owi_pass_leaf_log_value(pass, copy, row, &stride);

    for (size_t i = 0; i < n * K; i++) scratch[i] = (double)leaf[i * stride];
    messages.copy = copy;
    messages.leaf = scratch;
    owi_tree_row_up(&messages);
    owi_tree_row_down(&messages, c);
    for (size_t i = 0; i < n * K; i++)
        log_d[i] = messages.down[i] + messages.below[i] +
                   (messages.down_top[i / K] + messages.below_top[i / K]);
}

void owi_log_derivative(const owi_pass *pass, size_t row, size_t c, double *scratch,
                        double *log_d)
{
    const ow_circuit *circuit = pass->circuit;
    const size_t per_copy = owi_circuit_copy_classes(circuit), copy = c / per_copy;
    const size_t R = circuit->spec.repetitions, D = circuit->spec.depth;
    const size_t K = owi_circuit_top_components(circuit), most = most_components(circuit);
    const size_t block = D == 0 ? K : K * K;
    const size_t root = owi_circuit_root_offset(circuit, copy) + (c % per_copy) * R * block;
    const walk w = {pass, row, copy, scratch, (float *)(scratch + 2 * most)};
    double *layer[2] = {scratch + 3 * most,
                        scratch + 3 * most + owi_circuit_n_regions(circuit, D) * most};

    if (owi_circuit_is_tree(circuit)) {
        derive_trees(pass, row, c, scratch, log_d);
        return;
    }
    if (D == 0) { /* a mixture: nothing beside the weights */
        for (size_t k = 0; k < R * K; k++) log_d[k] = (double)circuit->log_weight[root + k];
        return;
    }
    double *now = D == 1 ? log_d : layer[0];
    for (size_t rep = 0; rep < R; rep++) {
        static const double certain = 0.0;
        const pair_sums p = pairs_of(&w, 1, 2 * rep, root + rep * block, 1, &certain);
        derive_children(&p, now + 2 * rep * K);
    }
    for (size_t depth = 1; depth < D; depth++) {
        const size_t S = circuit->spec.sums;
        const size_t below = owi_circuit_child_components(circuit, depth);
        const size_t weights = owi_circuit_inner_offset(circuit, depth, copy);
        double *next = depth + 1 == D ? log_d : layer[depth % 2];
        for (size_t r = 0; r < owi_circuit_n_regions(circuit, depth); r++) {
            const pair_sums p = pairs_of(&w, depth + 1, 2 * r,
                                         weights + r * S * below * below, S, now + r * S);
            derive_children(&p, next + 2 * r * below);
        }
        now = next;
    }
}
