/* SPDX-License-Identifier: MIT */
/* One tree of a LightGBM model.  Child c >= 0 is a split, c < 0 the leaf ~c.  The bits of
 * decision_type: 1 a category, 2 missing values go left, 4 and 8 what counts as missing.
 * The threshold of a categorical split is the number of its set. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "trees/read/lightgbm_private.h"

static const char *const field_names[n_tree_fields] = {
    [field_n_leaves] = "num_leaves",    [field_n_sets] = "num_cat",
    [field_feature] = "split_feature",  [field_threshold] = "threshold",
    [field_decision] = "decision_type", [field_left] = "left_child",
    [field_right] = "right_child",      [field_leaf] = "leaf_value",
    [field_bounds] = "cat_boundaries",  [field_words] = "cat_threshold",
    [field_linear] = "is_linear",
};

enum { missing_none = 0, missing_zero = 1, missing_nan = 2 };

/* LightGBM writes a threshold beyond all numbers, which only missing values pass, as
 * inf. */
static bool parse_number(owi_span word, unsigned which, double *number)
{
    if (which == field_threshold && word.length >= 3 && word.length <= 4 &&
        memcmp(word.text + word.length - 3, "inf", 3) == 0 &&
        (word.length == 3 || word.text[0] == '-')) {
        *number = word.length == 3 ? (double)INFINITY : -(double)INFINITY;
        return true;
    }
    return owi_parse_number(word.text, word.length, number, NULL);
}

static ow_status read_numbers(owi_lightgbm *l, owi_span list, unsigned which)
{
    owi_lightgbm_field *field = &l->fields[which];
    owi_span word;
    if (field->seen)
        return owi_lightgbm_fail(l, "the key \"%s\" stands there twice",
                                 field_names[which]);
    field->seen = true;
    while (owi_lightgbm_word(&list, ' ', &word)) {
        char quoted[owi_quote_size];
        if (field->n == field->capacity)
            OWI_TRY(owi_grow(l->trees->ctx, &field->numbers, &field->capacity, field->n + 1,
                             sizeof *field->numbers));
        if (!parse_number(word, which, &field->numbers[field->n++]))
            return owi_lightgbm_fail(l, "%s: expected a number, got %s", field_names[which],
                                     owi_quote(word.text, word.length, quoted));
    }
    return OW_OK;
}

static ow_status read_fields(owi_lightgbm *l)
{
    owi_span line, value;
    for (unsigned i = 0; i < n_tree_fields; i++) {
        l->fields[i].n = 0;
        l->fields[i].seen = false;
    }
    while (owi_lightgbm_line(l, &line) && line.length > 0)
        for (unsigned i = 0; i < n_tree_fields; i++)
            if (owi_lightgbm_value(line, field_names[i], &value)) {
                OWI_TRY(read_numbers(l, value, i));
                break;
            }
    return OW_OK;
}

/* A field that is one number; 0 where it is absent. */
static double single(const owi_lightgbm *l, unsigned which)
{
    return l->fields[which].n > 0 ? l->fields[which].numbers[0] : 0.0;
}

static ow_status check_lengths(const owi_lightgbm *l)
{
    const double n_leaves = single(l, field_n_leaves);
    const size_t number = l->trees->forest.n_trees;
    if (single(l, field_linear) != 0.0)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: the leaves hold linear models (linear_tree), which is not "
                        "supported",
                        l->name);
    if (!(n_leaves >= 1.0 && n_leaves < 0x1p30) || n_leaves != floor(n_leaves))
        return owi_lightgbm_fail(l, "tree %zu has %g leaves", number, n_leaves);
    for (unsigned i = field_feature; i <= field_leaf; i++) {
        const size_t want = (size_t)n_leaves - (i != field_leaf);
        if (l->fields[i].n != want)
            return owi_lightgbm_fail(l, "tree %zu has %zu entries in %s, expected %zu",
                                     number, l->fields[i].n, field_names[i], want);
    }
    return OW_OK;
}

/* Set number `index` into the forest. */
static ow_status read_set(owi_lightgbm *l, double index, owi_split *split)
{
    owi_forest *forest = &l->trees->forest;
    const owi_lightgbm_field *bounds = &l->fields[field_bounds];
    const owi_lightgbm_field *words = &l->fields[field_words];
    double from = -1.0, to = -1.0;
    if (index >= 0.0 && index + 1.0 < (double)bounds->n) {
        from = bounds->numbers[(size_t)index];
        to = bounds->numbers[(size_t)index + 1];
    }
    if (!(from >= 0.0 && from <= to && to <= (double)words->n) ||
        (to - from) * 32.0 > (double)INT32_MAX)
        return owi_lightgbm_fail(l, "tree %zu: the category set %g is out of range",
                                 forest->n_trees, index);
    split->words = (uint32_t)((size_t)to - (size_t)from);
    OWI_TRY(owi_blame_file(owi_forest_add_set(forest, split->words, &split->set), l->name));
    for (size_t i = 0; i < split->words; i++) {
        const double word = words->numbers[(size_t)from + i];
        if (!(word >= 0.0 && word < 0x1p32) || word != floor(word))
            return owi_lightgbm_fail(l, "tree %zu: cat_threshold holds %g", forest->n_trees,
                                     word);
        forest->sets[split->set + i] = (uint32_t)word;
    }
    return OW_OK;
}

/* Where zeros and missing values go.  With "none" a missing value is a 0; with "zero" both
 * go the default way, which needs no flag where the comparison sends zeros there anyway. */
static uint32_t missing_flags(unsigned decision, double threshold)
{
    const bool default_left = (decision & 2) != 0;
    const bool zero_left = 0.0 <= threshold;
    const unsigned type = decision >> 2 & 3;
    if (type == missing_none) return zero_left ? owi_split_missing_left : 0;
    const uint32_t flags = default_left ? owi_split_missing_left : 0;
    if (type == missing_nan || default_left == zero_left) return flags;
    return flags |
           (default_left ? (uint32_t)owi_split_zero_left : (uint32_t)owi_split_zero_right);
}

static ow_status fill_split(owi_lightgbm *l, size_t i)
{
    const double decision = l->fields[field_decision].numbers[i];
    const double feature = l->fields[field_feature].numbers[i];
    const double threshold = l->fields[field_threshold].numbers[i];
    owi_split *split = &l->nodes[i].split;
    if (!(decision >= 0.0 && decision < 12.0) || decision != floor(decision) ||
        !(feature >= 0.0 && feature < (double)l->trees->forest.n_features))
        return owi_lightgbm_fail(l,
                                 "tree %zu: split %zu has the decision type %g and the "
                                 "feature %g",
                                 l->trees->forest.n_trees, i, decision, feature);
    split->feature = (uint32_t)feature;
    if (((unsigned)decision & 1) != 0) {
        split->flags = owi_split_category;
        return read_set(l, threshold, split);
    }
    split->flags = missing_flags((unsigned)decision, threshold);
    split->threshold = owi_threshold_up_to(threshold);
    return OW_OK;
}

/* A child as the number of a node: the leaves stand behind the splits. */
static ow_status number_child(const owi_lightgbm *l, unsigned which, size_t i, double *node)
{
    const size_t n_splits = l->fields[which].n;
    const double child = l->fields[which].numbers[i];
    if (child >= (double)n_splits)
        return owi_lightgbm_fail(l, "tree %zu: split %zu has a child %g, but there are %zu",
                                 l->trees->forest.n_trees, i, child, n_splits);
    *node = child >= 0.0 ? child : (double)n_splits - 1.0 - child;
    return OW_OK;
}

ow_status owi_lightgbm_read_tree(owi_lightgbm *l)
{
    OWI_TRY(read_fields(l));
    OWI_TRY(check_lengths(l));
    owi_forest *forest = &l->trees->forest;
    const size_t n_leaves = l->fields[field_leaf].n, n_splits = n_leaves - 1;
    OWI_TRY(owi_grow(l->trees->ctx, &l->nodes, &l->node_capacity, n_splits + n_leaves,
                     sizeof *l->nodes));
    memset(l->nodes, 0, (n_splits + n_leaves) * sizeof *l->nodes);
    for (size_t i = 0; i < n_splits; i++) {
        OWI_TRY(number_child(l, field_left, i, &l->nodes[i].left));
        OWI_TRY(number_child(l, field_right, i, &l->nodes[i].right));
        OWI_TRY(fill_split(l, i));
    }
    for (size_t i = 0; i < n_leaves; i++) {
        l->nodes[n_splits + i].is_leaf = true;
        l->nodes[n_splits + i].value = l->fields[field_leaf].numbers[i];
    }
    const uint32_t group = (uint32_t)(forest->n_trees % l->n_per_iteration);
    return owi_blame_file(owi_forest_add(forest, n_splits + n_leaves, l->nodes, group),
                          l->name);
}
