/* SPDX-License-Identifier: MIT */
/* Trees of another package as the classifier of a model's rows: which column each feature
 * is, which code each level, which class each of theirs.  Numbers reach the trees as the
 * doubles that the table has. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/options.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "model/model_private.h"

/* One feature of the trees. */
typedef struct {
    size_t column;
    double *code; /* of each level of the column; NULL: the value as it is */
} matched_feature;

typedef struct {
    ow_context *ctx;
    const ow_trees *trees;
    size_t n_columns, n_classes;
    matched_feature *features;
    size_t *class_of; /* the schema's class of each class of the trees */
    double *rows;     /* block_rows x features                         */
    double *proba;    /* block_rows x classes, in the trees' order      */
} trees_classifier;

enum { block_rows = 512 };

/* ---- Columns ---- */

/* What the feature is called; NULL: nothing. */
static const char *name_of(const ow_trees *trees, const ow_trees_match *match, size_t f)
{
    return match->columns != NULL ? match->columns[f] : ow_trees_feature_name(trees, f);
}

static ow_status find_column(const ow_model *model, const ow_trees *trees,
                             const ow_trees_match *match, size_t f, size_t *column)
{
    char quoted[owi_quote_size];
    const size_t n = ow_schema_n_columns(model->schema);
    const char *name = name_of(trees, match, f);
    if (name == NULL) {
        *column = f;
        if (ow_trees_n_features(trees) == n) return OW_OK;
        return owi_fail(OW_ERR_ARGUMENT,
                        "the %s model has %zu features without names, the table has %zu "
                        "columns; say which column each feature is",
                        ow_trees_package(trees), ow_trees_n_features(trees), n);
    }
    for (size_t j = 0; j < n; j++)
        if (strcmp(ow_schema_column(model->schema, j)->name, name) == 0) {
            *column = j;
            return OW_OK;
        }
    return owi_fail(OW_ERR_ARGUMENT,
                    "the %s model has a feature %s, the table has no such column",
                    ow_trees_package(trees), owi_quote_text(name, quoted));
}

/* ---- Levels ---- */

/* The code of a level by its name among the feature's own; -1: it has none. */
static double code_by_name(const ow_trees *trees, size_t f, const char *level)
{
    const size_t n = ow_trees_n_levels(trees, f);
    double number, other;
    const bool is_number = owi_parse_number(level, strlen(level), &number, NULL);
    for (size_t code = 0; code < n; code++) {
        const char *name = ow_trees_level(trees, f, code);
        if (strcmp(name, level) == 0) return (double)code;
        if (is_number && owi_parse_number(name, strlen(name), &other, NULL) &&
            other == number)
            return (double)code;
    }
    return -1.0;
}

/* Without names in the file: levels that are numbers are codes themselves; others are
 * numbered as the schema has them. */
static double code_by_number(const ow_column *column, size_t level)
{
    double number;
    for (size_t k = 0; k < column->n_levels; k++)
        if (!owi_parse_number(column->levels[k], strlen(column->levels[k]), &number, NULL))
            return (double)level;
    (void)owi_parse_number(column->levels[level], strlen(column->levels[level]), &number,
                           NULL);
    return number;
}

static ow_status match_levels(trees_classifier *self, const ow_column *column, size_t f)
{
    char quoted[2][owi_quote_size];
    const ow_trees *trees = self->trees;
    matched_feature *feature = &self->features[f];
    if (column->n_levels == 0) {
        if (!ow_trees_feature_is_category(trees, f)) return OW_OK;
        return owi_fail(OW_ERR_ARGUMENT,
                        "column %s is a number in the table and a category in the %s model",
                        owi_quote_text(column->name, quoted[0]), ow_trees_package(trees));
    }
    feature->code = owi_alloc_array(self->ctx, column->n_levels, sizeof *feature->code);
    if (feature->code == NULL) return OW_ERR_MEMORY;
    for (size_t k = 0; k < column->n_levels; k++) {
        const char *level = column->levels[k];
        feature->code[k] = ow_trees_n_levels(trees, f) > 0 ? code_by_name(trees, f, level)
                                                           : code_by_number(column, k);
        if (feature->code[k] < 0.0 && ow_trees_feature_is_category(trees, f))
            return owi_fail(OW_ERR_ARGUMENT,
                            "column %s has the level %s, which the %s model does not know",
                            owi_quote_text(column->name, quoted[0]),
                            owi_quote_text(level, quoted[1]), ow_trees_package(trees));
    }
    return OW_OK;
}

/* ---- Classes ---- */

typedef struct {
    const char *name;
    double number;
    size_t index;
    bool by_number;
} named_class;

static int compare_classes(const void *a, const void *b)
{
    const named_class *x = a, *y = b;
    if (x->by_number) return (x->number > y->number) - (x->number < y->number);
    return strcmp(x->name, y->name);
}

/* In the order that scikit-learn's LabelEncoder gives them. */
static ow_status sort_classes(trees_classifier *self, const ow_schema *schema)
{
    const size_t C = self->n_classes;
    named_class *classes = owi_alloc_array(self->ctx, C, sizeof *classes);
    if (classes == NULL) return OW_ERR_MEMORY;
    bool all_numbers = true;
    for (size_t c = 0; c < C; c++) {
        const char *name = ow_schema_class_name(schema, c);
        classes[c] = (named_class){.name = name, .index = c};
        all_numbers &= owi_parse_number(name, strlen(name), &classes[c].number, NULL);
    }
    for (size_t c = 0; c < C; c++) classes[c].by_number = all_numbers;
    qsort(classes, C, sizeof *classes, compare_classes);
    for (size_t c = 0; c < C; c++) self->class_of[c] = classes[c].index;
    owi_free(self->ctx, classes);
    return OW_OK;
}

static ow_status match_classes(trees_classifier *self, const ow_schema *schema,
                               const ow_trees_match *match)
{
    const size_t C = self->n_classes;
    if (ow_trees_get_kind(self->trees) == OW_TREES_SCORE)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "the %s model predicts a number (%s), not a class",
                        ow_trees_package(self->trees), ow_trees_objective(self->trees));
    if (ow_trees_n_classes(self->trees) != C)
        return owi_fail(OW_ERR_ARGUMENT, "the %s model has %zu classes, the table has %zu",
                        ow_trees_package(self->trees), ow_trees_n_classes(self->trees), C);
    if (match->classes == NULL) return sort_classes(self, schema);
    if (match->n_classes != C)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%zu names for the classes of the %s model, which has %zu",
                        match->n_classes, ow_trees_package(self->trees), C);
    for (size_t c = 0; c < C; c++) {
        int32_t found;
        OWI_TRY(ow_schema_find_class(schema, match->classes[c], &found));
        self->class_of[c] = (size_t)found;
        for (size_t b = 0; b < c; b++)
            if (self->class_of[b] == self->class_of[c])
                return owi_fail(OW_ERR_ARGUMENT,
                                "two classes of the %s model have the same name",
                                ow_trees_package(self->trees));
    }
    return OW_OK;
}

/* ---- Predicting ---- */

static void fill_row(const trees_classifier *self, const double *values, double *row)
{
    const size_t n = ow_trees_n_features(self->trees);
    for (size_t f = 0; f < n; f++) {
        const matched_feature *feature = &self->features[f];
        const double value = values[feature->column];
        row[f] =
            isnan(value) || feature->code == NULL ? value : feature->code[(size_t)value];
    }
}

/* Probabilities in the schema's order.  Those of one-against-all models do not sum to
 * one. */
static void take_proba(const trees_classifier *self, const double *theirs, double *proba)
{
    const size_t C = self->n_classes;
    double sum = 0.0;
    for (size_t c = 0; c < C; c++) sum += theirs[c];
    for (size_t c = 0; c < C; c++)
        proba[self->class_of[c]] = sum > 0.0 ? theirs[c] / sum : 1.0 / (double)C;
}

static bool predict(void *user, size_t n_rows, const double *values, double *proba)
{
    const trees_classifier *self = user;
    const size_t F = ow_trees_n_features(self->trees), C = self->n_classes;
    for (size_t first = 0; first < n_rows; first += block_rows) {
        const size_t n = owi_smaller(n_rows - first, block_rows);
        for (size_t i = 0; i < n; i++)
            fill_row(self, values + (first + i) * self->n_columns, self->rows + i * F);
        if (ow_trees_predict(self->trees, n, self->rows, NULL, self->proba) != OW_OK)
            return false;
        for (size_t i = 0; i < n; i++)
            take_proba(self, self->proba + i * C, proba + (first + i) * C);
    }
    return true;
}

/* ---- Making one ---- */

static void release(void *user)
{
    trees_classifier *self = user;
    const size_t n = ow_trees_n_features(self->trees);
    for (size_t f = 0; self->features != NULL && f < n; f++)
        owi_free(self->ctx, self->features[f].code);
    owi_free(self->ctx, self->features);
    owi_free(self->ctx, self->class_of);
    owi_free(self->ctx, self->rows);
    owi_free(self->ctx, self->proba);
    owi_free(self->ctx, self);
}

static ow_status match_all(trees_classifier *self, const ow_model *model,
                           const ow_trees_match *match)
{
    const size_t F = ow_trees_n_features(self->trees), C = self->n_classes;
    self->features = owi_alloc_array(self->ctx, F, sizeof *self->features);
    self->class_of = owi_alloc_array(self->ctx, C, sizeof *self->class_of);
    self->rows = owi_alloc_array(self->ctx, F, block_rows * sizeof *self->rows);
    self->proba = owi_alloc_array(self->ctx, C, block_rows * sizeof *self->proba);
    if (self->features == NULL || self->class_of == NULL || self->rows == NULL ||
        self->proba == NULL)
        return OW_ERR_MEMORY;
    if (match->columns != NULL && match->n_columns != F)
        return owi_fail(OW_ERR_ARGUMENT,
                        "%zu columns were named for the %zu features of the %s model",
                        match->n_columns, F, ow_trees_package(self->trees));
    OWI_TRY(match_classes(self, model->schema, match));
    for (size_t f = 0; f < F; f++) {
        size_t *column = &self->features[f].column;
        OWI_TRY(find_column(model, self->trees, match, f, column));
        OWI_TRY(match_levels(self, ow_schema_column(model->schema, *column), f));
    }
    return OW_OK;
}

ow_status ow_model_classifier_from_trees(const ow_model *model, const ow_trees *trees,
                                         const ow_trees_match *match, ow_classifier **out)
{
    OWI_REQUIRE(model != NULL && trees != NULL && out != NULL);
    *out = NULL;
    ow_trees_match taken = {.size = sizeof(ow_trees_match)};
    if (match != NULL) OWI_TRY(OWI_OPTIONS_TAKE(ow_trees_match, match, &taken));
    trees_classifier *self = owi_alloc_zeroed(model->ctx, sizeof *self);
    if (self == NULL) return OW_ERR_MEMORY;
    *self = (trees_classifier){.ctx = model->ctx,
                               .trees = trees,
                               .n_columns = ow_schema_n_columns(model->schema),
                               .n_classes = ow_schema_n_classes(model->schema)};
    const ow_status status = match_all(self, model, &taken);
    if (status != OW_OK) {
        release(self);
        return status;
    }
    const owi_value_form form = {.log_proba = predict, .release = release};
    return owi_model_classifier_of(model, &form, self, true, out);
}
