/* SPDX-License-Identifier: MIT */
#include "data/infer/infer_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/quote.h"
#include "data/schema/schema_private.h"

static int compare_texts(const void *left, const void *right)
{
    const owi_level *a = left, *b = right;
    const int order = memcmp(a->text, b->text, owi_smaller(a->length, b->length));
    if (order != 0) return order;
    return (a->length > b->length) - (a->length < b->length);
}

/* "1" and "1.0" are two levels. */
static int compare_numbers(const void *left, const void *right)
{
    const owi_level *a = left, *b = right;
    const int order = (a->number > b->number) - (a->number < b->number);
    return order != 0 ? order : compare_texts(left, right);
}

ow_status owi_list_levels(const owi_column_stats *stats, ow_level_order order,
                          owi_level **levels, size_t *n_levels)
{
    const size_t n = stats->texts != NULL ? owi_string_map_count(stats->texts) : 0;
    bool all_numbers = true;
    *n_levels = n;
    *levels = owi_alloc_array(stats->ctx, n, sizeof **levels);
    if (*levels == NULL) return OW_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) {
        owi_level *level = &(*levels)[k];
        level->text = owi_string_map_text(stats->texts, k, &level->length);
        level->number = stats->values[k].number;
        level->count = stats->values[k].count;
        all_numbers = all_numbers && !isnan(level->number);
    }
    if (order == OW_LEVELS_SORTED)
        qsort(*levels, n, sizeof **levels, all_numbers ? compare_numbers : compare_texts);
    return OW_OK;
}

ow_status owi_add_given_levels(ow_schema *schema, size_t column, const char *given,
                               const owi_column_stats *stats)
{
    const char *name = schema->columns[column].name;
    char quoted[2][owi_quote_size];
    for (const char *level = given;; level++) {
        const size_t length = strcspn(level, "|");
        if (length == 0)
            return owi_fail(OW_ERR_ARGUMENT, "column %s: a level is empty in %s",
                            owi_quote_text(name, quoted[0]),
                            owi_quote_text(given, quoted[1]));
        const ow_status status = owi_schema_add_level(schema, column, level, length);
        if (status != OW_OK)
            return status == OW_ERR_FORMAT
                       ? owi_fail(OW_ERR_ARGUMENT, "%s", ow_error_message())
                       : status;
        level += length;
        if (*level == '\0') break;
    }
    for (size_t k = 0; stats->texts != NULL && k < owi_string_map_count(stats->texts);
         k++) {
        size_t length;
        const char *text = owi_string_map_text(stats->texts, k, &length);
        if (owi_string_map_find(schema->levels[column], text, length) == SIZE_MAX)
            return owi_fail(OW_ERR_ARGUMENT,
                            "column %s has the level %s, which is not in %s",
                            owi_quote_text(name, quoted[0]),
                            owi_quote(text, length, quoted[1]), given);
    }
    return OW_OK;
}

/* ---- Many levels ---- */

enum { most_levels = 250 };
static const char rest_name[] = "(rare)";

static int compare_counts(const void *left, const void *right)
{
    const size_t a = *(const size_t *)left, b = *(const size_t *)right;
    return (a < b) - (a > b); /* the largest first */
}

/* How many rows a level must have to be one of its own. */
static ow_status find_least_count(ow_context *ctx, size_t n, const owi_level *levels,
                                  size_t *least)
{
    *least = owi_common_level_rows;
    if (n <= most_levels) return OW_OK;
    size_t *counts = owi_alloc_array(ctx, n, sizeof *counts);
    if (counts == NULL) return OW_ERR_MEMORY;
    for (size_t k = 0; k < n; k++) counts[k] = levels[k].count;
    qsort(counts, n, sizeof *counts, compare_counts);
    *least = owi_larger(owi_common_level_rows, counts[most_levels] + 1);
    owi_free(ctx, counts);
    return OW_OK;
}

/* Adds the levels; those that are rare become the column's rest. */
static ow_status add_with_rest(ow_schema *schema, size_t column, size_t n,
                               const owi_level *levels, const char *file)
{
    size_t least, n_rare = 0;
    char quoted[owi_quote_size];
    OWI_TRY(find_least_count(schema->ctx, n, levels, &least));
    for (size_t k = 0; k < n; k++) {
        n_rare += levels[k].count < least;
        if (levels[k].count >= least)
            OWI_TRY(owi_schema_add_level(schema, column, levels[k].text, levels[k].length));
    }
    if (n_rare == 0) return OW_OK;
    OWI_TRY(owi_schema_add_level(schema, column, rest_name, sizeof rest_name - 1));
    OWI_TRY(owi_schema_set_rest(schema, column, rest_name));
    owi_log(schema->ctx, OW_LOG_WARN,
            "%s: column %s has %zu levels; %zu of them are rare and learned together as %s "
            "(--keep COLUMN to learn each)",
            file, owi_quote_text(schema->columns[column].name, quoted), n, n_rare,
            rest_name);
    return OW_OK;
}

ow_status owi_add_levels(ow_schema *schema, size_t column, const owi_column_stats *stats,
                         const char *given, const ow_infer_options *options,
                         const char *file, bool keeps_all)
{
    if (given != NULL) {
        const ow_status status = owi_add_given_levels(schema, column, given, stats);
        if (status != OW_ERR_ARGUMENT) return status;
        return owi_fail(status, "%s: %s", file, ow_error_message());
    }
    owi_level *levels;
    size_t n;
    OWI_TRY(owi_list_levels(stats, options->level_order, &levels, &n));
    ow_status status = OW_OK;
    if (n > owi_many_levels && !keeps_all && !stats->is_category)
        status = add_with_rest(schema, column, n, levels, file);
    else
        for (size_t k = 0; k < n && status == OW_OK; k++)
            status = owi_schema_add_level(schema, column, levels[k].text, levels[k].length);
    owi_free(schema->ctx, levels);
    return status;
}

/* ---- Words for missing values ---- */

bool owi_is_said_missing(const ow_infer_options *options, const owi_cell *cell)
{
    for (size_t i = 0; i < options->n_missing; i++)
        if (cell->text != NULL && strlen(options->missing[i]) == cell->length &&
            memcmp(options->missing[i], cell->text, cell->length) == 0)
            return true;
    return false;
}

ow_status owi_add_missing_words(ow_schema *schema, size_t column,
                                const owi_column_stats *stats,
                                const ow_infer_options *options)
{
    for (size_t i = 0; i < options->n_missing; i++)
        OWI_TRY(owi_schema_add_missing_word(schema, column, options->missing[i],
                                            strlen(options->missing[i])));
    for (size_t k = 0; stats->words != NULL && k < owi_string_map_count(stats->words);
         k++) {
        size_t length;
        const char *word = owi_string_map_text(stats->words, k, &length);
        OWI_TRY(owi_schema_add_missing_word(schema, column, word, length));
    }
    const size_t n_outside =
        stats->outside != NULL ? owi_string_map_count(stats->outside) : 0;
    for (size_t k = 0; k < n_outside && owi_column_stats_is_number(stats); k++) {
        size_t length;
        double value;
        const char *text = owi_string_map_text(stats->outside, k, &length);
        if (!owi_value_read(&stats->format, text, length, &value, NULL))
            OWI_TRY(owi_schema_add_missing_word(schema, column, text, length));
    }
    return OW_OK;
}
