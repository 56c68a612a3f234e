/* SPDX-License-Identifier: MIT */
/* A draft begun, and made a schema.  Nothing is checked but what would make a call
 * meaningless; the rest is owi_schema_finish's. */
#include "data/schema/schema_builder_private.h"

#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/schema/schema_copy.h"

/* ---- Texts ---- */

void owi_draft_free_texts(ow_context *ctx, owi_text_list *list)
{
    for (size_t k = 0; k < list->n; k++) owi_free(ctx, list->items[k]);
    owi_free(ctx, list->items);
    *list = (owi_text_list){0};
}

ow_status owi_draft_copy_texts(ow_context *ctx, size_t n, const char *const *texts,
                               owi_text_list *out)
{
    *out = (owi_text_list){0};
    OWI_REQUIRE(texts != NULL || n == 0);
    for (size_t k = 0; k < n; k++) OWI_REQUIRE(texts[k] != NULL);
    owi_text_list list = {.items = owi_alloc_array(ctx, n, sizeof *list.items)};
    if (list.items == NULL) return OW_ERR_MEMORY;
    for (; list.n < n; list.n++) {
        list.items[list.n] = owi_copy_text(ctx, texts[list.n], strlen(texts[list.n]));
        if (list.items[list.n] != NULL) continue;
        owi_draft_free_texts(ctx, &list);
        return OW_ERR_MEMORY;
    }
    *out = list;
    return OW_OK;
}

/* ---- The builder ---- */

void ow_schema_builder_free(ow_schema_builder *builder)
{
    if (builder == NULL) return;
    ow_context *ctx = builder->ctx;
    for (size_t j = 0; j < builder->n_columns; j++) {
        owi_free(ctx, builder->columns[j].name);
        owi_draft_free_texts(ctx, &builder->columns[j].levels);
        owi_draft_free_texts(ctx, &builder->columns[j].words);
    }
    owi_draft_free_texts(ctx, &builder->carried);
    owi_free(ctx, builder->row_id);
    for (size_t i = 0; i < builder->n_links; i++) owi_free(ctx, builder->links[i].values);
    owi_draft_free_relations(builder);
    owi_free(ctx, builder->columns);
    owi_free(ctx, builder->links);
    owi_free(ctx, builder->label);
    owi_draft_free_texts(ctx, &builder->classes);
    owi_free(ctx, builder->class_counts);
    owi_free(ctx, builder);
}

/* Room for one column more, with its name. */
ow_status owi_draft_push_column(ow_schema_builder *builder, const char *name,
                                owi_draft_column **added)
{
    OWI_TRY(owi_grow(builder->ctx, &builder->columns, &builder->capacity,
                     builder->n_columns + 1, sizeof *builder->columns));
    owi_draft_column *column = &builder->columns[builder->n_columns];
    *column = (owi_draft_column){.name = owi_copy_text(builder->ctx, name, strlen(name))};
    if (column->name == NULL) return OW_ERR_MEMORY;
    builder->n_columns++;
    *added = column;
    return OW_OK;
}

/* The texts of a map, which may be NULL. */
static ow_status copy_map(ow_context *ctx, const owi_string_map *map, owi_text_list *out)
{
    const size_t n = map != NULL ? owi_string_map_count(map) : 0;
    owi_text_list list = {.items = owi_alloc_array(ctx, n, sizeof *list.items)};
    *out = (owi_text_list){0};
    if (list.items == NULL) return OW_ERR_MEMORY;
    for (; list.n < n; list.n++) {
        size_t length;
        const char *text = owi_string_map_text(map, list.n, &length);
        list.items[list.n] = owi_copy_text(ctx, text, length);
        if (list.items[list.n] != NULL) continue;
        owi_draft_free_texts(ctx, &list);
        return OW_ERR_MEMORY;
    }
    *out = list;
    return OW_OK;
}

static ow_status copy_columns(ow_schema_builder *builder, const ow_schema *from)
{
    for (size_t j = 0; j < from->n_columns; j++) {
        const ow_column *column = &from->columns[j];
        owi_draft_column *added;
        OWI_TRY(owi_draft_push_column(builder, column->name, &added));
        added->column = *column;
        added->column.format = NULL;
        added->format = *owi_schema_format(from, j);
        OWI_TRY(copy_map(builder->ctx, owi_schema_missing_words(from, j), &added->words));
        added->link = column->link;
        OWI_TRY(owi_draft_copy_texts(builder->ctx, column->n_levels, column->levels,
                                     &added->levels));
    }
    return OW_OK;
}

ow_status owi_draft_push_link(ow_schema_builder *builder, size_t n_columns, size_t n_rows,
                              const double *values)
{
    OWI_TRY(owi_grow(builder->ctx, &builder->links, &builder->link_capacity,
                     builder->n_links + 1, sizeof *builder->links));
    owi_draft_link link = {.n_columns = n_columns, .n_rows = n_rows};
    link.values = owi_alloc_array(builder->ctx, n_rows, n_columns * sizeof *values);
    if (link.values == NULL) return OW_ERR_MEMORY;
    if (n_rows > 0) memcpy(link.values, values, n_rows * n_columns * sizeof *values);
    builder->links[builder->n_links++] = link;
    return OW_OK;
}

static ow_status copy_schema(ow_schema_builder *builder, const ow_schema *from)
{
    const size_t C = ow_schema_n_classes(from);
    OWI_TRY(copy_columns(builder, from));
    for (size_t i = 0; i < from->n_links; i++)
        OWI_TRY(owi_draft_push_link(builder, from->links[i].n_columns,
                                    from->links[i].n_rows, from->links[i].values));
    OWI_TRY(owi_draft_copy_relations(builder, from));
    builder->n_rows = from->n_rows;
    builder->level_order = from->level_order;
    builder->layout = from->layout;
    OWI_TRY(copy_map(builder->ctx, from->carried, &builder->carried));
    if (from->row_id != NULL) {
        builder->row_id = owi_copy_text(builder->ctx, from->row_id, strlen(from->row_id));
        if (builder->row_id == NULL) return OW_ERR_MEMORY;
    }
    if (from->label == NULL) return OW_OK;
    OWI_TRY(ow_schema_builder_set_label(builder, from->label, C, from->class_texts));
    builder->class_counts = owi_alloc_array(builder->ctx, C, sizeof *builder->class_counts);
    if (builder->class_counts == NULL) return OW_ERR_MEMORY;
    memcpy(builder->class_counts, from->class_counts, C * sizeof *builder->class_counts);
    return OW_OK;
}

ow_status ow_schema_builder_new(ow_context *ctx, const ow_schema *from,
                                ow_schema_builder **out)
{
    OWI_REQUIRE(ctx != NULL && out != NULL);
    *out = NULL;
    ow_schema_builder *builder = owi_alloc_zeroed(ctx, sizeof *builder);
    if (builder == NULL) return OW_ERR_MEMORY;
    builder->ctx = ctx;
    builder->level_order = OW_LEVELS_BY_APPEARANCE;
    const ow_status status = from != NULL ? copy_schema(builder, from) : OW_OK;
    if (status == OW_OK)
        *out = builder;
    else
        ow_schema_builder_free(builder);
    return status;
}

/* ---- Building ---- */

static ow_status build_column(const owi_draft_column *draft, size_t j, size_t link,
                              ow_schema *schema)
{
    ow_column *column;
    OWI_TRY(owi_schema_add_column(schema, draft->name, strlen(draft->name), &column));
    const char *name = column->name;
    *column = draft->column;
    column->name = name;
    column->levels = NULL; /* finish lends them */
    column->n_levels = 0;
    column->link = link;
    for (size_t k = 0; k < draft->levels.n; k++)
        OWI_TRY(owi_schema_add_level(schema, j, draft->levels.items[k],
                                     strlen(draft->levels.items[k])));
    for (size_t k = 0; k < draft->words.n; k++)
        OWI_TRY(owi_schema_add_missing_word(schema, j, draft->words.items[k],
                                            strlen(draft->words.items[k])));
    const char *rest = column->rest;
    column->rest = NULL;
    if (rest != NULL && owi_is_category(column->type) &&
        owi_schema_level(schema, j, rest) >= 0)
        OWI_TRY(owi_schema_set_rest(schema, j, rest));
    column->format = NULL;
    if (!owi_is_category(column->type))
        OWI_TRY(owi_schema_set_format(schema, j, &draft->format));
    return OW_OK;
}

/* Links that are left, numbered by their first column, as inference and files do. */
static void number_links(const ow_schema_builder *builder, size_t *number)
{
    size_t n = 0;
    for (size_t j = 0; j < builder->n_columns; j++) {
        const size_t link = builder->columns[j].link;
        if (link > 0 && number[link - 1] == 0) number[link - 1] = ++n;
    }
}

static ow_status fill(const ow_schema_builder *builder, const size_t *number,
                      ow_schema *schema)
{
    schema->n_rows = builder->n_rows;
    schema->level_order = builder->level_order;
    schema->layout = builder->layout;
    for (size_t j = 0; j < builder->n_columns; j++) {
        const owi_draft_column *draft = &builder->columns[j];
        OWI_TRY(
            build_column(draft, j, draft->link > 0 ? number[draft->link - 1] : 0, schema));
    }
    for (size_t i = 0; i < builder->carried.n; i++) {
        const char *name = builder->carried.items[i];
        OWI_TRY(owi_schema_add_carried(schema, name, strlen(name),
                                       builder->row_id != NULL &&
                                           strcmp(name, builder->row_id) == 0));
    }
    if (builder->label != NULL)
        OWI_TRY(owi_schema_set_label(schema, builder->label, strlen(builder->label)));
    for (size_t c = 0; c < builder->classes.n; c++)
        OWI_TRY(owi_schema_add_class(schema, builder->classes.items[c],
                                     strlen(builder->classes.items[c])));
    OWI_TRY(owi_schema_finish(schema, ""));
    if (builder->class_counts != NULL)
        memcpy(schema->class_counts, builder->class_counts,
               builder->classes.n * sizeof *schema->class_counts);
    for (size_t i = 0; i < builder->n_links; i++) {
        const owi_draft_link *link = &builder->links[i];
        for (size_t r = 0; r < link->n_rows && number[i] > 0; r++)
            OWI_TRY(owi_schema_add_linked(schema, number[i],
                                          link->values + r * link->n_columns));
    }
    return owi_draft_build_relations(builder, schema);
}

ow_status ow_schema_builder_build(const ow_schema_builder *builder, ow_schema **out)
{
    OWI_REQUIRE(builder != NULL && out != NULL);
    *out = NULL;
    ow_schema *schema = NULL;
    size_t *number = owi_alloc_array(builder->ctx, builder->n_links, sizeof *number);
    if (number == NULL) return OW_ERR_MEMORY;
    number_links(builder, number);
    ow_status status = owi_schema_new(builder->ctx, builder->n_columns, &schema);
    if (status == OW_OK) status = fill(builder, number, schema);
    owi_free(builder->ctx, number);
    if (status == OW_OK)
        *out = schema;
    else
        ow_schema_free(schema);
    return status;
}

ow_status owi_schema_copy(ow_context *ctx, const ow_schema *schema, ow_schema **out)
{
    ow_schema_builder *builder;
    *out = NULL;
    OWI_TRY(ow_schema_builder_new(ctx, schema, &builder));
    const ow_status status = ow_schema_builder_build(builder, out);
    ow_schema_builder_free(builder);
    return status;
}
