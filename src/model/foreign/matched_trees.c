/* SPDX-License-Identifier: MIT */
#include "model/foreign/matched_trees.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "classifier/classifier.h"
#include "trees/trees_private.h"

enum { block_rows = 512 };

/* ---- Columns ---- */

/* What the feature is called; NULL: nothing. */
static const char *name_of(const ow_trees *trees, const ow_trees_match *match, size_t f)
{
    return match->columns != NULL ? match->columns[f] : ow_trees_feature_name(trees, f);
}

/* Whether two names are the same but for what stands between words: LightGBM makes
 * underscores of blanks and of other marks. */
static bool is_nearly(const char *name, const char *other)
{
    for (; *name != '\0' && *other != '\0'; name++, other++) {
        if (*name == *other) continue;
        if (isalnum((unsigned char)*name) || isalnum((unsigned char)*other)) return false;
    }
    return *name == *other;
}

static bool find_name(const ow_schema *schema, const char *name, size_t *column)
{
    const size_t n = ow_schema_n_columns(schema);
    for (*column = 0; *column < n; ++*column)
        if (strcmp(ow_schema_column(schema, *column)->name, name) == 0) return true;
    for (*column = 0; *column < n; ++*column)
        if (is_nearly(ow_schema_column(schema, *column)->name, name)) return true;
    return false;
}

/* A feature that is 1 for one level of a column and 0 for all others, called
 * "column_level" as pandas does. */
static bool find_indicator(const ow_schema *schema, const char *name, size_t *column,
                           size_t *level)
{
    for (*column = 0; *column < ow_schema_n_columns(schema); ++*column) {
        const ow_column *of = ow_schema_column(schema, *column);
        const size_t length = strlen(of->name);
        if (strncmp(of->name, name, length) != 0 || name[length] == '\0' ||
            strchr("_=.", name[length]) == NULL)
            continue;
        for (*level = 0; *level < of->n_levels; ++*level)
            if (is_nearly(of->levels[*level], name + length + 1)) return true;
    }
    return false;
}

static ow_status find_column(owi_matched_trees *self, const ow_schema *schema,
                             const ow_trees_match *match, size_t f)
{
    char quoted[owi_quote_size];
    const ow_trees *trees = self->trees;
    const size_t n = ow_schema_n_columns(schema);
    const char *name = name_of(trees, match, f), *package = ow_trees_package(trees);
    owi_matched_feature *to = &self->features[f];
    size_t level;
    if (name == NULL) {
        to->column = f;
        if (ow_trees_n_features(trees) == n) return OW_OK;
        return owi_fail(OW_ERR_ARGUMENT,
                        "the %s model has %zu features without names, the table has %zu "
                        "columns; say which column each feature is",
                        package, ow_trees_n_features(trees), n);
    }
    if (find_name(schema, name, &to->column)) return OW_OK;
    if (!find_indicator(schema, name, &to->column, &level))
        return owi_fail(OW_ERR_ARGUMENT,
                        "the %s model has a feature %s, the table has no such column",
                        package, owi_quote_text(name, quoted));
    to->code = owi_alloc_array(self->ctx, ow_schema_column(schema, to->column)->n_levels,
                               sizeof *to->code);
    if (to->code == NULL) return OW_ERR_MEMORY;
    to->code[level] = 1.0;
    return OW_OK;
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

static ow_status match_levels(owi_matched_trees *self, const ow_column *column, size_t f)
{
    char quoted[2][owi_quote_size];
    const ow_trees *trees = self->trees;
    owi_matched_feature *feature = &self->features[f];
    if (feature->code != NULL) return OW_OK; /* of one level */
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
        if (feature->code[k] < 0.0 && column->rest != NULL &&
            strcmp(column->rest, level) == 0)
            return owi_fail(OW_ERR_ARGUMENT,
                            "column %s has rare levels that are learned as one, which the "
                            "%s model tells apart; keep the column's levels (--keep)",
                            owi_quote_text(column->name, quoted[0]),
                            ow_trees_package(trees));
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

ow_status owi_sort_classes(ow_context *ctx, const ow_schema *schema, size_t *class_of)
{
    const size_t C = ow_schema_n_classes(schema);
    named_class *classes = owi_alloc_array(ctx, C, sizeof *classes);
    if (classes == NULL) return OW_ERR_MEMORY;
    bool all_numbers = true;
    for (size_t c = 0; c < C; c++) {
        const char *name = ow_schema_class_name(schema, c);
        classes[c] = (named_class){.name = name, .index = c};
        all_numbers &= owi_parse_number(name, strlen(name), &classes[c].number, NULL);
    }
    for (size_t c = 0; c < C; c++) classes[c].by_number = all_numbers;
    qsort(classes, C, sizeof *classes, compare_classes);
    for (size_t c = 0; c < C; c++) class_of[c] = classes[c].index;
    owi_free(ctx, classes);
    return OW_OK;
}

/* Below the limit, and not: the schema's two classes in this order. */
static ow_status match_limit(owi_matched_trees *self)
{
    for (size_t c = 0; c < self->n_classes; c++) self->class_of[c] = c;
    if (self->n_classes == 2 && ow_trees_get_kind(self->trees) == OW_TREES_SCORE &&
        ow_trees_n_classes(self->trees) == 1)
        return OW_OK;
    return owi_fail(OW_ERR_ARGUMENT,
                    "a limit needs a model that predicts one number; the %s model (%s) "
                    "does not",
                    ow_trees_package(self->trees), ow_trees_objective(self->trees));
}

static ow_status match_classes(owi_matched_trees *self, const ow_schema *schema,
                               const ow_trees_match *match)
{
    const size_t C = self->n_classes;
    if (self->limit.is_used) return match_limit(self);
    if (ow_trees_get_kind(self->trees) == OW_TREES_SCORE)
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "the %s model predicts a number (%s), not a class",
                        ow_trees_package(self->trees), ow_trees_objective(self->trees));
    if (ow_trees_n_classes(self->trees) != C)
        return owi_fail(OW_ERR_ARGUMENT, "the %s model has %zu classes, the table has %zu",
                        ow_trees_package(self->trees), ow_trees_n_classes(self->trees), C);
    if (match->classes == NULL) return owi_sort_classes(self->ctx, schema, self->class_of);
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

void owi_matched_trees_row(const owi_matched_trees *self, const double *values, double *row)
{
    const size_t n = ow_trees_n_features(self->trees);
    for (size_t f = 0; f < n; f++) {
        const owi_matched_feature *feature = &self->features[f];
        const double value = values[feature->column];
        row[f] =
            isnan(value) || feature->code == NULL ? value : feature->code[(size_t)value];
    }
}

/* Probabilities in the schema's order.  Those of one-against-all models do not sum to
 * one. */
static void take_proba(const owi_matched_trees *self, const double *theirs, double *proba)
{
    const size_t C = self->n_classes;
    double sum = 0.0;
    for (size_t c = 0; c < C; c++) sum += theirs[c];
    for (size_t c = 0; c < C; c++)
        proba[self->class_of[c]] = sum > 0.0 ? theirs[c] / sum : 1.0 / (double)C;
}

void owi_score_proba(const owi_score_limit *limit, double score, double proba[2])
{
    const double odds = (score - limit->limit) / limit->spread;
    proba[1] = odds >= 0.0 ? fmax(1.0 / (1.0 + exp(-odds)), nextafter(0.5, 1.0))
                           : exp(odds) / (1.0 + exp(odds));
    proba[0] = 1.0 - proba[1];
}

ow_status owi_matched_trees_predict(const owi_call *call, void *user, size_t n_rows,
                                    const double *values, double *proba)
{
    const owi_matched_trees *self = user;
    const size_t F = ow_trees_n_features(self->trees), C = self->n_classes;
    for (size_t first = 0; first < n_rows; first += block_rows) {
        const size_t n = owi_smaller(n_rows - first, block_rows);
        for (size_t i = 0; i < n; i++)
            owi_matched_trees_row(self, values + (first + i) * self->n_columns,
                                  self->rows + i * F);
        OWI_TRY(owi_trees_predict(call, self->trees, n, self->rows, self->proba));
        for (size_t i = 0; i < n; i++)
            if (self->limit.is_used)
                owi_score_proba(&self->limit, self->proba[i], proba + (first + i) * C);
            else
                take_proba(self, self->proba + i * C, proba + (first + i) * C);
    }
    return OW_OK;
}

void owi_matched_trees_log_scores(const owi_matched_trees *self, const double *sums,
                                  double *log_scores)
{
    const ow_trees *trees = self->trees;
    const double base = trees->base[0];
    if (self->limit.is_used) {
        const double y = owi_trees_transform(trees, (base + sums[0]) / trees->divisor);
        log_scores[0] = 0.0;
        log_scores[1] = (y - self->limit.limit) / self->limit.spread;
    } else if (trees->kind == OW_TREES_BINARY) {
        const double sigmoid = trees->forest.is_float ? 1.0 : trees->sigmoid;
        log_scores[self->class_of[0]] = 0.0;
        log_scores[self->class_of[1]] = sigmoid * (base + sums[0]) / trees->divisor;
    } else {
        for (size_t c = 0; c < self->n_classes; c++) {
            const double score = (trees->base[c] + sums[c]) / trees->divisor;
            log_scores[self->class_of[c]] = trees->link == owi_link_softmax
                                                ? score
                                                : log(owi_trees_transform(trees, score));
        }
    }
}

const owi_matched_trees *owi_classifier_trees(const ow_classifier *classifier)
{
    return owi_classifier_user_of(classifier, owi_matched_trees_predict);
}

/* ---- Making one ---- */

void owi_matched_trees_free(owi_matched_trees *self)
{
    if (self == NULL) return;
    const size_t n = ow_trees_n_features(self->trees);
    for (size_t f = 0; self->features != NULL && f < n; f++)
        owi_free(self->ctx, self->features[f].code);
    owi_free(self->ctx, self->features);
    owi_free(self->ctx, self->class_of);
    owi_free(self->ctx, self->rows);
    owi_free(self->ctx, self->proba);
    owi_free(self->ctx, self);
}

static ow_status match_all(owi_matched_trees *self, const ow_schema *schema,
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
    OWI_TRY(match_classes(self, schema, match));
    for (size_t f = 0; f < F; f++) {
        OWI_TRY(find_column(self, schema, match, f));
        OWI_TRY(match_levels(self, ow_schema_column(schema, self->features[f].column), f));
    }
    return OW_OK;
}

ow_status owi_matched_trees_new(ow_context *ctx, const ow_schema *schema,
                                const ow_trees *trees, const ow_trees_match *match,
                                const owi_score_limit *limit, owi_matched_trees **out)
{
    static const ow_trees_match by_name = {.size = sizeof(ow_trees_match)};
    *out = NULL;
    owi_matched_trees *self = owi_alloc_zeroed(ctx, sizeof *self);
    if (self == NULL) return OW_ERR_MEMORY;
    *self = (owi_matched_trees){.ctx = ctx,
                                .trees = trees,
                                .forest = &trees->forest,
                                .n_columns = ow_schema_n_columns(schema),
                                .n_classes = ow_schema_n_classes(schema)};
    if (limit != NULL) self->limit = *limit;
    const ow_status status = match_all(self, schema, match != NULL ? match : &by_name);
    if (status == OW_OK)
        *out = self;
    else
        owi_matched_trees_free(self);
    return status;
}
