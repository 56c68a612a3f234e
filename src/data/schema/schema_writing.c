/* SPDX-License-Identifier: MIT */
/* How files write a schema's columns: formats of numbers, words for missing values, and the
 * columns that are carried along without being part of the model. */
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/quote.h"
#include "data/schema/schema_private.h"

/* The styles are made when the first column needs one: most schemas have none. */
static ow_status need_styles(ow_schema *schema)
{
    if (schema->styles != NULL) return OW_OK;
    schema->styles =
        owi_alloc_array(schema->ctx, schema->n_columns, sizeof *schema->styles);
    return schema->styles != NULL ? OW_OK : OW_ERR_MEMORY;
}

ow_status owi_schema_set_format(ow_schema *schema, size_t column,
                                const owi_value_format *format)
{
    if (format->writing == OWI_PLAIN) return OW_OK;
    OWI_TRY(need_styles(schema));
    owi_writing_style *style = &schema->styles[column];
    style->format = *format;
    owi_pattern_print(format, style->pattern);
    schema->columns[column].format = style->pattern;
    return OW_OK;
}

ow_status owi_schema_add_missing_word(ow_schema *schema, size_t column, const char *text,
                                      size_t length)
{
    OWI_TRY(need_styles(schema));
    owi_writing_style *style = &schema->styles[column];
    size_t index;
    if (style->words == NULL) OWI_TRY(owi_string_map_new(schema->ctx, &style->words));
    return owi_string_map_add(style->words, text, length, &index);
}

ow_status owi_schema_set_rest(ow_schema *schema, size_t column, const char *level)
{
    char quoted[owi_quote_size];
    const int32_t index = owi_schema_level(schema, column, level);
    if (index < 0)
        return owi_fail(OW_ERR_FORMAT, "column %s, field \"rest\": is none of the levels",
                        owi_quote_text(schema->columns[column].name, quoted));
    OWI_TRY(need_styles(schema));
    schema->styles[column].rest = (size_t)index + 1;
    schema->columns[column].rest =
        owi_string_map_text(schema->levels[column], (size_t)index, NULL);
    return OW_OK;
}

const owi_value_format *owi_schema_format(const ow_schema *schema, size_t column)
{
    static const owi_value_format plain = {.writing = OWI_PLAIN};
    return schema->styles != NULL ? &schema->styles[column].format : &plain;
}

const owi_string_map *owi_schema_missing_words(const ow_schema *schema, size_t column)
{
    return schema->styles != NULL ? schema->styles[column].words : NULL;
}

ow_status owi_schema_add_carried(ow_schema *schema, const char *name, size_t length,
                                 bool is_id)
{
    size_t index;
    if (schema->carried == NULL) OWI_TRY(owi_string_map_new(schema->ctx, &schema->carried));
    OWI_TRY(owi_string_map_add(schema->carried, name, length, &index));
    if (!is_id || schema->row_id != NULL) return OW_OK;
    schema->row_id = owi_copy_text(schema->ctx, name, length);
    return schema->row_id != NULL ? OW_OK : OW_ERR_MEMORY;
}

void owi_schema_free_writing(ow_schema *schema)
{
    for (size_t j = 0; schema->styles != NULL && j < schema->n_columns; j++)
        owi_string_map_free(schema->styles[j].words);
    owi_free(schema->ctx, schema->styles);
    owi_string_map_free(schema->carried);
    owi_free(schema->ctx, schema->row_id);
}

size_t ow_schema_n_carried(const ow_schema *schema)
{
    return schema->carried != NULL ? owi_string_map_count(schema->carried) : 0;
}

const char *ow_schema_carried(const ow_schema *schema, size_t index)
{
    return owi_string_map_text(schema->carried, index, NULL);
}

const char *ow_schema_row_id(const ow_schema *schema)
{
    return schema->row_id;
}
