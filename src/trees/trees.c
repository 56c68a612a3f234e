/* SPDX-License-Identifier: MIT */
#include "otherwise/trees.h"

#include <string.h>

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "trees/trees_private.h"

/* ---- Features ---- */

ow_status owi_trees_set_features(ow_trees *trees, size_t n)
{
    if (n > trees->n_features) {
        OWI_TRY(owi_grow(trees->ctx, &trees->features, &trees->feature_capacity, n,
                         sizeof *trees->features));
        memset(trees->features + trees->n_features, 0,
               (n - trees->n_features) * sizeof *trees->features);
        trees->n_features = n;
    }
    return OW_OK;
}

ow_status owi_trees_set_levels(ow_trees *trees, size_t feature, size_t n)
{
    owi_tree_feature *f = &trees->features[feature];
    f->levels = owi_alloc_array(trees->ctx, n, sizeof *f->levels);
    if (f->levels == NULL) return OW_ERR_MEMORY;
    f->n_levels = n;
    return OW_OK;
}

void owi_trees_drop_levels(ow_trees *trees, size_t feature)
{
    owi_tree_feature *f = &trees->features[feature];
    for (size_t i = 0; i < f->n_levels; i++) owi_free(trees->ctx, f->levels[i]);
    owi_free(trees->ctx, f->levels);
    f->levels = NULL;
    f->n_levels = 0;
}

/* ---- Loading ---- */

/* UBJSON objects begin with {, as JSON does; then comes the type of a length, or $ or #,
 * where JSON has a space, a quote or }. */
static bool is_ubjson(const char *bytes, size_t size)
{
    return size >= 2 && bytes[0] == '{' && strchr("iUIlL$#", bytes[1]) != NULL &&
           bytes[1] != '\0';
}

static bool is_json(const char *bytes, size_t size)
{
    while (size > 0 && strchr(" \t\r\n", *bytes) != NULL && *bytes != '\0') {
        bytes++;
        size--;
    }
    return size > 0 && *bytes == '{';
}

static ow_status read_any(ow_trees *trees, const char *bytes, size_t size, const char *name)
{
    if (is_ubjson(bytes, size)) return owi_xgboost_read(trees, bytes, size, true, name);
    if (is_json(bytes, size)) return owi_xgboost_read(trees, bytes, size, false, name);
    if (size >= 5 && memcmp(bytes, "tree", 4) == 0 && strchr("\r\n", bytes[4]) != NULL &&
        bytes[4] != '\0')
        return owi_lightgbm_read(trees, bytes, size, name);
    return owi_fail(OW_ERR_FORMAT,
                    "%s: this is no tree model; expected a file that save_model of XGBoost "
                    "(.json or .ubj) or LightGBM (text) wrote; models of other kinds, as "
                    "ONNX or by a program: doc/own_models.md",
                    name);
}

/* A set is a bit for every code up to its largest, or a list of words that several splits
 * may name, so that a few bytes of a file can ask for megabytes.  No more is granted than
 * 64 MB and 16 times the file's size; other counts are those of lists, which the file has
 * to hold. */
enum { small_sets = 1 << 24, words_per_word = 16 };

static ow_status load(ow_context *ctx, owi_byte_source *source, ow_trees **out)
{
    const char *name = owi_byte_source_name(source);
    char *bytes = NULL;
    size_t size = 0;
    ow_trees *trees = owi_alloc_zeroed(ctx, sizeof *trees);
    if (trees == NULL) return OW_ERR_MEMORY;
    *trees = (ow_trees){.ctx = ctx, .forest = {.ctx = ctx}, .sigmoid = 1.0, .divisor = 1.0};
    ow_status status = owi_byte_source_read_all(source, SIZE_MAX / 2, &bytes, &size);
    trees->forest.most_set_words = small_sets + size / sizeof(uint32_t) * words_per_word;
    if (status == OW_OK) status = read_any(trees, bytes, size, name);
    owi_free(ctx, bytes);
    if (status == OW_OK)
        status =
            owi_blame_file(owi_conditions_make(&trees->forest, &trees->conditions), name);
    if (status != OW_OK) {
        ow_trees_free(trees);
        return status;
    }
    *out = trees;
    return OW_OK;
}

ow_status ow_trees_load(ow_context *ctx, const char *path, const ow_call *call,
                        ow_trees **out)
{
    owi_call own;
    owi_byte_source *source = NULL;
    OWI_REQUIRE(ctx != NULL && path != NULL && out != NULL);
    *out = NULL;
    OWI_TRY(owi_call_begin(&own, ctx, call));
    OWI_TRY(owi_byte_source_open(ctx, path, &own, &source));
    const ow_status status = load(ctx, source, out);
    owi_byte_source_free(source);
    return status;
}

ow_status ow_trees_load_memory(ow_context *ctx, const void *bytes, size_t size,
                               const char *name, ow_trees **out)
{
    owi_byte_source *source = NULL;
    OWI_REQUIRE(ctx != NULL && (bytes != NULL || size == 0) && name != NULL && out != NULL);
    *out = NULL;
    OWI_TRY(owi_byte_source_open_memory(ctx, bytes, size, name, &source));
    const ow_status status = load(ctx, source, out);
    owi_byte_source_free(source);
    return status;
}

void ow_trees_free(ow_trees *trees)
{
    if (trees == NULL) return;
    ow_context *ctx = trees->ctx;
    for (size_t i = 0; i < trees->n_features; i++) {
        owi_trees_drop_levels(trees, i);
        owi_free(ctx, trees->features[i].name);
    }
    owi_free(ctx, trees->features);
    owi_free(ctx, trees->package);
    owi_free(ctx, trees->objective);
    owi_free(ctx, trees->base);
    owi_conditions_clear(ctx, &trees->conditions);
    owi_forest_clear(&trees->forest);
    owi_free(ctx, trees);
}

/* ---- Questions ---- */

ow_trees_kind ow_trees_get_kind(const ow_trees *trees)
{
    return trees->kind;
}

const char *ow_trees_package(const ow_trees *trees)
{
    return trees->package;
}

const char *ow_trees_objective(const ow_trees *trees)
{
    return trees->objective;
}

size_t ow_trees_n_trees(const ow_trees *trees)
{
    return trees->forest.n_trees;
}

size_t ow_trees_n_classes(const ow_trees *trees)
{
    return trees->kind == OW_TREES_BINARY ? 2 : trees->forest.n_groups;
}

size_t ow_trees_n_scores(const ow_trees *trees)
{
    return trees->forest.n_groups;
}

size_t ow_trees_n_features(const ow_trees *trees)
{
    return trees->n_features;
}

const char *ow_trees_feature_name(const ow_trees *trees, size_t feature)
{
    return feature < trees->n_features ? trees->features[feature].name : NULL;
}

bool ow_trees_feature_is_category(const ow_trees *trees, size_t feature)
{
    return feature < trees->n_features && trees->features[feature].is_category;
}

size_t ow_trees_n_levels(const ow_trees *trees, size_t feature)
{
    return feature < trees->n_features ? trees->features[feature].n_levels : 0;
}

const char *ow_trees_level(const ow_trees *trees, size_t feature, size_t code)
{
    if (code >= ow_trees_n_levels(trees, feature)) return NULL;
    return trees->features[feature].levels[code];
}

const double *ow_trees_thresholds(const ow_trees *trees, size_t feature, size_t *n)
{
    const owi_conditions *c = &trees->conditions;
    *n = 0;
    if (feature >= trees->n_features) return NULL;
    *n = c->threshold_first[feature + 1] - c->threshold_first[feature];
    return *n > 0 ? c->thresholds + c->threshold_first[feature] : NULL;
}
