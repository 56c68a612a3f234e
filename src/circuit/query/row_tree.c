/* SPDX-License-Identifier: MIT */
#include "circuit/query/row_tree.h"

#include <math.h>
#include <string.h>

#include "base/memory/sizes.h"
#include "circuit/query/tree_couple.h"

/* Sums of products of doubles whose largest factors are 1 have lost terms below about
 * 1e-308; relative to a sum from here on those are below 1e-58. */
static const double least_sum = 1e-250;

void owi_row_tree_weights(const ow_circuit *circuit, double *weight)
{
    for (size_t i = 0; i < circuit->n_weights; i++)
        weight[i] = exp((double)circuit->log_weight[i]);
}

void owi_row_tree_carve(owi_row_tree *tree, owi_carver *from)
{
    const ow_circuit_spec *spec = &tree->circuit->spec;
    const bool trees = owi_circuit_is_tree(tree->circuit);
    const size_t I = spec->inputs, n_parts = tree->circuit->regions.n_parts;
    const size_t n_regions = spec->repetitions * (trees ? n_parts : 2 * n_parts - 1);

    tree->most = owi_larger(I, spec->sums);
    tree->log_x = owi_carve(from, spec->n_columns * tree->leaves->n_leaves, sizeof(double));
    tree->log_value = owi_carve(from, tree->circuit->regions.n_regions * I, sizeof(double));
    tree->top = owi_carve(from, n_regions, sizeof(double));
    tree->d_top = owi_carve(from, n_regions, sizeof(double));
    tree->value = owi_carve(from, n_regions * tree->most, sizeof(double));
    tree->d = owi_carve(from, n_regions * tree->most, sizeof(double));
    const size_t couples =
        spec->depth > 1 || trees ? 1 : 0; /* otherwise H is the weights */
    tree->path = owi_carve(from, couples * n_parts * tree->most * I, sizeof(double));
    tree->next = owi_carve(from, couples * tree->most * I, sizeof(double));
    tree->path_top = owi_carve(from, couples * n_parts, sizeof(double));
    tree->omega = owi_carve(from, couples * tree->most * tree->most, sizeof(double));
    tree->half = owi_carve(from, couples * tree->most * I, sizeof(double));
    if (!trees) return;
    tree->buffers = owi_carve(from, owi_tree_row_size(tree->circuit), sizeof(double));
    tree->came = owi_carve(from, n_parts, sizeof *tree->came);
    tree->last = owi_carve(from, n_parts, sizeof *tree->last);
    tree->steps = owi_carve(from, n_parts * I * I, sizeof *tree->steps);
    tree->step = owi_carve(from, I * I, sizeof *tree->step);
    tree->factor = owi_carve(from, 3 * n_parts * I, sizeof *tree->factor);
    tree->factor_top = owi_carve(from, 3 * n_parts, sizeof *tree->factor_top);
    tree->turn = owi_carve(from, n_parts * n_parts * I, sizeof *tree->turn);
    tree->turn_top = owi_carve(from, n_parts * n_parts, sizeof *tree->turn_top);
    if (tree->buffers != NULL)
        tree->messages = owi_tree_row_of(tree->circuit, tree->buffers);
}

/* ---- Up ---- */

/* value and top from n logarithms. */
static bool take_leaf(owi_row_tree *tree, size_t r, const double *log_value)
{
    const size_t I = tree->circuit->spec.inputs, at = owi_row_tree_leaf(tree, r);
    double top = -INFINITY;
    for (size_t k = 0; k < I; k++) top = fmax(top, log_value[k]);
    tree->top[at] = top;
    if (!isfinite(top)) return false;
    for (size_t k = 0; k < I; k++)
        tree->value[at * tree->most + k] = exp(log_value[k] - top);
    return true;
}

/* Divides n values by the largest of them and returns it. */
static double divide_by_largest(size_t n, double *values)
{
    double largest = 0.0;
    for (size_t k = 0; k < n; k++) largest = fmax(largest, values[k]);
    for (size_t k = 0; k < n && largest > 0.0; k++) values[k] /= largest;
    return largest;
}

static const double *inner_weights(const owi_row_tree *tree, size_t depth, size_t r)
{
    const ow_circuit *circuit = tree->circuit;
    const size_t K = owi_circuit_child_components(circuit, depth);
    return tree->weight + owi_circuit_inner_offset(circuit, depth, tree->copy) +
           r * circuit->spec.sums * K * K;
}

static bool sum_region(owi_row_tree *tree, size_t depth, size_t r)
{
    const size_t S = tree->circuit->spec.sums, most = tree->most;
    const size_t K = owi_circuit_child_components(tree->circuit, depth);
    const size_t at = owi_row_tree_region(tree, depth, r);
    const size_t below = owi_row_tree_region(tree, depth + 1, 2 * r);
    const double *left = tree->value + below * most, *right = left + most;
    const double *w = inner_weights(tree, depth, r);
    double *value = tree->value + at * most;

    for (size_t s = 0; s < S; s++) {
        value[s] = 0.0;
        for (size_t i = 0; i < K; i++, w += K) {
            double sum = 0.0;
            for (size_t j = 0; j < K; j++) sum += w[j] * right[j];
            value[s] += left[i] * sum;
        }
    }
    const double largest = divide_by_largest(S, value);
    tree->top[at] = tree->top[below] + tree->top[below + 1] + log(largest);
    return largest >= least_sum;
}

bool owi_row_tree_up(owi_row_tree *tree, size_t copy, const float *row)
{
    const ow_circuit *circuit = tree->circuit;
    const size_t I = circuit->spec.inputs, R = circuit->spec.repetitions;
    const size_t N = tree->leaves->n_leaves, D = circuit->spec.depth;

    tree->copy = copy;
    memset(tree->log_value, 0, circuit->regions.n_regions * I * sizeof *tree->log_value);
    for (size_t j = 0; j < circuit->spec.n_columns; j++) {
        const size_t *node = owi_column_nodes(tree->leaves, copy, j);
        double *log_x = tree->log_x + j * N;
        owi_column_log(tree->leaves, copy, j, row[j], log_x);
        for (size_t rep = 0; rep < R; rep++)
            for (size_t k = 0; k < I; k++) {
                if (log_x[rep * I + k] == -INFINITY) return false;
                tree->log_value[node[rep] + k] += log_x[rep * I + k];
            }
    }
    for (size_t r = 0; r < circuit->regions.n_regions; r++)
        if (!take_leaf(tree, r, tree->log_value + r * I)) return false;
    if (owi_circuit_is_tree(circuit)) {
        tree->messages.copy = copy;
        tree->messages.leaf = tree->log_value;
        owi_tree_row_up(&tree->messages);
        return true;
    }
    for (size_t depth = D; depth-- > 1;)
        for (size_t r = 0; r < owi_circuit_n_regions(circuit, depth); r++)
            if (!sum_region(tree, depth, r)) return false;
    return true;
}

/* ---- Down ---- */

/* The root's weights of class c in a repetition. */
static const double *root_weights(const owi_row_tree *tree, size_t c, size_t rep)
{
    const ow_circuit *circuit = tree->circuit;
    const size_t K = owi_circuit_top_components(circuit);
    const size_t block = circuit->spec.depth == 0 ? K : K * K;
    const size_t per_copy = owi_circuit_copy_classes(circuit);
    return tree->weight + owi_circuit_root_offset(circuit, tree->copy) +
           ((c % per_copy) * circuit->spec.repetitions + rep) * block;
}

/* d was made relative to `log`; now its largest entry is to be 1.  Where all are 0 the
 * class does not depend on the region, or not yet: then `log` stays as its scale. */
static bool take_derivative(owi_row_tree *tree, size_t at, size_t n, double log_scale)
{
    const double largest = divide_by_largest(n, tree->d + at * tree->most);
    tree->d_top[at] = log_scale + (largest > 0.0 ? log(largest) : 0.0);
    return largest == 0.0 || largest >= least_sum;
}

/* Both children of a region: S sums with derivatives exp(log) d[s]. */
static bool derive_children(owi_row_tree *tree, size_t below, size_t K, const double *w,
                            size_t S, const double *d, double log_scale)
{
    const size_t most = tree->most;
    const double *left = tree->value + below * most, *right = left + most;
    double *d_left = tree->d + below * most, *d_right = d_left + most;

    memset(d_left, 0, 2 * most * sizeof *d_left);
    for (size_t s = 0; s < S; s++)
        for (size_t i = 0; i < K; i++, w += K) {
            const double from_left = d[s] * left[i];
            double sum = 0.0;
            for (size_t j = 0; j < K; j++) {
                sum += w[j] * right[j];
                d_right[j] += from_left * w[j];
            }
            d_left[i] += d[s] * sum;
        }
    const bool left_held =
        take_derivative(tree, below, K, log_scale + tree->top[below + 1]);
    return take_derivative(tree, below + 1, K, log_scale + tree->top[below]) && left_held;
}

bool owi_row_tree_down(owi_row_tree *tree, size_t c)
{
    const ow_circuit *circuit = tree->circuit;
    const size_t D = circuit->spec.depth, K = owi_circuit_top_components(circuit);
    static const double certain = 1.0;

    if (owi_circuit_is_tree(circuit)) return owi_tree_derive(tree, c);
    for (size_t rep = 0; rep < circuit->spec.repetitions; rep++) {
        const double *w = root_weights(tree, c, rep);
        if (D == 0) {
            memcpy(tree->d + rep * tree->most, w, K * sizeof *w);
            if (!take_derivative(tree, rep, K, 0.0)) return false;
        } else if (!derive_children(tree, owi_row_tree_region(tree, 1, 2 * rep), K, w, 1,
                                    &certain, 0.0)) {
            return false;
        }
    }
    for (size_t depth = 1; depth < D; depth++)
        for (size_t r = 0; r < owi_circuit_n_regions(circuit, depth); r++) {
            const size_t at = owi_row_tree_region(tree, depth, r);
            if (!derive_children(tree, owi_row_tree_region(tree, depth + 1, 2 * r),
                                 owi_circuit_child_components(circuit, depth),
                                 inner_weights(tree, depth, r), circuit->spec.sums,
                                 tree->d + at * tree->most, tree->d_top[at]))
                return false;
        }
    return true;
}

/* ---- Second derivatives ---- */

typedef struct {
    size_t I, n_parts, width; /* width = (n_parts - 1) I, of a region's scope */
    float *h;                 /* of the repetition's first region             */
    double *scale;
} couplings;

/* Entry (n, m) of H_ab. */
static float *entry(const couplings *to, size_t a, size_t b, size_t n, size_t m)
{
    const size_t place = b < a ? b : b - 1;
    return to->h + (a * to->I + n) * to->width + place * to->I + m;
}

/* H_ab and its transpose, from omega: J_a' Omega J_b. */
static void couple_leaves(const owi_row_tree *tree, const couplings *to, size_t K, size_t a,
                          size_t b, double log_scale)
{
    const size_t I = to->I;
    const double *path_a = tree->path + a * tree->most * I;
    const double *path_b = tree->path + b * tree->most * I;

    memset(tree->half, 0, K * I * sizeof *tree->half);
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++)
            for (size_t m = 0; m < I; m++)
                tree->half[i * I + m] += tree->omega[i * K + j] * path_b[j * I + m];
    for (size_t n = 0; n < I; n++)
        for (size_t m = 0; m < I; m++) {
            double sum = 0.0;
            for (size_t i = 0; i < K; i++) sum += path_a[i * I + n] * tree->half[i * I + m];
            *entry(to, a, b, n, m) = *entry(to, b, a, m, n) = (float)sum;
        }
    to->scale[a * to->n_parts + b] = to->scale[b * to->n_parts + a] =
        log_scale + tree->path_top[a] + tree->path_top[b];
}

/* J of leaf a one level up, from a child of region r to r: J[s,n] = sum_i A[s,i] J[i,n]
 * with A[s,i] = sum over the sibling's components of weight * value. */
static void raise_path(owi_row_tree *tree, size_t depth, size_t r, bool is_left, size_t a)
{
    const size_t S = tree->circuit->spec.sums, I = tree->circuit->spec.inputs;
    const size_t K = owi_circuit_child_components(tree->circuit, depth), most = tree->most;
    const size_t sibling = owi_row_tree_region(tree, depth + 1, 2 * r + is_left);
    const double *partner = tree->value + sibling * most;
    const double *w = inner_weights(tree, depth, r);
    double *path = tree->path + a * most * I;

    memset(tree->next, 0, S * I * sizeof *tree->next);
    for (size_t s = 0; s < S; s++, w += K * K)
        for (size_t i = 0; i < K; i++) {
            double sum = 0.0;
            for (size_t j = 0; j < K; j++)
                sum += w[is_left ? i * K + j : j * K + i] * partner[j];
            for (size_t n = 0; n < I; n++) tree->next[s * I + n] += sum * path[i * I + n];
        }
    memcpy(path, tree->next, S * I * sizeof *path);
    tree->path_top[a] += tree->top[sibling];
}

/* Region r: the leaves of its left half with those of its right, then all of them one level
 * up. */
static void couple_region(owi_row_tree *tree, const couplings *to, size_t c, size_t rep,
                          size_t depth, size_t r)
{
    const ow_circuit *circuit = tree->circuit;
    const size_t half = to->n_parts >> (depth + 1), first = 2 * half * (r - (rep << depth));
    const size_t K = owi_circuit_child_components(circuit, depth);
    double log_scale = 0.0;

    if (depth == 0) {
        memcpy(tree->omega, root_weights(tree, c, rep), K * K * sizeof *tree->omega);
    } else {
        const size_t at = owi_row_tree_region(tree, depth, r);
        const double *w = inner_weights(tree, depth, r), *d = tree->d + at * tree->most;
        log_scale = tree->d_top[at];
        memset(tree->omega, 0, K * K * sizeof *tree->omega);
        for (size_t s = 0; s < circuit->spec.sums; s++, w += K * K)
            for (size_t i = 0; i < K * K; i++) tree->omega[i] += d[s] * w[i];
    }
    for (size_t a = first; a < first + half; a++)
        for (size_t b = first + half; b < first + 2 * half; b++)
            couple_leaves(tree, to, K, a, b, log_scale);
    for (size_t a = first; a < first + 2 * half && depth > 0; a++)
        raise_path(tree, depth, r, a < first + half, a);
}

/* Depth 1: H is the weights, and their transpose. */
static void couple_halves(const couplings *to, const double *w)
{
    const size_t I = to->I;
    for (size_t n = 0; n < I; n++)
        for (size_t m = 0; m < I; m++)
            *entry(to, 0, 1, n, m) = *entry(to, 1, 0, m, n) = (float)w[n * I + m];
}

void owi_row_tree_couple(owi_row_tree *tree, size_t c, const bool *wanted, float *h,
                         double *scale)
{
    const ow_circuit *circuit = tree->circuit;
    const size_t D = circuit->spec.depth, I = circuit->spec.inputs;
    const size_t n_parts = (size_t)1 << D, width = (n_parts - 1) * I;

    if (owi_circuit_is_tree(circuit)) {
        owi_tree_couple(tree, wanted, h, scale);
        return;
    }
    for (size_t rep = 0; rep < circuit->spec.repetitions && D > 0; rep++) {
        const couplings to = {I, n_parts, width, h + rep * n_parts * I * width,
                              scale + rep * n_parts * n_parts};
        memset(to.scale, 0, n_parts * n_parts * sizeof *to.scale);
        if (D == 1) {
            couple_halves(&to, root_weights(tree, c, rep));
            continue;
        }
        memset(tree->path, 0, n_parts * tree->most * I * sizeof *tree->path);
        memset(tree->path_top, 0, n_parts * sizeof *tree->path_top);
        for (size_t a = 0; a < n_parts; a++)
            for (size_t n = 0; n < I; n++) tree->path[(a * tree->most + n) * I + n] = 1.0;
        for (size_t depth = D; depth-- > 0;)
            for (size_t r = rep << depth; r < (rep + 1) << depth; r++)
                couple_region(tree, &to, c, rep, depth, r);
    }
}
