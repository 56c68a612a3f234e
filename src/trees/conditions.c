/* SPDX-License-Identifier: MIT */
#include "trees/conditions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/numeric/sorted.h"

/* A split on its way to its condition. */
typedef struct {
    const owi_split *split;
    const uint32_t *set; /* its words, up to the last that is not 0 */
    uint32_t n_words;
    uint32_t index; /* of the split in the forest */
    bool by_masks;
} item;

/* Bytes that matter: the comparison of sets must not depend on trailing zeros. */
static int compare_sets(const item *a, const item *b)
{
    if (a->n_words != b->n_words) return a->n_words < b->n_words ? -1 : 1;
    return a->n_words == 0 ? 0 : memcmp(a->set, b->set, a->n_words * sizeof *a->set);
}

/* By feature, threshold, flags and set. */
static int compare_items(const void *left, const void *right)
{
    const item *a = left, *b = right;
    if (a->split->feature != b->split->feature)
        return a->split->feature < b->split->feature ? -1 : 1;
    if (a->split->threshold != b->split->threshold)
        return a->split->threshold < b->split->threshold ? -1 : 1;
    if (a->split->flags != b->split->flags)
        return a->split->flags < b->split->flags ? -1 : 1;
    return compare_sets(a, b);
}

static ow_status make_items(const owi_forest *forest, item **out, size_t *n_out)
{
    size_t n = 0;
    for (size_t t = 0; t < forest->n_trees; t++) n += forest->trees[t].n_splits;
    item *items = *out = owi_alloc_array(forest->ctx, n, sizeof *items);
    if (items == NULL) return OW_ERR_MEMORY;
    size_t k = 0;
    for (size_t t = 0; t < forest->n_trees; t++)
        for (size_t i = 0; i < forest->trees[t].n_splits; i++, k++) {
            const size_t index = forest->trees[t].first_split + i;
            const owi_split *split = &forest->splits[index];
            const uint32_t *set = split->words > 0 ? forest->sets + split->set : NULL;
            uint32_t n_words = split->words;
            while (n_words > 0 && set[n_words - 1] == 0) n_words--;
            items[k] = (item){split, set, n_words, (uint32_t)index,
                              forest->trees[t].n_leaves <= owi_most_mask_leaves};
        }
    qsort(items, n, sizeof *items, compare_items);
    *n_out = n;
    return OW_OK;
}

/* ---- Thresholds and codes ---- */

typedef struct {
    const owi_forest *forest;
    owi_conditions *c;
    const item *items;
    size_t n_items;
    owi_split_test *tests;
    size_t first_column; /* of the feature at work */
    size_t column_capacity;
    size_t n_thresholds, threshold_capacity, condition_capacity, n_members, member_capacity;
} making;

static ow_status add_threshold(making *m, double threshold)
{
    OWI_TRY(owi_grow(m->forest->ctx, &m->c->thresholds, &m->threshold_capacity,
                     m->n_thresholds + 1, sizeof(double)));
    m->c->thresholds[m->n_thresholds++] = threshold;
    return OW_OK;
}

static bool is_category(const item *it)
{
    return (it->split->flags & owi_split_category) != 0;
}

/* The thresholds of items [first, end), which belong to one feature.  Where zeros go
 * elsewhere than their neighbours, they are an interval of their own. */
static ow_status add_numbers(making *m, size_t first, size_t end)
{
    bool has_zero = false;
    for (size_t i = first; i < end; i++) {
        const double threshold = m->items[i].split->threshold;
        has_zero |=
            (m->items[i].split->flags & (owi_split_zero_left | owi_split_zero_right)) != 0;
        if (i == first || threshold != m->items[i - 1].split->threshold)
            OWI_TRY(add_threshold(m, threshold));
    }
    if (has_zero) {
        OWI_TRY(add_threshold(m, -(double)1e-35f));
        OWI_TRY(add_threshold(m, owi_threshold_up_to((double)1e-35f)));
    }
    return OW_OK;
}

static ow_status add_codes(making *m, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const item *it = &m->items[i];
        if (i > first && compare_sets(it, it - 1) == 0) continue;
        for (size_t w = 0; w < it->n_words; w++)
            for (unsigned b = 0; b < 32; b++)
                if ((it->set[w] >> b & 1) != 0)
                    OWI_TRY(add_threshold(m, (double)(32 * w + b)));
    }
    return OW_OK;
}

/* Sorts what was added from `from` on, once each. */
static void sort_once(making *m, size_t from)
{
    double *numbers = m->c->thresholds + from;
    const size_t n = m->n_thresholds - from;
    size_t kept = 0;
    if (n == 0) return;
    owi_sort_numbers(numbers, n);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || numbers[i] != numbers[kept - 1]) numbers[kept++] = numbers[i];
    m->n_thresholds = from + kept;
}

static size_t find(const double *sorted, size_t n, double number)
{
    size_t low = 0;
    while (n > 0) {
        const size_t half = n / 2;
        if (sorted[low + half] < number) {
            low += half + 1;
            n -= half + 1;
        } else {
            n = half;
        }
    }
    return low;
}

/* ---- Conditions ---- */

static ow_status add_members(making *m, const item *it, const double *codes, size_t n,
                             uint32_t *set, uint32_t *n_set)
{
    *set = (uint32_t)m->n_members;
    for (size_t w = 0; w < it->n_words; w++)
        for (unsigned b = 0; b < 32; b++) {
            if ((it->set[w] >> b & 1) == 0) continue;
            OWI_TRY(owi_grow(m->forest->ctx, &m->c->members, &m->member_capacity,
                             m->n_members + 1, sizeof(uint32_t)));
            m->c->members[m->n_members++] = (uint32_t)find(codes, n, (double)(32 * w + b));
        }
    *n_set = (uint32_t)m->n_members - *set;
    return OW_OK;
}

static ow_status add_condition(making *m, const item *it, size_t first_threshold)
{
    owi_conditions *c = m->c;
    const double *thresholds = c->thresholds + first_threshold;
    const size_t n = m->n_thresholds - first_threshold;
    OWI_TRY(owi_grow(m->forest->ctx, &c->conditions, &m->condition_capacity,
                     c->n_conditions + 1, sizeof *c->conditions));
    owi_condition *condition = &c->conditions[c->n_conditions];
    *condition = (owi_condition){.feature = it->split->feature, .flags = it->split->flags};
    if (is_category(it))
        OWI_TRY(add_members(m, it, thresholds, n, &condition->set, &condition->words));
    else
        condition->rank = (uint32_t)find(thresholds, n, it->split->threshold);
    c->n_conditions++;
    return OW_OK;
}

/* The column of codes that a walked split looks at: comparisons of a feature with the same
 * flags share one. */
static ow_status find_column(making *m, const item *it, size_t first_threshold,
                             uint16_t *column)
{
    owi_conditions *c = m->c;
    size_t k = is_category(it) ? c->n_columns : m->first_column;
    while (k < c->n_columns && c->columns[k].flags != it->split->flags) k++;
    if (k > UINT16_MAX)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "the trees test more than %d different category sets", UINT16_MAX);
    *column = (uint16_t)k;
    if (k < c->n_columns) return OW_OK;
    OWI_TRY(owi_grow(m->forest->ctx, &c->columns, &m->column_capacity, k + 1,
                     sizeof *c->columns));
    owi_code_column *added = &c->columns[k];
    *added = (owi_code_column){.feature = it->split->feature, .flags = it->split->flags};
    if (is_category(it))
        OWI_TRY(add_members(m, it, c->thresholds + first_threshold,
                            m->n_thresholds - first_threshold, &added->set, &added->words));
    c->n_columns++;
    return OW_OK;
}

/* Items [first, end) are equal. */
static ow_status add_tests(making *m, size_t first, size_t end, size_t first_threshold)
{
    const item *it = &m->items[first];
    bool by_masks = false, by_walk = false;
    owi_split_test test = {.condition = (uint32_t)m->c->n_conditions};
    for (size_t k = first; k < end; k++) {
        by_masks |= m->items[k].by_masks;
        by_walk |= !m->items[k].by_masks;
    }
    if (by_masks) OWI_TRY(add_condition(m, it, first_threshold));
    if (by_walk) OWI_TRY(find_column(m, it, first_threshold, &test.column));
    if (by_walk && !is_category(it))
        test.rank = (uint16_t)find(m->c->thresholds + first_threshold,
                                   m->n_thresholds - first_threshold, it->split->threshold);
    for (size_t k = first; k < end; k++) m->tests[m->items[k].index] = test;
    return OW_OK;
}

static ow_status add_conditions(making *m, size_t first, size_t end, size_t first_threshold)
{
    size_t next;
    m->first_column = m->c->n_columns;
    for (size_t i = first; i < end; i = next) {
        for (next = i; next < end && compare_items(&m->items[i], &m->items[next]) == 0;
             next++)
            ;
        OWI_TRY(add_tests(m, i, next, first_threshold));
    }
    return OW_OK;
}

static ow_status add_feature(making *m, size_t first, size_t end)
{
    const size_t from = m->n_thresholds;
    const uint32_t feature = m->items[first].split->feature;
    for (size_t i = first; i < end; i++)
        if (is_category(&m->items[i]) != is_category(&m->items[first]))
            return owi_fail(OW_ERR_FORMAT,
                            "feature %u is a number in one split and a category in "
                            "another",
                            feature);
    const bool category = is_category(&m->items[first]);
    OWI_TRY(category ? add_codes(m, first, end) : add_numbers(m, first, end));
    sort_once(m, from);
    const size_t n = m->n_thresholds - from;
    if (category && n > m->c->most_cells) m->c->most_cells = n;
    if (n >= owi_most_code)
        return owi_fail(OW_ERR_UNSUPPORTED, "feature %u has more than %d thresholds",
                        feature, owi_most_code - 1);
    return add_conditions(m, first, end, from);
}

static ow_status add_features(making *m)
{
    size_t next, feature = 0;
    for (size_t i = 0; i < m->n_items; i = next) {
        const size_t of = m->items[i].split->feature;
        for (next = i; next < m->n_items && m->items[next].split->feature == of; next++)
            ;
        while (feature <= of) m->c->threshold_first[feature++] = m->n_thresholds;
        OWI_TRY(add_feature(m, i, next));
    }
    while (feature <= m->forest->n_features)
        m->c->threshold_first[feature++] = m->n_thresholds;
    return OW_OK;
}

ow_status owi_conditions_make(const owi_forest *forest, owi_conditions *conditions)
{
    ow_context *ctx = forest->ctx;
    item *items = NULL;
    making m = {.forest = forest, .c = conditions};
    *conditions = (owi_conditions){0};
    conditions->threshold_first =
        owi_alloc_array(ctx, forest->n_features + 1, sizeof(size_t));
    m.tests = owi_alloc_array(ctx, forest->n_splits, sizeof *m.tests);
    ow_status status = OW_ERR_MEMORY;
    if (conditions->threshold_first != NULL && m.tests != NULL)
        status = make_items(forest, &items, &m.n_items);
    m.items = items;
    /* Even an empty list is a place that offsets can be added to. */
    if (status == OW_OK)
        status =
            owi_grow(ctx, &conditions->members, &m.member_capacity, 1, sizeof(uint32_t));
    if (status == OW_OK)
        status = owi_grow(ctx, &conditions->thresholds, &m.threshold_capacity, 1,
                          sizeof(double));
    if (status == OW_OK) status = add_features(&m);
    if (status == OW_OK) status = owi_conditions_make_trees(forest, m.tests, conditions);
    if (status == OW_OK) status = owi_conditions_make_walks(forest, m.tests, conditions);
    owi_free(ctx, m.tests);
    owi_free(ctx, items);
    if (status != OW_OK) owi_conditions_clear(ctx, conditions);
    return status;
}

void owi_conditions_clear(ow_context *ctx, owi_conditions *conditions)
{
    owi_free(ctx, conditions->thresholds);
    owi_free(ctx, conditions->threshold_first);
    owi_free(ctx, conditions->conditions);
    owi_free(ctx, conditions->members);
    owi_free(ctx, conditions->trees);
    owi_free(ctx, conditions->nodes);
    owi_free(ctx, conditions->covers);
    owi_free(ctx, conditions->columns);
    owi_free(ctx, conditions->walk_nodes);
    owi_free(ctx, conditions->walk_values);
    owi_free_aligned(ctx, conditions->float_leaves);
    owi_free_aligned(ctx, conditions->double_leaves);
    *conditions = (owi_conditions){0};
}
