/* SPDX-License-Identifier: MIT */
/* The inside of ow_schema, and how it is put together: by inference and by the JSON
 * reader. */
#ifndef OWI_SCHEMA_PRIVATE_H
#define OWI_SCHEMA_PRIVATE_H

#include "base/text/string_map.h"
#include "data/format/value_format.h"
#include "data/infer/moments.h"
#include "data/schema/schema_relations.h"
#include "otherwise/schema.h"

/* Columns that determine each other. */
typedef struct {
    size_t n_columns;
    size_t *columns; /* ascending                                           */
    size_t n_rows, capacity;
    double *values; /* n_rows x n_columns                                  */
} owi_link;

/* How a column is written. */
typedef struct {
    owi_value_format format;
    char pattern[owi_pattern_size]; /* what columns[j].format lends                   */
    owi_string_map *words;          /* that stand for missing values; NULL: none      */
    size_t rest;                    /* 1 + the level that other texts count as; 0: none */
} owi_writing_style;

struct ow_schema {
    ow_context *ctx;
    size_t n_rows; /* that it was inferred from */
    size_t n_columns;
    ow_column *columns;        /* name and levels point into maps below        */
    owi_string_map *names;     /* column names in order                        */
    owi_string_map **levels;   /* of each column; NULL for numbers             */
    const char ***level_texts; /* what columns[j].levels lends; NULL for numbers */
    char *label;               /* NULL: none                                   */
    owi_string_map *classes;   /* NULL without label                           */
    size_t *class_counts;      /* rows of each class; made by finish, all zero */
    const char **class_texts;  /* the classes' names; made by finish           */
    ow_level_order level_order;
    ow_layout layout;
    size_t n_links; /* numbered from 1; made by finish                         */
    owi_link *links;
    owi_writing_style *styles; /* of each column; NULL: all numbers are plain  */
    owi_string_map *carried;   /* names of columns that the model does not see */
    char *row_id;              /* the one of them that names rows; or NULL     */
    size_t n_relations, relation_capacity; /* parents before those that follow them    */
    owi_dependency *relations;
    size_t n_rules, rule_capacity;
    char **rules; /* texts */
};

static inline bool owi_is_category(ow_column_type type)
{
    return type == OW_TYPE_CATEGORICAL || type == OW_TYPE_ORDINAL;
}

/* Puts a file's name before a sentence about what it holds that does not have it yet. */
ow_status owi_name_file(ow_status status, const char *file);

/* The words of schema files; NULL for a number that is none. */
const char *owi_layout_name(ow_layout_kind kind);
const char *owi_level_order_name(ow_level_order order);
/* By number, NULL at the end. */
extern const char *const owi_scaling_names[], *const owi_level_order_names[];

/* The name of a column whose file names none: x0, x1, ...  Returns its length. */
enum { owi_plain_name_size = 24 };
size_t owi_plain_name(size_t column, char name[owi_plain_name_size]);

/* No more columns than this: a schema file of a few bytes can ask for any number. */
enum { owi_max_columns = 1 << 20 };

/* An empty schema with room for n_columns (more than owi_max_columns: OW_ERR_FORMAT); fill
 * it with the functions below, then finish. */
ow_status owi_schema_new(ow_context *ctx, size_t n_columns, ow_schema **out);

/* The next column's name; columns come in order.  A duplicate fails with OW_ERR_FORMAT.
 * The column starts as a continuous one with the range 0 to 0 and no scaling; change what
 * differs (name, levels and n_levels are not yours to set). */
ow_status owi_schema_add_column(ow_schema *schema, const char *name, size_t length,
                                ow_column **column);
/* A number's range, with the other figures as if its values were spread evenly over it. */
void owi_column_set_range(ow_column *column, double low, double high);
/* A number's mean and deviation and, if its range is from 0 on, those of log(1 + x), from
 * the numbers between low and high. */
void owi_column_set_moments(ow_column *column, double low, double high,
                            const owi_moments *moments, const owi_moments *log_moments);
/* A level of column j, or a class; a duplicate fails with OW_ERR_FORMAT. */
ow_status owi_schema_add_level(ow_schema *schema, size_t column, const char *text,
                               size_t length);
/* The level's index in column j; -1 if it has no such level. */
int32_t owi_schema_level(const ow_schema *schema, size_t column, const char *name);
ow_status owi_schema_set_label(ow_schema *schema, const char *name, size_t length);
ow_status owi_schema_add_class(ow_schema *schema, const char *text, size_t length);

/* How column j is written (schema_writing.c).  A plain format needs not be set. */
ow_status owi_schema_set_format(ow_schema *schema, size_t column,
                                const owi_value_format *format);
ow_status owi_schema_add_missing_word(ow_schema *schema, size_t column, const char *text,
                                      size_t length);
/* Makes a level of column j, which must be there, the one that all other texts count as. */
ow_status owi_schema_set_rest(ow_schema *schema, size_t column, const char *level);
/* Plain where nothing was set. */
const owi_value_format *owi_schema_format(const ow_schema *schema, size_t column);
/* NULL: none. */
const owi_string_map *owi_schema_missing_words(const ow_schema *schema, size_t column);
/* A column that the model does not see; is_id: it names the rows. */
ow_status owi_schema_add_carried(ow_schema *schema, const char *name, size_t length,
                                 bool is_id);
void owi_schema_free_writing(ow_schema *schema);

/* Points columns[].name, .levels and .n_levels at the maps, and checks that all columns are
 * there and consistent (levels for categories, finite low <= high, deviation > 0, ...): the
 * rule broken is named with its column.  prefix goes before the sentence ("file.json:
 * "). */
ow_status owi_schema_finish(ow_schema *schema, const char *prefix);

/* From the columns' link numbers to the links themselves, still without values; then one
 * combination after the other, one value for each column of the link. */
ow_status owi_schema_make_links(ow_schema *schema);
ow_status owi_schema_add_linked(ow_schema *schema, size_t link_number,
                                const double *values);
void owi_schema_free_links(ow_schema *schema);

#endif
