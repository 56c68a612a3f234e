/* SPDX-License-Identifier: MIT */
/* Where the columns of a schema stand in the rows of a file.  Names are matched once, here;
 * a row is then read by places alone. */
#include <string.h>

#include "base/context.h"
#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/name_list.h"
#include "base/text/quote.h"
#include "base/text/string_map.h"
#include "data/rows/reader_private.h"
#include "data/schema/schema_private.h"

void owi_binding_clear(ow_context *ctx, owi_binding *binding)
{
    owi_free(ctx, binding->cell);
    owi_free(ctx, binding->warned);
    owi_free(ctx, binding->plain);
    *binding = (owi_binding){0};
}

static ow_status number_names(const ow_reader *reader, owi_string_map *names)
{
    for (size_t j = 0; j < reader->n_columns; j++) {
        size_t index;
        OWI_TRY(
            owi_string_map_add(names, reader->names[j], strlen(reader->names[j]), &index));
    }
    return OW_OK;
}

/* Pictures must have the schema's size; that as many columns are there would not do. */
static ow_status check_layout(const ow_reader *reader, const ow_schema *schema)
{
    const ow_layout got = reader->rows.layout, want = ow_schema_layout(schema);
    if (got.kind == OW_LAYOUT_TABLE || want.kind == OW_LAYOUT_TABLE) return OW_OK;
    if (got.height == want.height && got.width == want.width &&
        got.channels == want.channels)
        return OW_OK;
    return owi_fail(OW_ERR_SCHEMA,
                    "%s: expected rows of %zu x %zu x %zu, got %zu x %zu x %zu",
                    reader->rows.name, want.height, want.width, want.channels, got.height,
                    got.width, got.channels);
}

/* Fills in binding->cell and ->label; binding->cell has an entry for each schema column. */
static ow_status find_columns(const ow_reader *reader, const owi_string_map *names,
                              owi_binding *binding)
{
    const ow_schema *schema = binding->schema;
    for (size_t j = 0; j < ow_schema_n_columns(schema); j++) {
        const char *name = ow_schema_column(schema, j)->name;
        binding->cell[j] = owi_string_map_find(names, name, strlen(name));
        if (binding->cell[j] == SIZE_MAX)
            return owi_reader_no_column(reader, OW_ERR_SCHEMA, name);
    }
    const char *label = ow_schema_label(schema);
    binding->label =
        label == NULL ? SIZE_MAX : owi_string_map_find(names, label, strlen(label));
    return OW_OK;
}

/* One line of information about the columns that the schema does not have. */
static ow_status note_extra_columns(const ow_reader *reader, const owi_binding *binding)
{
    owi_name_list extra = {0};
    size_t n_extra = 0;
    bool *is_used = owi_alloc_array(reader->ctx, reader->n_columns, sizeof *is_used);
    if (is_used == NULL) return OW_ERR_MEMORY;
    for (size_t j = 0; j < ow_schema_n_columns(binding->schema); j++)
        is_used[binding->cell[j]] = true;
    if (binding->label != SIZE_MAX) is_used[binding->label] = true;
    if (reader->id != NULL) is_used[reader->id->column] = true;
    for (size_t j = 0; j < reader->n_columns; j++)
        if (binding->schema->carried != NULL &&
            owi_string_map_find(binding->schema->carried, reader->names[j],
                                strlen(reader->names[j])) != SIZE_MAX)
            is_used[j] = true;
    for (size_t j = 0; j < reader->n_columns; j++) {
        if (is_used[j]) continue;
        char quoted[owi_quote_size];
        owi_name_list_add(&extra, owi_quote_text(reader->names[j], quoted));
        n_extra++;
    }
    owi_free(reader->ctx, is_used);
    if (n_extra > 0)
        owi_log(reader->ctx, OW_LOG_INFO,
                "%s: %zu column%s not in the schema, left out: %s", reader->rows.name,
                n_extra, n_extra == 1 ? "" : "s", extra.text);
    return OW_OK;
}

ow_status ow_reader_bind(ow_reader *reader, const ow_schema *schema, bool strict)
{
    OWI_REQUIRE(reader != NULL && schema != NULL);
    ow_context *ctx = reader->ctx;
    const size_t n_columns = ow_schema_n_columns(schema);
    owi_binding binding = {.schema = schema, .strict = strict};
    owi_string_map *names = NULL;

    ow_status status = check_layout(reader, schema);
    if (status != OW_OK) goto done;
    status = owi_string_map_new(ctx, &names);
    if (status != OW_OK) goto done;
    status = number_names(reader, names);
    if (status != OW_OK) goto done;

    status = OW_ERR_MEMORY;
    binding.cell = owi_alloc_array(ctx, n_columns, sizeof *binding.cell);
    if (binding.cell == NULL) goto done;
    binding.warned = owi_alloc_array(ctx, n_columns, sizeof *binding.warned);
    if (binding.warned == NULL) goto done;
    binding.plain = owi_alloc_array(ctx, n_columns, sizeof *binding.plain);
    if (binding.plain == NULL) goto done;
    for (size_t j = 0; j < n_columns; j++)
        binding.plain[j] = !strict && !reader->rows.decimal_comma &&
                           schema->levels[j] == NULL &&
                           owi_schema_format(schema, j)->writing == OWI_PLAIN &&
                           owi_schema_missing_words(schema, j) == NULL;
    status = find_columns(reader, names, &binding);
    if (status != OW_OK) goto done;
    if (owi_reader_tells_first(reader, OWI_NOTE_EXTRA_COLUMNS))
        status = note_extra_columns(reader, &binding);
    if (status != OW_OK) goto done;

    owi_binding_clear(ctx, &reader->binding);
    reader->binding = binding;
    binding = (owi_binding){0};

done:
    owi_binding_clear(ctx, &binding);
    owi_string_map_free(names);
    return status;
}
