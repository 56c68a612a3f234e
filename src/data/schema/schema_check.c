/* SPDX-License-Identifier: MIT */
/* What holds for every schema.  Whoever made it, inference or a person's editor, it passes
 * through here, and nobody behind has to doubt it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "base/text/utf8.h"
#include "data/rows/reader.h"
#include "data/schema/schema_private.h"

/* One column under inspection; breaking a rule is one line:  return broken(&at, "range",
 * "..."); */
typedef struct {
    const char *prefix;
    const ow_column *column;
} subject;

static ow_status broken(const subject *at, const char *field, const char *rule)
{
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_FORMAT, "%scolumn %s, field \"%s\": %s", at->prefix,
                    owi_quote_text(at->column->name, quoted), field, rule);
}

/* A name: of something, and in UTF-8, since schemas go into JSON files. */
static ow_status check_name(const char *prefix, const char *what, const char *name)
{
    char quoted[owi_quote_size];
    if (name[0] == '\0') return owi_fail(OW_ERR_FORMAT, "%s%s is empty", prefix, what);
    if (owi_is_utf8(name, strlen(name))) return OW_OK;
    return owi_fail(OW_ERR_FORMAT,
                    "%s%s %s is not UTF-8; convert the file first, for example with "
                    "iconv -f latin1 -t utf-8",
                    prefix, what, owi_quote_text(name, quoted));
}

/* A level or a class: a name that rows can have. */
static ow_status check_value(const char *prefix, const char *what, const char *text)
{
    char quoted[owi_quote_size];
    OWI_TRY(check_name(prefix, what, text));
    if (!owi_cell_is_missing(&(owi_cell){.text = text, .length = strlen(text)}))
        return OW_OK;
    return owi_fail(OW_ERR_FORMAT, "%s%s %s is how rows say that a value is missing",
                    prefix, what, owi_quote_text(text, quoted));
}

static ow_status check_category(const subject *at)
{
    const ow_column *c = at->column;
    if (c->n_levels == 0)
        return broken(at, "levels", "a category needs at least one level");
    if (c->n_levels > INT32_MAX) return broken(at, "levels", "too many levels");
    char what[2 * owi_quote_size], quoted[owi_quote_size];
    snprintf(what, sizeof what, "column %s: a level", owi_quote_text(c->name, quoted));
    for (size_t k = 0; k < c->n_levels; k++)
        OWI_TRY(check_value(at->prefix, what, c->levels[k]));
    if (c->scaling != OW_SCALE_NONE)
        return broken(at, "scaling", "levels are not numbers and have no scaling");
    if (c->type == OW_TYPE_CATEGORICAL && c->monotone != OW_MONOTONE_NONE)
        return broken(at, "monotone",
                      "categorical levels have no order; make the type \"ordinal\"");
    return OW_OK;
}

/* A mean and a deviation, of x or of log(1 + x). */
static ow_status check_spread(const subject *at, double mean, const char *mean_field,
                              double deviation, const char *deviation_field)
{
    if (!isfinite(mean)) return broken(at, mean_field, "must be a finite number");
    if (!isfinite(deviation) || deviation <= 0.0)
        return broken(at, deviation_field, "must be a finite number above 0");
    return OW_OK;
}

static ow_status check_number(const subject *at)
{
    const ow_column *c = at->column;
    if (c->n_levels > 0) return broken(at, "levels", "only categories have levels");
    if (!isfinite(c->low) || !isfinite(c->high))
        return broken(at, "range", "both ends must be finite numbers");
    if (c->low > c->high) return broken(at, "range", "the low end is above the high end");
    if (!isfinite(c->high - c->low)) return broken(at, "range", "is too wide for a double");
    if (c->type == OW_TYPE_INTEGER &&
        (c->low != floor(c->low) || c->high != floor(c->high)))
        return broken(at, "range", "the ends of an integer column must be whole numbers");
    if (c->decimals < -1 || c->decimals > owi_max_decimals)
        return broken(at, "decimals", "must be from 0 to 17, or -1");
    if (c->type == OW_TYPE_INTEGER && c->decimals != 0)
        return broken(at, "decimals", "must be 0 in an integer column");
    OWI_TRY(check_spread(at, c->mean, "mean", c->deviation, "deviation"));

    /* log(1 + x) exists from 0 on (strictly from above -1 on; a column is not scaled by
     * the logarithm for the sake of that rim). */
    if (c->low >= 0.0)
        return check_spread(at, c->log_mean, "log_mean", c->log_deviation, "log_deviation");
    if (c->scaling == OW_SCALE_LOG1P)
        return broken(at, "scaling", "log1p needs numbers from 0 on");
    if (!isnan(c->log_mean) || !isnan(c->log_deviation))
        return broken(
            at, "log_mean",
            "the range begins below 0, where no log(1 + x) is measured; leave out "
            "log_mean and log_deviation");
    return OW_OK;
}

static ow_status check_column(const subject *at)
{
    const ow_column *c = at->column;
    OWI_TRY(check_name(at->prefix, "a column's name", c->name));
    if (ow_column_type_name(c->type) == NULL) return broken(at, "type", "is none");
    if (ow_scaling_name(c->scaling) == NULL) return broken(at, "scaling", "is none");
    if (ow_monotone_name(c->monotone) == NULL) return broken(at, "monotone", "is none");
    if (owi_is_category(c->type)) return check_category(at);
    return check_number(at);
}

static ow_status check_label(const ow_schema *schema, const char *prefix)
{
    if (schema->label == NULL) {
        if (schema->classes == NULL) return OW_OK;
        return owi_fail(OW_ERR_FORMAT, "%sthere are classes but no label column", prefix);
    }
    char quoted[owi_quote_size];
    OWI_TRY(check_name(prefix, "the label column's name", schema->label));
    for (size_t j = 0; j < schema->n_columns; j++)
        if (strcmp(schema->columns[j].name, schema->label) == 0)
            return owi_fail(OW_ERR_FORMAT,
                            "%s%s is the label and cannot be one of the columns too",
                            prefix, owi_quote_text(schema->label, quoted));
    const size_t n = ow_schema_n_classes(schema);
    if (n < 2 || n > INT32_MAX)
        return owi_fail(OW_ERR_FORMAT, "%slabel %s: %zu classes, expected two or more",
                        prefix, owi_quote_text(schema->label, quoted), n);
    for (size_t k = 0; k < n; k++)
        OWI_TRY(check_value(prefix, "a class name", ow_schema_class_name(schema, k)));
    return OW_OK;
}

static ow_status check_layout(const ow_schema *schema, const char *prefix)
{
    const ow_layout *l = &schema->layout;
    if (l->kind == OW_LAYOUT_TABLE) return OW_OK;
    size_t n;
    if (l->kind == OW_LAYOUT_IMAGE && l->channels != 1)
        return owi_fail(OW_ERR_FORMAT, "%slayout: an image has 1 channel, got %zu", prefix,
                        l->channels);
    if (owi_size_multiply(l->height, l->width, &n) &&
        owi_size_multiply(n, l->channels, &n) && n == schema->n_columns)
        return OW_OK;
    return owi_fail(OW_ERR_FORMAT,
                    "%slayout: %zu x %zu x %zu is not the number of columns, %zu", prefix,
                    l->height, l->width, l->channels, schema->n_columns);
}

/* Links are numbered from 1, and each ties at least two columns. */
static ow_status check_links(const ow_schema *schema, const char *prefix)
{
    size_t *n_tied = owi_alloc_array(schema->ctx, schema->n_columns, sizeof *n_tied);
    if (n_tied == NULL) return OW_ERR_MEMORY;
    char quoted[owi_quote_size];
    ow_status status = OW_OK;
    for (size_t j = 0; j < schema->n_columns; j++) {
        const size_t link = schema->columns[j].link;
        if (link > 0 && link <= schema->n_columns) n_tied[link - 1]++;
    }
    for (size_t j = 0; j < schema->n_columns && status == OW_OK; j++) {
        const size_t link = schema->columns[j].link;
        if (link > 0 && (link > schema->n_columns || n_tied[link - 1] < 2))
            status = owi_fail(OW_ERR_FORMAT, "%scolumn %s is linked with no other column",
                              prefix, owi_quote_text(schema->columns[j].name, quoted));
    }
    owi_free(schema->ctx, n_tied);
    return status;
}

/* What columns[j].levels lends: the texts of its map, which do not move any more. */
static ow_status lend_levels(ow_schema *schema, size_t j)
{
    const owi_string_map *map = schema->levels[j];
    if (map == NULL) return OW_OK;
    const size_t n = owi_string_map_count(map);
    const char **texts = owi_alloc_array(schema->ctx, n, sizeof *texts);
    if (texts == NULL) return OW_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) texts[k] = owi_string_map_text(map, k, NULL);
    schema->level_texts[j] = texts;
    schema->columns[j].levels = texts;
    schema->columns[j].n_levels = n;
    return OW_OK;
}

static ow_status lend_classes(ow_schema *schema)
{
    const size_t n = ow_schema_n_classes(schema);
    schema->class_counts = owi_alloc_array(schema->ctx, n, sizeof *schema->class_counts);
    schema->class_texts = owi_alloc_array(schema->ctx, n, sizeof *schema->class_texts);
    if (schema->class_counts == NULL || schema->class_texts == NULL) return OW_ERR_MEMORY;
    for (size_t c = 0; c < n; c++) schema->class_texts[c] = ow_schema_class_name(schema, c);
    return OW_OK;
}

ow_status owi_schema_finish(ow_schema *schema, const char *prefix)
{
    const size_t n_named = owi_string_map_count(schema->names);
    if (schema->n_columns == 0) return owi_fail(OW_ERR_FORMAT, "%sno columns", prefix);
    if (n_named != schema->n_columns)
        return owi_fail(OW_ERR_FORMAT, "%s%zu columns, expected %zu", prefix, n_named,
                        schema->n_columns);
    for (size_t j = 0; j < schema->n_columns; j++) {
        OWI_TRY(lend_levels(schema, j));
        OWI_TRY(check_column(&(subject){prefix, &schema->columns[j]}));
    }
    OWI_TRY(check_label(schema, prefix));
    OWI_TRY(lend_classes(schema));
    OWI_TRY(check_layout(schema, prefix));
    OWI_TRY(check_links(schema, prefix));
    return owi_schema_make_links(schema);
}
