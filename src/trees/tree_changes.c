/* SPDX-License-Identifier: MIT */
#include "trees/tree_changes.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "trees/leaf_regions.h"

enum { lines_at_once = 4 };

/* A node that is still to be looked at, and the features that x misses it by. */
typedef struct {
    int32_t node;
    uint32_t n_missed;
    uint32_t missed[2];
} open_node;

struct owi_tree_changes {
    const owi_forest *forest;
    size_t *start;  /* n_features + 1 */
    double *values; /* candidates     */
    owi_leaf_regions regions;
    /* (features, features): the table of f < g, 1 + its number; 0: none */
    uint32_t *table_of;
    size_t *table_first; /* tables + 1: where each begins in both                     */
    uint32_t *table_f, *table_g;
    size_t n_tables;
    double *own;    /* (groups)                                                      */
    double *single; /* (candidates, groups)                                          */
    /* A table's candidates and one more of each feature: the ends of runs. */
    double *both;
    double *ends; /* (features, candidates + 1, groups): singles while they are added */
    open_node *open;
};

static size_t n_candidates(const owi_tree_changes *changes, size_t f)
{
    return changes->start[f + 1] - changes->start[f];
}

/* ---- Adding leaves ---- */

/* The runs where [a in A_f] - s_f is not 0, and its sign. */
typedef struct {
    const owi_run *runs;
    size_t n;
    double sign;
} signed_runs;

static signed_runs runs_of(const owi_tree_changes *changes, const owi_leaf_side *side,
                           bool is_missed)
{
    const owi_run *runs = changes->regions.runs;
    return is_missed ? (signed_runs){runs + side->in, side->n_in, 1.0}
                     : (signed_runs){runs + side->out, side->n_out, -1.0};
}

static void add_single(owi_tree_changes *changes, size_t group, double value,
                       const owi_leaf_side *side, bool is_missed)
{
    const size_t G = changes->forest->n_groups;
    const signed_runs r = runs_of(changes, side, is_missed);
    double *ends = changes->ends + (changes->start[side->feature] + side->feature) * G;
    for (size_t i = 0; i < r.n; i++) {
        ends[r.runs[i].first * G + group] += r.sign * value;
        ends[r.runs[i].end * G + group] -= r.sign * value;
    }
}

static void add_both(owi_tree_changes *changes, size_t group, double value,
                     const owi_leaf_side *a, bool missed_a, const owi_leaf_side *b,
                     bool missed_b)
{
    if (a->feature > b->feature) {
        add_both(changes, group, value, b, missed_b, a, missed_a);
        return;
    }
    const size_t G = changes->forest->n_groups, F = changes->forest->n_features;
    const size_t stride = (n_candidates(changes, b->feature) + 1) * G;
    const uint32_t table = changes->table_of[a->feature * F + b->feature] - 1;
    double *corner = changes->both + changes->table_first[table] + group;
    const signed_runs ra = runs_of(changes, a, missed_a),
                      rb = runs_of(changes, b, missed_b);
    const double v = ra.sign * rb.sign * value;
    for (size_t i = 0; i < ra.n; i++) {
        double *top = corner + ra.runs[i].first * stride;
        double *bottom = corner + ra.runs[i].end * stride;
        for (size_t j = 0; j < rb.n; j++) {
            const size_t left = rb.runs[j].first * G, right = rb.runs[j].end * G;
            top[left] += v;
            top[right] -= v;
            bottom[left] -= v;
            bottom[right] += v;
        }
    }
}

static bool is_missed(const open_node *at, uint32_t feature)
{
    for (uint32_t i = 0; i < at->n_missed; i++)
        if (at->missed[i] == feature) return true;
    return false;
}

static void add_leaf(owi_tree_changes *changes, size_t group, size_t leaf,
                     const open_node *at, bool with_pairs)
{
    const owi_leaf_regions *regions = &changes->regions;
    const owi_leaf_side *sides = regions->sides + regions->first_side[leaf];
    const size_t n = regions->first_side[leaf + 1] - regions->first_side[leaf];
    const double value = changes->forest->leaves[leaf];
    if (at->n_missed == 0) changes->own[group] += value;
    for (size_t i = 0; i < n; i++) {
        const bool missed_i = is_missed(at, sides[i].feature);
        if (at->n_missed == 0 || (at->n_missed == 1 && missed_i))
            add_single(changes, group, value, &sides[i], missed_i);
        for (size_t j = i + 1; j < n && with_pairs; j++) {
            const bool missed_j = is_missed(at, sides[j].feature);
            if ((uint32_t)missed_i + (uint32_t)missed_j == at->n_missed)
                add_both(changes, group, value, &sides[i], missed_i, &sides[j], missed_j);
        }
    }
}

/* ---- Looking for them ---- */

/* Goes on to a child of a node; false where x would miss it by too many features. */
static inline bool enter(open_node *at, int32_t child, bool is_own, uint32_t feature,
                         uint32_t most)
{
    at->node = child;
    if (is_own || is_missed(at, feature)) return true;
    if (at->n_missed == most) return false;
    at->missed[at->n_missed++] = feature;
    return true;
}

/* Depth first; x itself goes to one of two children, so one of them at least is entered. */
static void add_tree(owi_tree_changes *changes, const owi_tree *tree, const double *row,
                     bool with_pairs)
{
    const owi_forest *forest = changes->forest;
    const uint32_t most = with_pairs ? 2 : 1;
    open_node at = {.node = tree->n_splits > 0 ? 0 : ~0};
    for (size_t n_open = 0;;) {
        while (at.node >= 0) {
            const owi_split *split = &forest->splits[tree->first_split + (size_t)at.node];
            const bool left = owi_split_goes_left(forest, split, row[split->feature]);
            open_node right = at;
            const bool enters_right =
                enter(&right, split->right, !left, split->feature, most);
            if (!enter(&at, split->left, left, split->feature, most))
                at = right;
            else if (enters_right)
                changes->open[n_open++] = right;
        }
        add_leaf(changes, tree->group, tree->first_leaf + (size_t)~at.node, &at,
                 with_pairs);
        if (n_open == 0) return;
        at = changes->open[--n_open];
    }
}

/* ---- Summing up ---- */

static void sum_singles(owi_tree_changes *changes)
{
    const size_t G = changes->forest->n_groups;
    for (size_t f = 0; f < changes->forest->n_features; f++) {
        const double *ends = changes->ends + (changes->start[f] + f) * G;
        double *single = changes->single + changes->start[f] * G;
        const size_t n = n_candidates(changes, f) * G;
        for (size_t i = 0; i < n; i++) single[i] = ends[i] + (i >= G ? single[i - G] : 0.0);
    }
}

/* Sums up lines of a table along both axes, each from the line above on.  A sum stays in
 * its register instead of being stored and read again for the next candidate, and `lines`
 * such chains of additions run side by side. */
static inline void sum_lines(double *line, const double *above, size_t lines, size_t stride,
                             size_t n, size_t step)
{
    double sums[lines_at_once] = {0};
    for (size_t j = 0; j < n; j += step) {
        double over = above != NULL ? above[j] : 0.0;
        for (size_t i = 0; i < lines; i++) {
            sums[i] += line[i * stride + j];
            over += sums[i];
            line[i * stride + j] = over;
        }
    }
}

static void sum_table(const owi_tree_changes *changes, size_t table)
{
    const size_t G = changes->forest->n_groups;
    const size_t n_f = n_candidates(changes, changes->table_f[table]);
    const size_t n_g = n_candidates(changes, changes->table_g[table]);
    const size_t stride = (n_g + 1) * G;
    for (size_t group = 0; group < G; group++) {
        double *line = changes->both + changes->table_first[table] + group;
        const double *above = NULL;
        size_t i = 0;
        for (; i + lines_at_once <= n_f; i += lines_at_once) {
            sum_lines(line, above, lines_at_once, stride, n_g * G, G);
            line += lines_at_once * stride;
            above = line - stride;
        }
        for (; i < n_f; i++) {
            sum_lines(line, above, 1, stride, n_g * G, G);
            above = line;
            line += stride;
        }
    }
}

void owi_tree_changes_of_row(owi_tree_changes *changes, const double *row, bool with_pairs)
{
    const owi_forest *forest = changes->forest;
    const size_t G = forest->n_groups, F = forest->n_features;
    memset(changes->own, 0, G * sizeof *changes->own);
    memset(changes->ends, 0, (changes->start[F] + F) * G * sizeof *changes->ends);
    if (with_pairs)
        memset(changes->both, 0,
               changes->table_first[changes->n_tables] * sizeof *changes->both);
    for (size_t t = 0; t < forest->n_trees; t++)
        add_tree(changes, &forest->trees[t], row, with_pairs);
    sum_singles(changes);
    for (size_t table = 0; table < changes->n_tables && with_pairs; table++)
        sum_table(changes, table);
}

const double *owi_tree_changes_own(const owi_tree_changes *changes)
{
    return changes->own;
}

const double *owi_tree_changes_single(const owi_tree_changes *changes)
{
    return changes->single;
}

owi_tree_table owi_tree_changes_both(const owi_tree_changes *changes, size_t f, size_t g)
{
    const uint32_t number = changes->table_of[f * changes->forest->n_features + g];
    if (number == 0) return (owi_tree_table){0};
    return (owi_tree_table){changes->both + changes->table_first[number - 1],
                            n_candidates(changes, g) + 1};
}

/* ---- Making them ---- */

/* Numbers the pairs of features that some leaf has on its path. */
static void find_tables(owi_tree_changes *changes)
{
    const owi_leaf_regions *regions = &changes->regions;
    const size_t F = changes->forest->n_features;
    for (size_t l = 0; l < changes->forest->n_leaves; l++)
        for (size_t i = regions->first_side[l]; i < regions->first_side[l + 1]; i++)
            for (size_t j = i + 1; j < regions->first_side[l + 1]; j++) {
                const size_t a = regions->sides[i].feature, b = regions->sides[j].feature;
                uint32_t *number = &changes->table_of[a < b ? a * F + b : b * F + a];
                if (*number == 0) *number = (uint32_t)++changes->n_tables;
            }
}

/* Where each table begins, and so how large all are. */
static ow_status place_tables(owi_tree_changes *changes, size_t *n)
{
    const size_t F = changes->forest->n_features, G = changes->forest->n_groups;
    for (size_t i = 0; i < F * F; i++)
        if (changes->table_of[i] > 0) {
            changes->table_f[changes->table_of[i] - 1] = (uint32_t)(i / F);
            changes->table_g[changes->table_of[i] - 1] = (uint32_t)(i % F);
        }
    *n = 0;
    for (size_t table = 0; table < changes->n_tables; table++) {
        const size_t n_f = n_candidates(changes, changes->table_f[table]) + 1;
        const size_t n_g = n_candidates(changes, changes->table_g[table]) + 1;
        size_t cells;
        changes->table_first[table] = *n;
        if (!owi_size_multiply(n_f, n_g * G, &cells) || !owi_size_add(*n, cells, n))
            return owi_fail(OW_ERR_MEMORY,
                            "the changes of these trees do not fit into memory");
    }
    changes->table_first[changes->n_tables] = *n;
    return OW_OK;
}

static ow_status make(owi_tree_changes *changes, const owi_tree_candidates *candidates,
                      bool without_pairs)
{
    const owi_forest *forest = changes->forest;
    ow_context *ctx = forest->ctx;
    const size_t F = forest->n_features, G = forest->n_groups, n = candidates->start[F];
    size_t n_both, n_pairs;
    if (!owi_size_multiply(F, F, &n_pairs)) return OW_ERR_MEMORY;
    changes->start = owi_alloc_array(ctx, F + 1, sizeof *changes->start);
    changes->values = owi_alloc_array(ctx, n, sizeof *changes->values);
    changes->table_of = owi_alloc_array(ctx, n_pairs, sizeof *changes->table_of);
    changes->own = owi_alloc_array(ctx, G, sizeof *changes->own);
    changes->single = owi_alloc_array(ctx, n, G * sizeof *changes->single);
    changes->ends = owi_alloc_array(ctx, n + F, G * sizeof *changes->ends);
    if (changes->start == NULL || changes->values == NULL || changes->table_of == NULL ||
        changes->own == NULL || changes->single == NULL || changes->ends == NULL)
        return OW_ERR_MEMORY;
    memcpy(changes->start, candidates->start, (F + 1) * sizeof *changes->start);
    memcpy(changes->values, candidates->values, n * sizeof *changes->values);
    const owi_tree_candidates own = {changes->start, changes->values};
    OWI_TRY(owi_leaf_regions_init(&changes->regions, forest, &own));
    if (!without_pairs) find_tables(changes);
    const size_t m = changes->n_tables;
    changes->table_first = owi_alloc_array(ctx, m + 1, sizeof *changes->table_first);
    changes->table_f = owi_alloc_array(ctx, m, sizeof *changes->table_f);
    changes->table_g = owi_alloc_array(ctx, m, sizeof *changes->table_g);
    /* A split leaves one child for later. */
    changes->open =
        owi_alloc_array(ctx, changes->regions.most_splits + 1, sizeof *changes->open);
    if (changes->table_first == NULL || changes->table_f == NULL ||
        changes->table_g == NULL || changes->open == NULL)
        return OW_ERR_MEMORY;
    OWI_TRY(place_tables(changes, &n_both));
    changes->both = owi_alloc_array(ctx, n_both, sizeof *changes->both);
    return changes->both != NULL ? OW_OK : OW_ERR_MEMORY;
}

ow_status owi_tree_changes_new(const owi_forest *forest,
                               const owi_tree_candidates *candidates, bool without_pairs,
                               owi_tree_changes **out)
{
    *out = NULL;
    owi_tree_changes *changes = owi_alloc_zeroed(forest->ctx, sizeof *changes);
    if (changes == NULL) return OW_ERR_MEMORY;
    changes->forest = forest;
    const ow_status status = make(changes, candidates, without_pairs);
    if (status == OW_OK)
        *out = changes;
    else
        owi_tree_changes_free(changes);
    return status;
}

void owi_tree_changes_free(owi_tree_changes *changes)
{
    if (changes == NULL) return;
    ow_context *ctx = changes->forest->ctx;
    owi_leaf_regions_clear(&changes->regions, ctx);
    void *const blocks[] = {changes->start,   changes->values,      changes->table_of,
                            changes->own,     changes->single,      changes->ends,
                            changes->both,    changes->table_first, changes->table_f,
                            changes->table_g, changes->open};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) owi_free(ctx, blocks[i]);
    owi_free(ctx, changes);
}
