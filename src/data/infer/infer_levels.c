/* SPDX-License-Identifier: MIT */
#include "data/infer/infer_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
