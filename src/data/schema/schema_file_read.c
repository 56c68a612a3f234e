/* SPDX-License-Identifier: MIT */
/* A schema from its JSON form (doc/schema.md), as a person may have left it.  What the
 * fields mean one by one is read here; what must hold among them is for
 * owi_schema_finish. */
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/io/byte_source.h"
#include "base/memory/alloc.h"
#include "base/memory/sizes.h"
#include "base/text/json_read.h"
#include "base/text/quote.h"
#include "data/schema/schema_file.h"
#include "data/schema/schema_private.h"

enum { max_file_size = 64 << 20 };

/* Names by plain number, as owi_json_read_choice wants them. */
static const char *layout_name(int i)
{
    return owi_layout_name((ow_layout_kind)i);
}

static const char *level_order_name(int i)
{
    return owi_level_order_name((ow_level_order)i);
}

/* "table", or {"kind": "image", "shape": [28, 28]}. */
static ow_status read_layout(const owi_json_fields *top, ow_layout *layout)
{
    static const char *const known[] = {"kind", "shape"};
    int kind = OW_LAYOUT_TABLE;
    *layout = (ow_layout){.kind = OW_LAYOUT_TABLE};
    const json_t *value = json_object_get(top->object, "layout");
    if (value == NULL) return OW_OK;
    if (!json_is_object(value)) {
        if (json_is_string(value) && strcmp(json_string_value(value), "table") == 0)
            return OW_OK;
        return owi_json_unexpected(
            top, "layout",
            "\"table\" or an object such as {\"kind\": \"image\", \"shape\": [28, 28]}",
            value);
    }

    const owi_json_fields fields = {.file = top->file,
                                    .where = "layout, ",
                                    .object = value};
    const json_t *shape;
    OWI_TRY(owi_json_check_fields(&fields, known, sizeof known / sizeof *known));
    OWI_TRY(owi_json_read_choice(&fields, "kind", layout_name, &kind));
    OWI_TRY(owi_json_read_array(&fields, "shape", &shape));
    layout->kind = (ow_layout_kind)kind;
    const size_t rank = kind == OW_LAYOUT_TABLE ? 0 : kind == OW_LAYOUT_IMAGE ? 2 : 3;
    if (json_array_size(shape) != rank)
        return owi_json_unexpected(&fields, "shape",
                                   kind == OW_LAYOUT_TABLE ? "no shape for a table"
                                   : kind == OW_LAYOUT_IMAGE
                                       ? "[height, width] for an image"
                                       : "[height, width, channels] for a map",
                                   shape);
    size_t *const sizes[] = {&layout->height, &layout->width, &layout->channels};
    for (size_t i = 0; i < rank; i++)
        OWI_TRY(owi_json_item_count(&fields, "shape", owi_max_columns,
                                    json_array_get(shape, i), sizes[i]));
    if (kind == OW_LAYOUT_IMAGE) layout->channels = 1;
    return OW_OK;
}

static ow_status read_label(const owi_json_fields *top, ow_schema *schema)
{
    static const char *const known[] = {"name", "classes", "counts"};
    const owi_json_fields fields = {.file = top->file,
                                    .where = "label, ",
                                    .object = json_object_get(top->object, "label")};
    const char *name = NULL;
    const json_t *classes;
    if (fields.object == NULL) return OW_OK;
    OWI_TRY(owi_json_check_fields(&fields, known, sizeof known / sizeof *known));
    OWI_TRY(owi_json_read_text(&fields, "name", &name));
    if (name == NULL)
        return owi_json_unexpected(&fields, "name", "the label column's name", NULL);
    OWI_TRY(owi_schema_set_label(schema, name, strlen(name)));
    OWI_TRY(owi_json_read_array(&fields, "classes", &classes));
    if (classes == NULL)
        return owi_json_unexpected(&fields, "classes", "a list of texts", NULL);
    for (size_t k = 0; k < json_array_size(classes); k++) {
        const char *text;
        OWI_TRY(owi_json_item_text(&fields, "classes", json_array_get(classes, k), &text));
        OWI_TRY(owi_name_file(owi_schema_add_class(schema, text, strlen(text)), top->file));
    }
    return OW_OK;
}

/* Columns that the model does not see, and which of them names the rows. */
static ow_status read_carried(const owi_json_fields *top, ow_schema *schema)
{
    const json_t *names;
    const char *row_id = NULL;
    bool is_there = false;
    OWI_TRY(owi_json_read_array(top, "carried", &names));
    OWI_TRY(owi_json_read_text(top, "row_id", &row_id));
    for (size_t i = 0; names != NULL && i < json_array_size(names); i++) {
        const char *name;
        OWI_TRY(owi_json_item_text(top, "carried", json_array_get(names, i), &name));
        const bool is_id = row_id != NULL && strcmp(name, row_id) == 0;
        is_there = is_there || is_id;
        OWI_TRY(owi_schema_add_carried(schema, name, strlen(name), is_id));
    }
    if (row_id == NULL || is_there) return OW_OK;
    return owi_json_unexpected(top, "row_id", "one of the columns under \"carried\"",
                               json_object_get(top->object, "row_id"));
}

/* Once the classes are numbered for good. */
static ow_status read_class_counts(const owi_json_fields *top, ow_schema *schema)
{
    const owi_json_fields fields = {.file = top->file,
                                    .where = "label, ",
                                    .object = json_object_get(top->object, "label")};
    const size_t n = ow_schema_n_classes(schema);
    const json_t *counts = NULL;
    if (fields.object != NULL) OWI_TRY(owi_json_read_array(&fields, "counts", &counts));
    if (counts == NULL) return OW_OK;
    if (json_array_size(counts) != n)
        return owi_json_unexpected(&fields, "counts", "one count for each class", counts);
    size_t n_left = schema->n_rows;
    for (size_t k = 0; k < n; k++) {
        OWI_TRY(owi_json_item_count(&fields, "counts", n_left, json_array_get(counts, k),
                                    &schema->class_counts[k]));
        n_left -= schema->class_counts[k];
    }
    return OW_OK;
}

static ow_status check_version(const owi_json_fields *top)
{
    const char *version = NULL;
    OWI_TRY(owi_json_read_text(top, "schema_version", &version));
    if (version != NULL && (strcmp(version, OWI_SCHEMA_VERSION) == 0 ||
                            strcmp(version, OWI_SCHEMA_VERSION_1_0) == 0))
        return OW_OK;
    return owi_json_unexpected(top, "schema_version",
                               "\"" OWI_SCHEMA_VERSION_1_0 "\" or \"" OWI_SCHEMA_VERSION
                               "\"",
                               json_object_get(top->object, "schema_version"));
}

/* How many columns there will be: those of the list, or those of the shape. */
static ow_status count_columns(const owi_json_fields *top, const ow_layout *layout,
                               const json_t *columns, size_t *n)
{
    const json_t *every = json_object_get(top->object, "every_column");
    if (columns != NULL && every != NULL)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: field \"every_column\": expected it or \"columns\", got both",
                        top->file);
    if (every == NULL) {
        if (columns == NULL) return owi_json_unexpected(top, "columns", "a list", NULL);
        *n = json_array_size(columns);
        return OW_OK;
    }
    if (layout->kind == OW_LAYOUT_TABLE)
        return owi_fail(OW_ERR_FORMAT,
                        "%s: field \"every_column\": is for images and maps; list the "
                        "columns of a table under \"columns\"",
                        top->file);
    if (owi_size_multiply(layout->height, layout->width, n) &&
        owi_size_multiply(*n, layout->channels, n))
        return OW_OK;
    return owi_fail(OW_ERR_FORMAT, "%s: layout: %zu x %zu x %zu is too large", top->file,
                    layout->height, layout->width, layout->channels);
}

/* On failure *out may hold a schema that is half made, for the caller to free. */
static ow_status read_schema(ow_context *ctx, const owi_json_fields *top, ow_schema **out)
{
    static const char *const known[] = {"schema_version", "rows",        "label",
                                        "layout",         "level_order", "linked",
                                        "linked_values",  "columns",     "every_column",
                                        "carried",        "row_id",      "rules"};
    const json_t *columns;
    ow_layout layout;
    size_t n_columns = 0;
    int level_order = OW_LEVELS_SORTED;
    OWI_TRY(owi_json_check_fields(top, known, sizeof known / sizeof *known));
    OWI_TRY(check_version(top));
    OWI_TRY(read_layout(top, &layout));
    OWI_TRY(owi_json_read_array(top, "columns", &columns));
    OWI_TRY(count_columns(top, &layout, columns, &n_columns));
    OWI_TRY(owi_json_read_choice(top, "level_order", level_order_name, &level_order));

    OWI_TRY(owi_name_file(owi_schema_new(ctx, n_columns, out), top->file));
    ow_schema *schema = *out;
    schema->layout = layout;
    schema->level_order = (ow_level_order)level_order;
    OWI_TRY(owi_json_read_count(top, "rows", SIZE_MAX, &schema->n_rows));
    if (columns != NULL) OWI_TRY(owi_schema_read_columns(top, columns, schema));
    if (columns == NULL) OWI_TRY(owi_schema_read_every_column(top, schema));
    OWI_TRY(read_label(top, schema));
    OWI_TRY(read_carried(top, schema));
    OWI_TRY(owi_schema_read_links(top, schema));
    OWI_TRY(owi_name_file(owi_schema_finish(schema, ""), top->file));
    OWI_TRY(owi_schema_read_linked_values(top, schema));
    return owi_schema_read_relations(top, columns, schema);
}

static ow_status parse(const owi_call *call, const char *text, size_t size,
                       const char *name, ow_schema **out)
{
    json_t *root = NULL;
    ow_schema *schema = NULL;

    if (size > max_file_size)
        return owi_fail(OW_ERR_FORMAT, "%s: %zu bytes, expected at most %d for a schema",
                        name, size, max_file_size);

    ow_status status = owi_json_parse_in(call, text, size, name, &root);
    if (status != OW_OK) goto done;
    const owi_json_fields top = {.file = name, .object = root, .call = call};
    status = read_schema(call->ctx, &top, &schema);
    if (status != OW_OK) goto done;
    status = read_class_counts(&top, schema);
    if (status != OW_OK) goto done;

    *out = schema;
    schema = NULL;

done:
    ow_schema_free(schema);
    json_decref(root);
    return status;
}

ow_status ow_schema_parse(ow_context *ctx, const char *text, size_t size, const char *name,
                          ow_schema **out)
{
    owi_call own;
    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(ctx != NULL && text != NULL && name != NULL);
    OWI_TRY(owi_call_begin(&own, ctx, NULL));
    return parse(&own, text, size, name, out);
}

ow_status ow_schema_load(ow_context *ctx, const char *path, const ow_call *call,
                         ow_schema **out)
{
    owi_call own;
    owi_byte_source *source = NULL;
    char *text = NULL;
    size_t size = 0;

    OWI_REQUIRE(out != NULL);
    *out = NULL;
    OWI_REQUIRE(ctx != NULL && path != NULL);
    OWI_TRY(owi_call_begin(&own, ctx, call));
    ow_status status = owi_byte_source_open(ctx, path, &own, &source);
    if (status == OW_OK)
        status = owi_byte_source_read_all(source, max_file_size, &text, &size);
    if (status == OW_OK)
        status = parse(&own, text, size, owi_byte_source_name(source), out);
    owi_free(ctx, text);
    owi_byte_source_free(source);
    return status;
}
