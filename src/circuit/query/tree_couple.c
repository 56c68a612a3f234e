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

/* One repetition, seen from node a. */
typedef struct {
    const owi_row_tree *tree;
    size_t first, a; /* its first region; a counted from there */
    float *path;     /* (nodes, K, K): from a to each, relative to its scale */
    double *scale;   /* (nodes)                                              */
} walk;

static const uint32_t nowhere = UINT32_MAX;

/* What a node of the path gets from its neighbours, less those on the path. */
typedef struct {
    size_t p;
    size_t child, other; /* its children on the path; p itself: none            */
    bool by_parent;      /* the path goes through the edge above                */
    bool leaf;           /* with what its own leaf says: it is not an end       */
} junction;

/* The messages of all children but two, added up one by one. */
static double add_children(const walk *w, const junction *at, double *z)
{
    const owi_tree_row *m = &w->tree->messages;
    const size_t K = w->tree->circuit->spec.inputs, n = w->tree->circuit->regions.n_parts;
    double top = 0.0;
    memset(z, 0, K * sizeof *z);
    for (size_t c = at->p + 1; c < n; c++) {
        if (owi_tree_row_parent(m, w->first + c) != w->first + at->p || c == at->child ||
            c == at->other)
            continue;
        for (size_t k = 0; k < K; k++) z[k] += m->up[(w->first + c) * K + k];
        top += m->up_top[w->first + c];
    }
    return top;
}

/* The same by leaving one out of the others, where that takes nothing from them. */
static double leave_out(const walk *w, const junction *at, double *z)
{
    static const double most = 1e6;
    const owi_tree_row *m = &w->tree->messages;
    const size_t K = w->tree->circuit->spec.inputs;
    const size_t child = w->first + at->child, other = w->first + at->other;
    bool small = fabs(m->up_top[other]) < most;

    for (size_t k = 0; k < K; k++) {
        z[k] = m->beside[child * K + k] - m->up[other * K + k];
        small = small && fabs(m->up[other * K + k]) < most;
    }
    return small ? m->beside_top[child] - m->up_top[other] : add_children(w, at, z);
}

/* z gets it in logarithms, relative to the one that is returned. */
static double gather(const walk *w, const junction *at, double *z)
{
    const owi_tree_row *m = &w->tree->messages;
    const size_t K = w->tree->circuit->spec.inputs, r = w->first + at->p;
    double top;

    if (at->other != at->p) {
        top = leave_out(w, at, z);
    } else {
        const bool all = at->child == at->p;
        const size_t child = w->first + at->child;
        memcpy(z, all ? m->below + r * K : m->beside + child * K, K * sizeof *z);
        top = all ? m->below_top[r] : m->beside_top[child];
    }
    for (size_t k = 0; k < K; k++) {
        if (!at->by_parent) z[k] += m->down[r * K + k];
        if (at->leaf) z[k] += m->leaf[r * K + k];
    }
    return top + (at->by_parent ? 0.0 : m->down_top[r]);
}

/* z relative to its largest, as factors; returns that added to top. */
static double to_factors(size_t K, double top, double *z)
{
    double most = -INFINITY;
    for (size_t k = 0; k < K; k++) most = z[k] > most ? z[k] : most;
    if (most == -INFINITY) most = 0.0;
    for (size_t k = 0; k < K; k++) z[k] = exp(z[k] - most);
    return top + most;
}

/* sum_k a[k] b[k], in lanes that the compiler turns into vectors. */
static OWI_INLINE float dot(size_t K, const float *a, const float *b)
{
    float lane[8] = {0};
    size_t k = 0;
    for (; k + 8 <= K; k += 8)
        for (size_t i = 0; i < 8; i++) lane[i] += a[k + i] * b[k + i];
    for (; k < K; k++) lane[0] += a[k] * b[k];
    return ((lane[0] + lane[4]) + (lane[1] + lane[5])) +
           ((lane[2] + lane[6]) + (lane[3] + lane[7]));
}

/* to = from diag(z) E, or its transpose going up.  Only products of positive floats are
 * added up; what underflows is far below what a sum of pairs may lose. */
OWI_WIDE static void multiply_edge(size_t K, const float *restrict from,
                                   const float *restrict z, const float *restrict weight,
                                   bool up, float *restrict share, float *restrict to)
{
    for (size_t n = 0; n < K; n++, to += K) {
        for (size_t k = 0; k < K; k++) share[k] = from[n * K + k] * z[k];
        if (up) {
            for (size_t j = 0; j < K; j++) to[j] = dot(K, share, weight + j * K);
            continue;
        }
        for (size_t j = 0; j < K; j++) to[j] = 0.0f;
        for (size_t k = 0; k < K; k++)
            for (size_t j = 0; j < K; j++) to[j] += share[k] * weight[k * K + j];
    }
}

/* The first edge of a path: diag(z) E, or its transpose. */
static void take_edge(size_t K, const float *z, const float *weight, bool up, float *to)
{
    for (size_t k = 0; k < K; k++)
        for (size_t j = 0; j < K; j++)
            to[k * K + j] = z[k] * weight[up ? j * K + k : k * K + j];
}

/* Divides by the largest entry, whose logarithm is returned. */
OWI_WIDE static double take_largest(size_t n, float *restrict to)
{
    float lane[8] = {0}, largest = 0.0f;
    size_t at = 0;
    for (; at + 8 <= n; at += 8)
        for (size_t i = 0; i < 8; i++)
            lane[i] = to[at + i] > lane[i] ? to[at + i] : lane[i];
    for (; at < n; at++) largest = to[at] > largest ? to[at] : largest;
    for (size_t i = 0; i < 8; i++) largest = lane[i] > largest ? lane[i] : largest;
    if (!(largest > 0.0f)) return 0.0;
    const float factor = 1.0f / largest;
    if (!isfinite(factor)) return 0.0;
    for (size_t i = 0; i < n; i++) to[i] *= factor;
    return log((double)largest);
}

/* Extends the paths by one edge, from `from` to `to`; came says for every node above a
 * through which child the path from a has come. */
static void extend(const walk *w, size_t from, size_t to, bool up, double *z)
{
    const size_t K = w->tree->circuit->spec.inputs, size = K * K;
    const uint32_t *came = w->tree->came;
    const bool first = from == w->a, above = came[from] != nowhere && !first;
    junction at = {.p = from, .child = from, .other = from, .leaf = !first};
    if (above) at.child = came[from];
    /* Going up, the edge above is the way out; going down from a node that is not above a,
     * it is the way in. */
    at.by_parent = up || (!above && !first);
    if (!up && above) at.other = to;
    if (!up && !above) at.child = to;
    double scale = gather(w, &at, z);
    scale = to_factors(K, scale, z);
    if (!first) scale += w->scale[from];
    const float *weight =
        owi_tree_row_edge(&w->tree->messages, w->first + (up ? from : to)).linear;
    float *factor = w->tree->factor, *path = w->path + to * size;
    for (size_t k = 0; k < K; k++) factor[k] = (float)z[k];
    if (first)
        take_edge(K, factor, weight, up, path);
    else
        multiply_edge(K, w->path + from * size, factor, weight, up, factor + K, path);
    w->scale[to] = scale + take_largest(size, path);
}

/* H of a and b, and its transpose. */
static void finish(const walk *w, size_t b, double *z, float *h, double *scale)
{
    const size_t K = w->tree->circuit->spec.inputs, n = w->tree->circuit->regions.n_parts;
    const size_t width = (n - 1) * K, a = w->a;
    const bool above = w->tree->came[b] != nowhere;
    const float *path = w->path + b * K * K;
    const junction at = {b, above ? w->tree->came[b] : b, b, !above, false};
    const double log_scale = to_factors(K, gather(w, &at, z), z) + w->scale[b];

    /* b is behind a. */
    float *own = h + a * K * width + (b - 1) * K, *other = h + b * K * width + a * K;
    for (size_t j = 0; j < K; j++) w->tree->factor[j] = (float)z[j];
    for (size_t i = 0; i < K; i++)
        for (size_t j = 0; j < K; j++)
            own[i * width + j] = path[i * K + j] * w->tree->factor[j];
    for (size_t j = 0; j < K; j++)
        for (size_t i = 0; i < K; i++) other[j * width + i] = own[i * width + j];
    scale[a * n + b] = scale[b * n + a] = log_scale;
}

/* From a to all wanted nodes behind it. */
static void couple_node(const walk *w, const uint32_t *parent, const bool *wanted, float *h,
                        double *scale)
{
    const owi_row_tree *tree = w->tree;
    const size_t n = tree->circuit->regions.n_parts, a = w->a;
    for (size_t p = 0; p < n; p++) tree->came[p] = nowhere;
    for (size_t p = a; p != 0; p = parent[p]) {
        extend(w, p, parent[p], true, tree->half);
        tree->came[parent[p]] = (uint32_t)p;
    }
    tree->came[a] = nowhere;
    for (size_t p = 1; p < n; p++)
        if (p != a && tree->came[p] == nowhere && tree->last[p] > a)
            extend(w, parent[p], p, false, tree->half);
    for (size_t b = a + 1; b < n; b++)
        if (wanted == NULL || wanted[b]) finish(w, b, tree->half, h, scale);
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
        memset(own_scale, 0, n * n * sizeof *own_scale);
        for (size_t p = 0; p < n; p++)
            tree->last[p] = here == NULL || here[p] ? (uint32_t)p : 0;
        for (size_t p = n; p-- > 1;)
            if (tree->last[p] > tree->last[parent[p]])
                tree->last[parent[p]] = tree->last[p];
        for (size_t a = 0; a < tree->last[0]; a++) {
            const walk w = {tree, rep * n, a, tree->steps, tree->path_top};
            if (here == NULL || here[a])
                couple_node(&w, parent, here, h + rep * n * K * width, own_scale);
        }
    }
}
