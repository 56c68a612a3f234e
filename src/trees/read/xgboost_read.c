/* SPDX-License-Identifier: MIT */
/* XGBoost models as save_model writes them, JSON or UBJSON, from version 1.0 to 3.x:
 *
 *     {"learner": {"attributes": {"best_iteration": "41"},
 *                  "feature_names": [...], "feature_types": [...],
 *                  "gradient_booster": {"name": "gbtree", "model": {"trees": [...], ...}},
 *                  "learner_model_param": {"base_score": "5E-1", ...},
 *                  "objective": {"name": "binary:logistic", ...}},
 *      "version": [3, 2, 0]}
 *
 * A dart booster holds {"gbtree": {"model": ...}, "weight_drop": [...]}. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "trees/read/xgboost_private.h"

/* Bits of seen_model. */
enum {
    seen_learner,
    seen_version,
    seen_attributes,
    seen_names,
    seen_types,
    seen_booster,
    seen_param,
    seen_objective,
    seen_booster_name,
    seen_weight,
    seen_model,
    seen_trees,
    seen_group,
    seen_iteration,
    seen_enc,
    seen_gbtree,
    seen_objective_name,
    seen_base
};

/* ---- Values ---- */

ow_status owi_xgboost_fields(owi_xgboost *x, owi_xgboost_field field)
{
    owi_token token;
    for (;;) {
        OWI_TRY(owi_document_next(&x->document, &token));
        if (token.kind == owi_token_object_end) return OW_OK;
        OWI_TRY(field(x, &token));
    }
}

ow_status owi_xgboost_object(owi_xgboost *x, const char *what, owi_xgboost_field field)
{
    owi_token token;
    OWI_TRY(owi_document_next(&x->document, &token));
    if (token.kind != owi_token_object)
        return owi_document_fail(&x->document, "\"%s\" should be an object", what);
    return owi_xgboost_fields(x, field);
}

ow_status owi_xgboost_each(owi_xgboost *x, const char *what,
                           ow_status (*item)(owi_xgboost *x))
{
    owi_token token;
    OWI_TRY(owi_document_next(&x->document, &token));
    if (token.kind != owi_token_array)
        return owi_document_fail(&x->document, "\"%s\" should be a list", what);
    for (;;) {
        OWI_TRY(owi_document_next(&x->document, &token));
        if (token.kind == owi_token_array_end) return OW_OK;
        if (token.kind != owi_token_object)
            return owi_document_fail(&x->document, "\"%s\" should hold objects only", what);
        OWI_TRY(item(x));
    }
}

ow_status owi_xgboost_once(owi_xgboost *x, uint32_t *seen, unsigned bit, const char *name)
{
    if ((*seen >> bit & 1) != 0)
        return owi_document_fail(&x->document, "the key \"%s\" stands there twice", name);
    *seen |= UINT32_C(1) << bit;
    return OW_OK;
}

ow_status owi_xgboost_number(owi_xgboost *x, const char *name, double *number)
{
    owi_token token;
    OWI_TRY(owi_document_next(&x->document, &token));
    *number = token.number;
    if (token.kind == owi_token_number ||
        (token.kind == owi_token_text &&
         owi_parse_number(token.text, token.length, number, NULL)))
        return OW_OK;
    return owi_document_fail(&x->document, "\"%s\" should be a number", name);
}

ow_status owi_xgboost_text(owi_xgboost *x, const char *name, char **text)
{
    owi_token token;
    OWI_TRY(owi_document_next(&x->document, &token));
    if (token.kind != owi_token_text)
        return owi_document_fail(&x->document, "\"%s\" should be a text", name);
    owi_free(x->trees->ctx, *text);
    *text = owi_copy_text(x->trees->ctx, token.text, token.length);
    return *text != NULL ? OW_OK : OW_ERR_MEMORY;
}

ow_status owi_xgboost_list(owi_xgboost *x, const char *name, owi_number_list *list)
{
    return owi_document_numbers(&x->document, name, &list->numbers, &list->n,
                                &list->capacity);
}

static ow_status read_texts(owi_xgboost *x, const char *name, char ***texts, size_t *n,
                            size_t *capacity)
{
    owi_token token;
    OWI_TRY(owi_document_next(&x->document, &token));
    if (token.kind != owi_token_array)
        return owi_document_fail(&x->document, "\"%s\" should be a list", name);
    for (;;) {
        OWI_TRY(owi_document_next(&x->document, &token));
        if (token.kind == owi_token_array_end) return OW_OK;
        if (token.kind != owi_token_text)
            return owi_document_fail(&x->document, "\"%s\" should hold texts only", name);
        OWI_TRY(owi_grow(x->trees->ctx, texts, capacity, *n + 1, sizeof **texts));
        (*texts)[*n] = owi_copy_text(x->trees->ctx, token.text, token.length);
        if ((*texts)[(*n)++] == NULL) return OW_ERR_MEMORY;
    }
}

/* ---- The booster ---- */

static ow_status read_booster_param(owi_xgboost *x, const owi_token *key)
{
    if (owi_token_is(key, "num_parallel_tree"))
        return owi_xgboost_number(x, "num_parallel_tree", &x->n_parallel);
    if (owi_token_is(key, "num_trees"))
        return owi_xgboost_number(x, "num_trees", &x->n_trees);
    return owi_document_skip(&x->document);
}

static ow_status read_cats(owi_xgboost *x, const owi_token *key)
{
    if (!owi_token_is(key, "enc")) return owi_document_skip(&x->document);
    OWI_TRY(owi_xgboost_once(x, &x->seen_model, seen_enc, "enc"));
    return owi_xgboost_read_encodings(x);
}

static ow_status read_model(owi_xgboost *x, const owi_token *key)
{
    uint32_t *seen = &x->seen_model;
    if (owi_token_is(key, "gbtree_model_param"))
        return owi_xgboost_object(x, "gbtree_model_param", read_booster_param);
    if (owi_token_is(key, "cats")) return owi_xgboost_object(x, "cats", read_cats);
    if (owi_token_is(key, "trees")) {
        OWI_TRY(owi_xgboost_once(x, seen, seen_trees, "trees"));
        return owi_xgboost_read_trees(x);
    }
    if (owi_token_is(key, "tree_info")) {
        OWI_TRY(owi_xgboost_once(x, seen, seen_group, "tree_info"));
        return owi_xgboost_list(x, "tree_info", &x->model[list_group]);
    }
    if (owi_token_is(key, "iteration_indptr")) {
        OWI_TRY(owi_xgboost_once(x, seen, seen_iteration, "iteration_indptr"));
        return owi_xgboost_list(x, "iteration_indptr", &x->model[list_iteration]);
    }
    return owi_document_skip(&x->document);
}

/* The trees of dart are those of a gbtree inside. */
static ow_status read_inner_booster(owi_xgboost *x, const owi_token *key)
{
    if (!owi_token_is(key, "model")) return owi_document_skip(&x->document);
    OWI_TRY(owi_xgboost_once(x, &x->seen_model, seen_model, "model"));
    return owi_xgboost_object(x, "model", read_model);
}

static ow_status read_booster(owi_xgboost *x, const owi_token *key)
{
    uint32_t *seen = &x->seen_model;
    if (owi_token_is(key, "name")) {
        OWI_TRY(owi_xgboost_once(x, seen, seen_booster_name, "name"));
        return owi_xgboost_text(x, "name", &x->booster);
    }
    if (owi_token_is(key, "weight_drop")) {
        OWI_TRY(owi_xgboost_once(x, seen, seen_weight, "weight_drop"));
        return owi_xgboost_list(x, "weight_drop", &x->model[list_weight]);
    }
    if (owi_token_is(key, "gbtree")) {
        OWI_TRY(owi_xgboost_once(x, seen, seen_gbtree, "gbtree"));
        return owi_xgboost_object(x, "gbtree", read_inner_booster);
    }
    return read_inner_booster(x, key);
}

/* ---- The learner ---- */

static ow_status read_attribute(owi_xgboost *x, const owi_token *key)
{
    if (!owi_token_is(key, "best_iteration")) return owi_document_skip(&x->document);
    return owi_xgboost_number(x, "best_iteration", &x->best_iteration);
}

static ow_status read_learner_param(owi_xgboost *x, const owi_token *key)
{
    if (owi_token_is(key, "base_score")) {
        OWI_TRY(owi_xgboost_once(x, &x->seen_model, seen_base, "base_score"));
        return owi_xgboost_text(x, "base_score", &x->base_text);
    }
    if (owi_token_is(key, "num_class"))
        return owi_xgboost_number(x, "num_class", &x->n_classes);
    if (owi_token_is(key, "num_feature"))
        return owi_xgboost_number(x, "num_feature", &x->n_features);
    if (owi_token_is(key, "num_target"))
        return owi_xgboost_number(x, "num_target", &x->n_targets);
    return owi_document_skip(&x->document);
}

static ow_status read_objective(owi_xgboost *x, const owi_token *key)
{
    if (!owi_token_is(key, "name")) return owi_document_skip(&x->document);
    OWI_TRY(owi_xgboost_once(x, &x->seen_model, seen_objective_name, "name"));
    return owi_xgboost_text(x, "name", &x->trees->objective);
}

static ow_status read_names(owi_xgboost *x)
{
    return read_texts(x, "feature_names", &x->names, &x->n_names, &x->name_capacity);
}

static ow_status read_types(owi_xgboost *x)
{
    return read_texts(x, "feature_types", &x->types, &x->n_types, &x->type_capacity);
}

static ow_status read_learner(owi_xgboost *x, const owi_token *key)
{
    static const struct {
        const char *name;
        unsigned bit;
        owi_xgboost_field field;           /* of an object */
        ow_status (*read)(owi_xgboost *x); /* else         */
    } parts[] = {
        {"attributes", seen_attributes, read_attribute, NULL},
        {"feature_names", seen_names, NULL, read_names},
        {"feature_types", seen_types, NULL, read_types},
        {"gradient_booster", seen_booster, read_booster, NULL},
        {"learner_model_param", seen_param, read_learner_param, NULL},
        {"objective", seen_objective, read_objective, NULL},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!owi_token_is(key, parts[i].name)) continue;
        OWI_TRY(owi_xgboost_once(x, &x->seen_model, parts[i].bit, parts[i].name));
        return parts[i].read != NULL ? parts[i].read(x)
                                     : owi_xgboost_object(x, parts[i].name, parts[i].field);
    }
    return owi_document_skip(&x->document);
}

static ow_status read_top(owi_xgboost *x, const owi_token *key)
{
    if (owi_token_is(key, "learner")) {
        OWI_TRY(owi_xgboost_once(x, &x->seen_model, seen_learner, "learner"));
        return owi_xgboost_object(x, "learner", read_learner);
    }
    if (owi_token_is(key, "version")) {
        OWI_TRY(owi_xgboost_once(x, &x->seen_model, seen_version, "version"));
        OWI_TRY(owi_xgboost_list(x, "version", &x->values));
        for (size_t i = 0; i < 3 && i < x->values.n; i++)
            x->version[i] = x->values.numbers[i];
        return OW_OK;
    }
    return owi_document_skip(&x->document);
}

/* ---- All of it ---- */

static void clear_list(ow_context *ctx, owi_number_list *list)
{
    owi_free(ctx, list->numbers);
}

static void clear(owi_xgboost *x)
{
    ow_context *ctx = x->trees->ctx;
    for (size_t i = 0; i < n_tree_lists; i++) clear_list(ctx, &x->tree[i]);
    for (size_t i = 0; i < n_model_lists; i++) clear_list(ctx, &x->model[i]);
    clear_list(ctx, &x->offsets);
    clear_list(ctx, &x->values);
    for (size_t i = 0; i < x->n_names; i++) owi_free(ctx, x->names[i]);
    for (size_t i = 0; i < x->n_types; i++) owi_free(ctx, x->types[i]);
    owi_free(ctx, x->names);
    owi_free(ctx, x->types);
    owi_free(ctx, x->nodes);
    owi_free(ctx, x->booster);
    owi_free(ctx, x->base_text);
    owi_document_clear(&x->document);
}

ow_status owi_xgboost_read(ow_trees *trees, const char *bytes, size_t size, bool is_binary,
                           const char *name)
{
    owi_xgboost x = {.trees = trees,
                     .n_parallel = 1.0,
                     .n_targets = 1.0,
                     .n_trees = (double)NAN,
                     .n_features = (double)NAN,
                     .best_iteration = (double)NAN};
    owi_token token;
    owi_document_begin(&x.document, trees->ctx, bytes, size, is_binary, name);
    trees->forest.is_float = true;
    trees->forest.n_features = owi_max_features; /* until it is known */
    ow_status status = owi_xgboost_object(&x, "the model", read_top);
    if (status == OW_OK) status = owi_document_next(&x.document, &token); /* the end */
    if (status == OW_OK && (x.seen_model >> seen_learner & 1) == 0)
        status = owi_fail(OW_ERR_FORMAT,
                          "%s: this is no XGBoost model: there is no \"learner\"", name);
    if (status == OW_OK) status = owi_xgboost_finish(&x);
    clear(&x);
    return status;
}
