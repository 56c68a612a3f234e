/* SPDX-License-Identifier: MIT */
/* The inside of ow_schema_builder: a list of columns, each with texts of its own.  Links
 * are kept apart, since a column may move or go, and with it its number. */
#ifndef OWI_SCHEMA_BUILDER_PRIVATE_H
#define OWI_SCHEMA_BUILDER_PRIVATE_H

#include "data/schema/schema_private.h"
#include "otherwise/schema_builder.h"

typedef struct {
    size_t n;
    char **items;
} owi_text_list;

typedef struct {
    char *name;
    ow_column column; /* but for name and levels */
    owi_text_list levels;
    owi_value_format format;
    owi_text_list words; /* that stand for missing values */
    size_t link;         /* number in the draft, from 1; 0: none */
} owi_draft_column;

typedef struct {
    size_t n_columns, n_rows;
    double *values; /* n_rows x n_columns; n_columns 0: taken away */
} owi_draft_link;

/* Columns are named, so that they may move. */
typedef struct {
    ow_relation_kind kind;
    char *column, *parent; /* parent: of a table, else NULL */
    char *formula;         /* NULL: a table                 */
    size_t n_rows;
    double *values; /* n_rows x 2 */
    double within[2];
} owi_draft_relation;

struct ow_schema_builder {
    ow_context *ctx;
    size_t n_rows;
    size_t n_columns, capacity;
    owi_draft_column *columns;
    size_t n_links, link_capacity;
    owi_draft_link *links;
    size_t n_relations, relation_capacity;
    owi_draft_relation *relations;
    owi_text_list rules;
    char *label;
    owi_text_list classes;
    size_t *class_counts; /* of the schema that it was copied from; or NULL */
    ow_level_order level_order;
    ow_layout layout;
    owi_text_list carried; /* columns that the model does not see  */
    char *row_id;          /* the one that names rows; NULL: none  */
};

/* Copies of n texts, none of which may be NULL.  On failure the list is empty. */
ow_status owi_draft_copy_texts(ow_context *ctx, size_t n, const char *const *texts,
                               owi_text_list *out);
void owi_draft_free_texts(ow_context *ctx, owi_text_list *list);

/* One column more, of which only the name is there. */
ow_status owi_draft_push_column(ow_schema_builder *builder, const char *name,
                                owi_draft_column **added);
/* Relations and rules of a schema into the draft, of the draft into a schema that is
 * finished, away with those that name a column (NULL: all), and all of them freed. */
ow_status owi_draft_copy_relations(ow_schema_builder *builder, const ow_schema *from);
ow_status owi_draft_build_relations(const ow_schema_builder *builder, ow_schema *schema);
void owi_draft_drop_relations(ow_schema_builder *builder, const char *column);
void owi_draft_free_relations(ow_schema_builder *builder);

/* One link more, which no column has yet. */
ow_status owi_draft_push_link(ow_schema_builder *builder, size_t n_columns, size_t n_rows,
                              const double *values);

#endif
