/* SPDX-License-Identifier: MIT */
#include "circuit/query/tree_couple.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"

bool owi_tree_derive(owi_row_tree *tree, size_t c)
{
    const size_t K = tree->circuit->spec.inputs;
    owi_tree_row *messages = &tree->messages;

    owi_tree_row_down(messages, c);
    for (size_t r = 0; r < tree->circuit->regions.n_regions; r++) {
        const double *down = messages->down + r * K, *below = messages->below + r * K;
        double top = -INFINITY;
        for (size_t k = 0; k < K; k++) top = fmax(top, down[k] + below[k]);
        if (!isfinite(top)) return false;
        for (size_t k = 0; k < K; k++)
            tree->d[r * tree->most + k] = exp(down[k] + below[k] - top);
        tree->d_top[r] = top + messages->down_top[r] + messages->below_top[r];
    }
    return true;
}

/* ---- What nodes give to paths ---- */

/* A path gets from a node on it all that the node has but from its neighbours there: a
 * factor for each state.  Which one depends on the node and on those neighbours alone, not
 * on where the path begins, so that each is made once for a row (three exponentials for
 * each state of a node instead of one for each state and path):
 *
 *     end_child[p]    the path ends in p and goes on to its parent
 *     end_parent[c]   it ends in the parent of c and goes on to c
 *     pass[c]         it goes through the parent of c, from c to the grandparent or back
 *     turn[c, d]      it goes through the parent of c and d, from one to the other
 *
 * Ends are without the leaf of their node. */
typedef struct {
    const owi_row_tree *tree;
    size_t first; /* region of the repetition        */
    size_t n, K;
    const uint32_t *parent;
    size_t a;      /* where the paths begin, counted from the first region */
    float *path;   /* (nodes, K, K): from a to each, relative to its scale */
    double *scale; /* (nodes)                                              */
} walk;

static const uint32_t nowhere = UINT32_MAX;

enum { end_child, end_parent, passing, n_kinds };

static float *factor_of(const walk *w, int kind, size_t p)
{
    return w->tree->factor + ((size_t)kind * w->n + p) * w->K;
}

static double *top_of(const walk *w, int kind, size_t p)
{
    return w->tree->factor_top + (size_t)kind * w->n + p;
}

/* z relative to its largest, as factors; returns that added to top. */
static double to_factors(size_t K, double top, const double *z, float *factor)
{
    double most = -INFINITY;
    for (size_t k = 0; k < K; k++) most = z[k] > most ? z[k] : most;
    if (most == -INFINITY) most = 0.0;
    for (size_t k = 0; k < K; k++) factor[k] = (float)exp(z[k] - most);
    return top + most;
}

static void make_factors(const walk *w)
{
    const owi_tree_row *m = &w->tree->messages;
    const size_t K = w->K;
    double *z = w->tree->half;
    for (size_t p = 0; p < w->n; p++) {
        const size_t r = w->first + p, q = w->first + w->parent[p];
        *top_of(w, end_child, p) =
            to_factors(K, m->below_top[r], m->below + r * K, factor_of(w, end_child, p));
        if (p == 0) continue;
        for (size_t k = 0; k < K; k++) z[k] = m->beside[r * K + k] + m->down[q * K + k];
        *top_of(w, end_parent, p) = to_factors(K, m->beside_top[r] + m->down_top[q], z,
                                               factor_of(w, end_parent, p));
        for (size_t k = 0; k < K; k++) z[k] = m->beside[r * K + k] + m->leaf[q * K + k];
        *top_of(w, passing, p) =
            to_factors(K, m->beside_top[r], z, factor_of(w, passing, p));
    }
    for (size_t i = 0; i < w->n * w->n; i++) w->tree->turn_top[i] = NAN; /* not made */
}

/* The messages of all children of p but two, added up one by one. */
static double add_children(const walk *w, size_t p, size_t child, size_t other, double *z)
{
    const owi_tree_row *m = &w->tree->messages;
    double top = 0.0;
    memset(z, 0, w->K * sizeof *z);
    for (size_t c = p + 1; c < w->n; c++) {
        if (w->parent[c] != p || c == child || c == other) continue;
        for (size_t k = 0; k < w->K; k++) z[k] += m->up[(w->first + c) * w->K + k];
        top += m->up_top[w->first + c];
    }
    return top;
}

/* The same by leaving one out of the others, where that takes nothing from them. */
static double leave_out(const walk *w, size_t p, size_t child, size_t other, double *z)
{
    static const double most = 1e6;
    const owi_tree_row *m = &w->tree->messages;
    const size_t c = w->first + child, o = w->first + other;
    bool small = fabs(m->up_top[o]) < most;

    for (size_t k = 0; k < w->K; k++) {
        z[k] = m->beside[c * w->K + k] - m->up[o * w->K + k];
        small = small && fabs(m->up[o * w->K + k]) < most;
    }
    return small ? m->beside_top[c] - m->up_top[o] : add_children(w, p, child, other, z);
}

static const float *turn_of(const walk *w, size_t child, size_t other, double *top)
{
    const owi_tree_row *m = &w->tree->messages;
    const size_t K = w->K, at = child * w->n + other;
    const size_t p = w->parent[child], r = w->first + p;
    float *factor = w->tree->turn + at * K;
    if (isnan(w->tree->turn_top[at])) {
        double *z = w->tree->half;
        const double others = leave_out(w, p, child, other, z) + m->down_top[r];
        for (size_t k = 0; k < K; k++) z[k] += m->down[r * K + k] + m->leaf[r * K + k];
        w->tree->turn_top[at] = to_factors(K, others, z, factor);
    }
    *top = w->tree->turn_top[at];
    return factor;
}

/* ---- Paths ---- */

/* step = diag(z) E, or its transpose going up. */
static void make_step(size_t K, const float *z, const float *weight, bool up, float *step)
{
    for (size_t k = 0; k < K; k++)
        for (size_t j = 0; j < K; j++)
            step[k * K + j] = z[k] * weight[up ? j * K + k : k * K + j];
}

static OWI_INLINE void multiply_by(size_t K, const float *restrict from,
                                   const float *restrict step, float *restrict to)
{
    for (size_t n = 0; n < K; n++, from += K, to += K) {
        for (size_t j = 0; j < K; j++) to[j] = 0.0f;
        for (size_t k = 0; k < K; k++)
            for (size_t j = 0; j < K; j++) to[j] += from[k] * step[k * K + j];
    }
}

/* to = from step.  Only products of positive floats are added up; what underflows is far
 * below what a sum of pairs may lose. */
OWI_WIDE static void multiply_step(size_t K, const float *restrict from,
                                   const float *restrict step, float *restrict to)
{
    if (K == 8)
        multiply_by(8, from, step, to);
    else if (K == 16)
        multiply_by(16, from, step, to);
    else
        multiply_by(K, from, step, to);
}

/* Multiplies by a power of two that makes the largest entry at least 1 and less than 2, and
 * returns the logarithm of what was taken out. */
OWI_WIDE static double take_largest(size_t n, float *restrict to)
{
    float lane[8] = {0}, largest = 0.0f;
    size_t at = 0;
    for (; at + 8 <= n; at += 8)
        for (size_t i = 0; i < 8; i++)
            lane[i] = to[at + i] > lane[i] ? to[at + i] : lane[i];
    for (; at < n; at++) largest = to[at] > largest ? to[at] : largest;
    for (size_t i = 0; i < 8; i++) largest = lane[i] > largest ? lane[i] : largest;
    /* 0, nearly 0 (whose power a float does not hold), or as it should be */
    if (!(largest > 1e-37f) || (largest >= 1.0f && largest < 2.0f)) return 0.0;
    const int exponent = ilogbf(largest);
    const float factor = ldexpf(1.0f, -exponent);
    for (size_t i = 0; i < n; i++) to[i] *= factor;
    return (double)exponent * 0.69314718055994531;
}

/* Extends the paths by one edge, from `from` to `to`; came says for every node above a
 * through which child the path from a has come. */
static void extend(const walk *w, size_t from, size_t to, bool up)
{
    const size_t K = w->K, size = K * K;
    const uint32_t *came = w->tree->came;
    const bool first = from == w->a, above = came[from] != nowhere && !first;
    const float *z;
    double top;
    if (!up && above) {
        z = turn_of(w, came[from], to, &top);
    } else {
        const int kind = !first ? passing : up ? end_child : end_parent;
        const size_t at = !up ? to : first ? from : came[from];
        z = factor_of(w, kind, at);
        top = *top_of(w, kind, at);
    }
    const float *weight =
        owi_tree_row_edge(&w->tree->messages, w->first + (up ? from : to)).linear;
    float *step = w->tree->step, *path = w->path + to * size;
    make_step(K, z, weight, up, first ? path : step);
    if (!first) multiply_step(K, w->path + from * size, step, path);
    w->scale[to] = top + (first ? 0.0 : w->scale[from]) + take_largest(size, path);
}

/* H of a and b, and its transpose. */
static void finish(const walk *w, size_t b, float *h, double *scale)
{
    const size_t K = w->K, width = (w->n - 1) * K, a = w->a;
    const bool above = w->tree->came[b] != nowhere;
    const size_t at = above ? w->tree->came[b] : b;
    const int kind = above ? end_parent : end_child;
    const float *path = w->path + b * K * K, *z = factor_of(w, kind, at);

    /* b is behind a. */
    float *own = h + a * K * width + (b - 1) * K, *other = h + b * K * width + a * K;
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++) own[i * width + j] = path[i * K + j] * z[j];
    for (size_t j = 0; j < K; j++)
        for (size_t i = 0; i < K; i++) other[j * width + i] = own[i * width + j];
    scale[a * w->n + b] = scale[b * w->n + a] = *top_of(w, kind, at) + w->scale[b];
}

/* From a to all wanted nodes behind it. */
static void couple_node(const walk *w, const bool *wanted, float *h, double *scale)
{
    const owi_row_tree *tree = w->tree;
    const size_t a = w->a;
    for (size_t p = 0; p < w->n; p++) tree->came[p] = nowhere;
    for (size_t p = a; p != 0; p = w->parent[p]) {
        extend(w, p, w->parent[p], true);
        tree->came[w->parent[p]] = (uint32_t)p;
    }
    for (size_t p = 1; p < w->n; p++)
        if (p != a && tree->came[p] == nowhere && tree->last[p] > a)
            extend(w, w->parent[p], p, false);
    for (size_t b = a + 1; b < w->n; b++)
        if (wanted == NULL || wanted[b]) finish(w, b, h, scale);
}

void owi_tree_couple(owi_row_tree *tree, const bool *wanted, float *h, double *scale)
{
    const owi_region_graph *regions = &tree->circuit->regions;
    const size_t n = regions->n_parts, K = tree->circuit->spec.inputs;
    const size_t width = (n - 1) * K;

    for (size_t rep = 0; rep < tree->circuit->spec.repetitions; rep++) {
        const uint32_t *parent = regions->parent + rep * n;
        const bool *here = wanted != NULL ? wanted + rep * n : NULL;
        double *own_scale = scale + rep * n * n;
        walk w = {tree, rep * n, n, K, parent, 0, tree->steps, tree->path_top};
        make_factors(&w);
        memset(own_scale, 0, n * n * sizeof *own_scale);
        for (size_t p = 0; p < n; p++)
            tree->last[p] = here == NULL || here[p] ? (uint32_t)p : 0;
        for (size_t p = n; p-- > 1;)
            if (tree->last[p] > tree->last[parent[p]])
                tree->last[parent[p]] = tree->last[p];
        for (w.a = 0; w.a < tree->last[0]; w.a++)
            if (here == NULL || here[w.a])
                couple_node(&w, here, h + rep * n * K * width, own_scale);
    }
}
