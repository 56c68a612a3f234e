/* SPDX-License-Identifier: MIT */
/* Names in a LightGBM model.  Categories have names where the model was trained on a pandas
 * table: a list for each of its categorical columns, in their order.  Which columns those
 * are, the parameter categorical_feature says; older files say it by feature_infos alone,
 * where a number has [min:max] and a category the codes seen. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/utf8.h"
#include "trees/read/document.h"
#include "trees/read/lightgbm_private.h"

static ow_status set_feature_names(owi_lightgbm *l)
{
    ow_trees *trees = l->trees;
    const size_t n = trees->forest.n_features;
    owi_span list = l->feature_names, word;
    size_t i = 0;
    OWI_TRY(owi_trees_set_features(trees, n));
    for (; owi_lightgbm_word(&list, ' ', &word); i++) {
        if (i >= n) break;
        if (!owi_is_utf8(word.text, word.length) ||
            memchr(word.text, 0, word.length) != NULL)
            return owi_fail(OW_ERR_FORMAT, "%s: the name of feature %zu is not UTF-8",
                            l->name, i);
        trees->features[i].name = owi_copy_text(trees->ctx, word.text, word.length);
        if (trees->features[i].name == NULL) return OW_ERR_MEMORY;
    }
    if (i != n)
        return owi_fail(OW_ERR_FORMAT, "%s: feature_names should be %zu", l->name, n);
    return OW_OK;
}

/* Marks the categorical features; returns how many there are. */
static size_t mark_listed(owi_lightgbm *l)
{
    owi_span list = l->category_columns, word;
    size_t n = 0;
    double number;
    while (owi_lightgbm_word(&list, ',', &word))
        if (owi_parse_number(word.text, word.length, &number, NULL) && number >= 0.0 &&
            number < (double)l->trees->n_features) {
            owi_tree_feature *feature = &l->trees->features[(size_t)number];
            n += !feature->is_category;
            feature->is_category = true;
        }
    return n;
}

static size_t mark_by_infos(owi_lightgbm *l)
{
    owi_span list = l->feature_infos, word;
    size_t n = 0;
    for (size_t i = 0; i < l->trees->n_features && owi_lightgbm_word(&list, ' ', &word);
         i++)
        if (word.text[0] != '[' && memchr(word.text, ':', word.length) != NULL) {
            l->trees->features[i].is_category = true;
            n++;
        }
    return n;
}

/* A split by categories is evidence enough. */
static void mark_split(owi_lightgbm *l)
{
    const owi_forest *forest = &l->trees->forest;
    for (size_t i = 0; i < forest->n_splits; i++)
        if ((forest->splits[i].flags & owi_split_category) != 0)
            l->trees->features[forest->splits[i].feature].is_category = true;
}

/* ---- The names of categories ---- */

static ow_status level_text(ow_context *ctx, const owi_token *token, char **text)
{
    char number[owi_number_size];
    size_t length = token->length;
    const char *from = token->text;
    if (token->kind == owi_token_number) {
        length = owi_print_number(token->number, number);
        from = number;
    } else if (token->kind == owi_token_boolean) {
        from = token->truth ? "True" : "False"; /* as Python prints them */
        length = strlen(from);
    } else if (token->kind != owi_token_text) {
        from = "";
        length = 0;
    }
    *text = owi_copy_text(ctx, from, length);
    return *text != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* One list of the document, behind its opening bracket. */
static ow_status read_levels(owi_lightgbm *l, owi_document *document, size_t feature)
{
    ow_trees *trees = l->trees;
    owi_tree_feature *f = &trees->features[feature];
    owi_token token;
    size_t capacity = 0;
    for (;;) {
        OWI_TRY(owi_document_next(document, &token));
        if (token.kind == owi_token_array_end) return OW_OK;
        if (token.kind == owi_token_array || token.kind == owi_token_object)
            return owi_fail(OW_ERR_FORMAT,
                            "%s: pandas_categorical should hold texts and numbers",
                            l->name);
        OWI_TRY(
            owi_grow(trees->ctx, &f->levels, &capacity, f->n_levels + 1, sizeof(char *)));
        OWI_TRY(level_text(trees->ctx, &token, &f->levels[f->n_levels]));
        f->n_levels++;
    }
}

static ow_status read_document(owi_lightgbm *l, owi_document *document)
{
    owi_token token;
    size_t feature = 0;
    OWI_TRY(owi_document_next(document, &token));
    for (;; feature++) {
        OWI_TRY(owi_document_next(document, &token));
        if (token.kind == owi_token_array_end) break;
        if (token.kind != owi_token_array)
            return owi_fail(OW_ERR_FORMAT, "%s: pandas_categorical should hold lists",
                            l->name);
        while (feature < l->trees->n_features && !l->trees->features[feature].is_category)
            feature++;
        if (feature == l->trees->n_features) return OW_OK; /* more lists than columns */
        OWI_TRY(read_levels(l, document, feature));
    }
    return OW_OK;
}

static void drop_all_levels(ow_trees *trees)
{
    for (size_t i = 0; i < trees->n_features; i++) owi_trees_drop_levels(trees, i);
}

/* How many lists there are, to see that each categorical column has one. */
static ow_status count_lists(owi_lightgbm *l, owi_document *document, size_t *n)
{
    owi_token token;
    *n = 0;
    OWI_TRY(owi_document_next(document, &token));
    for (;; (*n)++) {
        OWI_TRY(owi_document_next(document, &token));
        if (token.kind == owi_token_array_end) return OW_OK;
        if (token.kind != owi_token_array)
            return owi_fail(OW_ERR_FORMAT, "%s: pandas_categorical should hold lists",
                            l->name);
        OWI_TRY(owi_document_skip_from(document, &token));
    }
}

static ow_status read_category_names(owi_lightgbm *l, size_t n_categorical)
{
    const owi_span text = l->category_names;
    owi_document document;
    char name[512];
    size_t n_lists;
    snprintf(name, sizeof name, "%s, pandas_categorical", l->name);
    if (text.length == 0 || text.text[0] != '[') return OW_OK; /* null: none */
    owi_document_begin(&document, l->trees->ctx, text.text, text.length, false, name);
    ow_status status = count_lists(l, &document, &n_lists);
    if (status == OW_OK && n_lists == n_categorical) {
        owi_document_clear(&document);
        owi_document_begin(&document, l->trees->ctx, text.text, text.length, false, name);
        status = read_document(l, &document);
    }
    owi_document_clear(&document);
    if (status != OW_OK) drop_all_levels(l->trees);
    return status;
}

ow_status owi_lightgbm_set_names(owi_lightgbm *l)
{
    OWI_TRY(set_feature_names(l));
    size_t n = mark_listed(l);
    if (n == 0) n = mark_by_infos(l);
    OWI_TRY(read_category_names(l, n));
    mark_split(l);
    return OW_OK;
}
