/* SPDX-License-Identifier: MIT */
/* One tree of an XGBoost model.  A leaf has no left child; its value stands among the split
 * conditions.  In a categorical split the codes listed go right, all others left. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "trees/read/xgboost_private.h"

static const char *const list_names[n_tree_lists] = {
    [list_left] = "left_children",
    [list_right] = "right_children",
    [list_feature] = "split_indices",
    [list_condition] = "split_conditions",
    [list_default_left] = "default_left",
    [list_type] = "split_type",
    [list_categories] = "categories",
    [list_category_nodes] = "categories_nodes",
    [list_category_starts] = "categories_segments",
    [list_category_sizes] = "categories_sizes",
};

static ow_status read_tree_param(owi_xgboost *x, const owi_token *key)
{
    if (!owi_token_is(key, "size_leaf_vector")) return owi_document_skip(&x->document);
    return owi_xgboost_number(x, "size_leaf_vector", &x->leaf_size);
}

static ow_status read_tree_field(owi_xgboost *x, const owi_token *key)
{
    for (unsigned i = 0; i < n_tree_lists; i++)
        if (owi_token_is(key, list_names[i])) {
            OWI_TRY(owi_xgboost_once(x, &x->seen_tree, i, list_names[i]));
            return owi_xgboost_list(x, list_names[i], &x->tree[i]);
        }
    if (owi_token_is(key, "tree_param")) {
        OWI_TRY(owi_xgboost_once(x, &x->seen_tree, n_tree_lists, "tree_param"));
        return owi_xgboost_object(x, "tree_param", read_tree_param);
    }
    return owi_document_skip(&x->document);
}

/* All lists that say something of each node are as long as the list of left children; those
 * about categories may be absent. */
static ow_status check_lengths(const owi_xgboost *x)
{
    const size_t n = x->tree[list_left].n, number = x->trees->forest.n_trees;
    if (x->leaf_size > 1.0)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: the leaves are vectors (multi_strategy=multi_output_tree), "
                        "which is not supported; train with one_output_per_tree",
                        x->document.name);
    for (unsigned i = 0; i <= list_type; i++) {
        if (i == list_type && (x->seen_tree >> i & 1) == 0) continue;
        if (x->tree[i].n != n || n == 0)
            return owi_fail(OW_ERR_FORMAT,
                            "%s: tree %zu has %zu entries in \"%s\" and %zu in \"%s\"",
                            x->document.name, number, n, list_names[list_left],
                            x->tree[i].n, list_names[i]);
    }
    if (x->tree[list_category_nodes].n != x->tree[list_category_starts].n ||
        x->tree[list_category_nodes].n != x->tree[list_category_sizes].n)
        return owi_fail(OW_ERR_FORMAT, "%s: tree %zu: the lists of categories disagree",
                        x->document.name, number);
    return OW_OK;
}

static bool is_category(const owi_xgboost *x, size_t node)
{
    return (x->seen_tree >> list_type & 1) != 0 && x->tree[list_type].numbers[node] == 1.0;
}

static ow_status fill_node(owi_xgboost *x, size_t i)
{
    const double left = x->tree[list_left].numbers[i];
    const double condition = x->tree[list_condition].numbers[i];
    const double feature = x->tree[list_feature].numbers[i];
    const bool default_left = x->tree[list_default_left].numbers[i] != 0.0;
    owi_file_node *node = &x->nodes[i];
    *node = (owi_file_node){.is_leaf = left == -1.0, .value = (double)(float)condition};
    if (node->is_leaf) return OW_OK;
    if (!(feature >= 0.0 && feature < (double)owi_max_features))
        return owi_fail(OW_ERR_FORMAT, "%s: tree %zu: node %zu splits feature %g",
                        x->document.name, x->trees->forest.n_trees, i, feature);
    node->split.feature = (uint32_t)feature;
    node->left = left;
    node->right = x->tree[list_right].numbers[i];
    if (is_category(x, i)) {
        /* The listed codes go right: the children change places. */
        node->left = node->right;
        node->right = left;
        node->split.flags =
            owi_split_category | (default_left ? 0u : (unsigned)owi_split_missing_left);
    } else {
        node->split.flags = default_left ? owi_split_missing_left : 0u;
        node->split.threshold =
            isnan(condition) ? condition : owi_threshold_below_float((float)condition);
    }
    return OW_OK;
}

/* Segment s of the list of categories is the set of one node. */
static ow_status read_set(owi_xgboost *x, size_t s)
{
    owi_forest *forest = &x->trees->forest;
    const double node = x->tree[list_category_nodes].numbers[s];
    const double start = x->tree[list_category_starts].numbers[s];
    const double size = x->tree[list_category_sizes].numbers[s];
    const double n_all = (double)x->tree[list_categories].n;
    double most = -1.0;
    if (!(node >= 0.0 && node < (double)x->tree[list_left].n) || !(start >= 0.0) ||
        !(size >= 0.0) || !(start + size <= n_all) || x->n_listed + size > n_all)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: tree %zu: the categories of node %g are out of range",
                        x->document.name, forest->n_trees, node);
    x->n_listed += size; /* segments do not overlap: reading them takes one pass */
    const double *codes = x->tree[list_categories].numbers; /* NULL: none */
    const size_t from = (size_t)start, to = from + (size_t)size;
    for (size_t i = from; i < to; i++) {
        if (!(codes[i] >= 0.0 && codes[i] < (double)owi_max_category))
            return owi_fail(OW_ERR_FORMAT, "%s: tree %zu: node %g lists the category %g",
                            x->document.name, forest->n_trees, node, codes[i]);
        most = fmax(most, codes[i]);
    }
    owi_split *split = &x->nodes[(size_t)node].split;
    split->words = (uint32_t)((size_t)(most + 1.0) + 31) / 32;
    OWI_TRY(owi_blame_file(owi_forest_add_set(forest, split->words, &split->set),
                           x->document.name));
    for (size_t i = from; i < to; i++) {
        const size_t code = (size_t)codes[i];
        forest->sets[split->set + code / 32] |= UINT32_C(1) << code % 32;
    }
    return OW_OK;
}

static ow_status read_tree(owi_xgboost *x)
{
    x->seen_tree = 0;
    x->leaf_size = x->n_listed = 0.0;
    for (unsigned i = 0; i < n_tree_lists; i++) x->tree[i].n = 0;
    OWI_TRY(owi_xgboost_fields(x, read_tree_field));
    OWI_TRY(check_lengths(x));
    const size_t n = x->tree[list_left].n;
    OWI_TRY(owi_grow(x->trees->ctx, &x->nodes, &x->node_capacity, n, sizeof *x->nodes));
    for (size_t i = 0; i < n; i++) OWI_TRY(fill_node(x, i));
    for (size_t s = 0; s < x->tree[list_category_nodes].n; s++) OWI_TRY(read_set(x, s));
    return owi_blame_file(owi_forest_add(&x->trees->forest, n, x->nodes, 0),
                          x->document.name);
}

ow_status owi_xgboost_read_trees(owi_xgboost *x)
{
    return owi_xgboost_each(x, "trees", read_tree);
}

/* ---- Category names ---- */

static ow_status read_encoding_field(owi_xgboost *x, const owi_token *key)
{
    const bool is_offsets = owi_token_is(key, "offsets");
    if (!is_offsets && !owi_token_is(key, "values")) return owi_document_skip(&x->document);
    OWI_TRY(owi_xgboost_once(x, &x->seen_object, is_offsets, "offsets or values"));
    return is_offsets ? owi_xgboost_list(x, "offsets", &x->offsets)
                      : owi_xgboost_list(x, "values", &x->values);
}

/* Level i as text: bytes between two offsets, or a number. */
static ow_status read_level(owi_xgboost *x, size_t feature, size_t i, bool is_text)
{
    char text[256];
    size_t length = 0;
    if (is_text) {
        const double from = x->offsets.numbers[i], to = x->offsets.numbers[i + 1];
        if (!(from >= 0.0 && from <= to && to <= (double)x->values.n))
            return owi_document_fail(&x->document, "category names overlap");
        for (size_t k = (size_t)from; k < (size_t)to && length < sizeof text; k++)
            text[length++] = (char)(int)fmin(fmax(x->values.numbers[k], -128.0), 255.0);
    } else {
        length = owi_print_number(x->values.numbers[i], text);
    }
    x->trees->features[feature].levels[i] = owi_copy_text(x->trees->ctx, text, length);
    return x->trees->features[feature].levels[i] != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* XGBoost counts the characters of a name where it should count its bytes, so that names
 * beyond ASCII, and all behind them, are cut in the wrong places: none of them is kept. */
static bool is_ascii(const owi_number_list *values)
{
    for (size_t i = 0; i < values->n; i++)
        if (!(values->numbers[i] >= 1.0 && values->numbers[i] < 128.0)) return false;
    return true;
}

/* Item i of the list belongs to feature i. */
static ow_status read_encoding(owi_xgboost *x)
{
    const size_t feature = x->n_encodings++;
    x->seen_object = 0;
    x->offsets.n = x->values.n = 0;
    OWI_TRY(owi_xgboost_fields(x, read_encoding_field));
    const bool is_text = (x->seen_object & 2) != 0;
    const size_t n = is_text ? x->offsets.n - (x->offsets.n > 0) : x->values.n;
    if (feature >= owi_max_features)
        return owi_document_fail(&x->document, "names for too many features");
    OWI_TRY(owi_trees_set_features(x->trees, feature + 1));
    if (n == 0 || (is_text && !is_ascii(&x->values))) return OW_OK;
    OWI_TRY(owi_trees_set_levels(x->trees, feature, n));
    for (size_t i = 0; i < n; i++) OWI_TRY(read_level(x, feature, i, is_text));
    return OW_OK;
}

ow_status owi_xgboost_read_encodings(owi_xgboost *x)
{
    return owi_xgboost_each(x, "enc", read_encoding);
}
