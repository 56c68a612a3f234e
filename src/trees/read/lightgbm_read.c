/* SPDX-License-Identifier: MIT */
/* LightGBM models as save_model writes them, version 3 and 4 of the text format:
 *
 *     tree
 *     version=v4
 *     num_class=1
 *     ...
 *
 *     Tree=0
 *     num_leaves=31
 *     ...
 *
 *     end of trees
 *     ...
 *     [categorical_feature: 1,2]
 *     ...
 *     pandas_categorical:[["x", "y"], ["a", "b"]] */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "trees/read/lightgbm_private.h"

/* ---- Lines ---- */

ow_status owi_lightgbm_fail(const owi_lightgbm *l, const char *format, ...)
{
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    return owi_fail(OW_ERR_FORMAT, "%s:%zu: %s", l->name, l->line, sentence);
}

bool owi_lightgbm_line(owi_lightgbm *l, owi_span *line)
{
    const size_t left = (size_t)(l->end - l->next);
    if (left == 0) return false;
    const char *newline = memchr(l->next, '\n', left);
    const char *end = newline != NULL ? newline : l->end;
    *line = (owi_span){l->next, (size_t)(end - l->next)};
    if (line->length > 0 && line->text[line->length - 1] == '\r') line->length--;
    l->next = newline != NULL ? newline + 1 : l->end;
    l->line++;
    return true;
}

static bool starts_with(owi_span line, const char *text)
{
    const size_t length = strlen(text);
    return line.length >= length && memcmp(line.text, text, length) == 0;
}

bool owi_lightgbm_value(owi_span line, const char *key, owi_span *value)
{
    const size_t length = strlen(key);
    if (!starts_with(line, key) || line.length == length || line.text[length] != '=')
        return false;
    *value = (owi_span){line.text + length + 1, line.length - length - 1};
    return true;
}

bool owi_lightgbm_word(owi_span *list, char separator, owi_span *word)
{
    while (list->length > 0 && *list->text == separator) {
        list->text++;
        list->length--;
    }
    if (list->length == 0) return false;
    const char *end = memchr(list->text, separator, list->length);
    const size_t length = end != NULL ? (size_t)(end - list->text) : list->length;
    *word = (owi_span){list->text, length};
    list->text += length;
    list->length -= length;
    return true;
}

/* ---- Objectives ---- */

static const struct {
    const char *name;
    ow_trees_kind kind;
    owi_link link;
} objectives[] = {
    {"binary", OW_TREES_BINARY, owi_link_logistic},
    {"multiclass", OW_TREES_MULTICLASS, owi_link_softmax},
    {"multiclassova", OW_TREES_MULTICLASS, owi_link_one_vs_all},
    {"poisson", OW_TREES_SCORE, owi_link_exp},
    {"gamma", OW_TREES_SCORE, owi_link_exp},
    {"tweedie", OW_TREES_SCORE, owi_link_exp},
    {"cross_entropy", OW_TREES_SCORE, owi_link_logistic},
    {"cross_entropy_lambda", OW_TREES_SCORE, owi_link_log1p_exp},
};

static bool is_word(owi_span word, const char *text)
{
    return word.length == strlen(text) && starts_with(word, text);
}

/* The parameters behind the objective's name; others are not needed. */
static ow_status read_objective_word(owi_lightgbm *l, owi_span word)
{
    ow_trees *trees = l->trees;
    if (is_word(word, "sqrt")) trees->link = owi_link_square;
    if (!starts_with(word, "sigmoid:")) return OW_OK;
    if (!owi_parse_number(word.text + 8, word.length - 8, &trees->sigmoid, NULL) ||
        !(trees->sigmoid > 0.0))
        return owi_lightgbm_fail(l, "the objective's sigmoid should be a number above 0");
    return OW_OK;
}

/* "multiclassova num_class:3 sigmoid:1".  A model without objective predicts its scores. */
static ow_status read_objective(owi_lightgbm *l, owi_span value)
{
    ow_trees *trees = l->trees;
    owi_span word;
    if (trees->objective != NULL)
        return owi_lightgbm_fail(l, "the objective is given twice");
    if (!owi_lightgbm_word(&value, ' ', &word)) return OW_OK;
    trees->objective = owi_copy_text(trees->ctx, word.text, word.length);
    if (trees->objective == NULL) return OW_ERR_MEMORY;
    for (size_t i = 0; i < sizeof objectives / sizeof *objectives; i++)
        if (is_word(word, objectives[i].name)) {
            trees->kind = objectives[i].kind;
            trees->link = objectives[i].link;
        }
    while (owi_lightgbm_word(&value, ' ', &word)) OWI_TRY(read_objective_word(l, word));
    return OW_OK;
}

/* ---- The head ---- */

static ow_status read_count(owi_lightgbm *l, owi_span value, const char *name, size_t most,
                            size_t *count)
{
    double number;
    if (!owi_parse_number(value.text, value.length, &number, NULL) || !(number >= 0.0) ||
        !(number <= (double)most) || number != floor(number))
        return owi_lightgbm_fail(l, "%s should be a whole number up to %zu", name, most);
    *count = (size_t)number;
    return OW_OK;
}

static ow_status read_version(owi_lightgbm *l, owi_span value)
{
    ow_trees *trees = l->trees;
    if (value.length < 2 || value.text[0] != 'v')
        return owi_lightgbm_fail(l, "the version should be v3 or v4");
    if (!is_word(value, "v3") && !is_word(value, "v4"))
        return owi_fail(OW_ERR_UNSUPPORTED,
                        "%s: the LightGBM model has version %.*s; supported are v3 and v4 "
                        "(LightGBM 3.x and 4.x)",
                        l->name, (int)(value.length < 20 ? value.length : 20), value.text);
    if (trees->package != NULL) return owi_lightgbm_fail(l, "the version is given twice");
    trees->package = owi_format_text(trees->ctx, "LightGBM %.2s", value.text);
    return trees->package != NULL ? OW_OK : OW_ERR_MEMORY;
}

static ow_status read_head_line(owi_lightgbm *l, owi_span line)
{
    owi_forest *forest = &l->trees->forest;
    owi_span value;
    if (owi_lightgbm_value(line, "version", &value)) return read_version(l, value);
    if (owi_lightgbm_value(line, "objective", &value)) return read_objective(l, value);
    if (owi_lightgbm_value(line, "num_tree_per_iteration", &value))
        return read_count(l, value, "num_tree_per_iteration", owi_max_groups - 1,
                          &l->n_per_iteration);
    if (owi_lightgbm_value(line, "max_feature_idx", &value)) {
        OWI_TRY(read_count(l, value, "max_feature_idx", owi_max_features - 2,
                           &forest->n_features));
        forest->n_features++;
    }
    if (owi_lightgbm_value(line, "feature_names", &value)) l->feature_names = value;
    if (owi_lightgbm_value(line, "feature_infos", &value)) l->feature_infos = value;
    if (is_word(line, "average_output")) l->is_average = true;
    return OW_OK;
}

static ow_status check_head(owi_lightgbm *l)
{
    ow_trees *trees = l->trees;
    const size_t n = l->n_per_iteration;
    if (trees->package == NULL || n == 0 || trees->forest.n_features == 0)
        return owi_lightgbm_fail(l, "version, num_tree_per_iteration and max_feature_idx "
                                    "should stand before the trees");
    if ((trees->kind == OW_TREES_MULTICLASS) != (n > 1) && trees->objective != NULL &&
        trees->kind != OW_TREES_SCORE)
        return owi_lightgbm_fail(l,
                                 "%zu trees an iteration do not go with the objective %s",
                                 n, trees->objective);
    trees->forest.n_groups = n;
    trees->base = owi_alloc_array(trees->ctx, n, sizeof *trees->base);
    return trees->base != NULL ? OW_OK : OW_ERR_MEMORY;
}

/* ---- All of it ---- */

static ow_status read_trees(owi_lightgbm *l)
{
    owi_span line, value;
    bool in_head = true, ended = false;
    while (!ended && owi_lightgbm_line(l, &line)) {
        ended = is_word(line, "end of trees");
        if ((ended || starts_with(line, "Tree=")) && in_head) {
            OWI_TRY(check_head(l));
            in_head = false;
        }
        if (owi_lightgbm_value(line, "Tree", &value))
            OWI_TRY(owi_lightgbm_read_tree(l));
        else if (in_head)
            OWI_TRY(read_head_line(l, line));
        else if (!ended && line.length > 0)
            return owi_lightgbm_fail(l, "expected a tree or \"end of trees\"");
    }
    if (!ended) return owi_lightgbm_fail(l, "the file ends before \"end of trees\"");
    return OW_OK;
}

static void read_tail(owi_lightgbm *l)
{
    static const char columns[] = "[categorical_feature: ", names[] = "pandas_categorical:";
    owi_span line;
    while (owi_lightgbm_line(l, &line)) {
        if (starts_with(line, columns) && line.text[line.length - 1] == ']')
            l->category_columns =
                (owi_span){line.text + sizeof columns - 1, line.length - sizeof columns};
        if (starts_with(line, names))
            l->category_names =
                (owi_span){line.text + sizeof names - 1, line.length - (sizeof names - 1)};
    }
}

static ow_status finish(owi_lightgbm *l)
{
    owi_forest *forest = &l->trees->forest;
    if (forest->n_trees % l->n_per_iteration != 0)
        return owi_lightgbm_fail(l, "%zu trees do not make whole iterations of %zu",
                                 forest->n_trees, l->n_per_iteration);
    if (l->is_average && forest->n_trees > 0)
        l->trees->divisor = (double)(forest->n_trees / l->n_per_iteration);
    if (l->trees->objective == NULL) {
        l->trees->objective = owi_copy_text(l->trees->ctx, "custom", 6);
        if (l->trees->objective == NULL) return OW_ERR_MEMORY;
    }
    read_tail(l);
    return owi_lightgbm_set_names(l);
}

ow_status owi_lightgbm_read(ow_trees *trees, const char *bytes, size_t size,
                            const char *name)
{
    owi_lightgbm l = {.trees = trees, .name = name, .next = bytes, .end = bytes + size};
    trees->forest.has_zero = true;
    ow_status status = read_trees(&l);
    if (status == OW_OK) status = finish(&l);
    for (unsigned i = 0; i < n_tree_fields; i++) owi_free(trees->ctx, l.fields[i].numbers);
    owi_free(trees->ctx, l.nodes);
    return status;
}
