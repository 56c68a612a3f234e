/* SPDX-License-Identifier: MIT */
/* Schemas: the columns of a table with their types, levels and ranges, and which of them a
 * counterfactual may change.
 *
 *     ow_reader *reader = NULL;
 *     ow_schema *schema = NULL;
 *     ow_status st = ow_reader_open(ctx, "credit.csv", NULL, NULL, &reader);
 *     const ow_infer_options options = {.size = sizeof(ow_infer_options), .label = "risk"};
 *     if (st == OW_OK) st = ow_schema_infer(reader, &options, NULL, &schema);
 *     if (st == OW_OK) st = ow_schema_save(schema, "credit.schema.json");
 *     ow_schema_free(schema);
 *     ow_reader_free(reader);
 *
 * A schema is inferred from rows, saved as JSON that can be edited by hand, and loaded
 * again.  It does not change once it is made, and may be shared between threads.
 *
 * In memory a row has one double for each column, in the schema's order and in original
 * units: the number itself, or for a category the index of its level; NaN is a missing
 * value. */
#ifndef OTHERWISE_SCHEMA_H
#define OTHERWISE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/context.h"
#include "otherwise/param.h"
#include "otherwise/status.h"
#include "otherwise/team.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_schema ow_schema;
typedef struct ow_reader ow_reader; /* data.h */

typedef enum {
    OW_TYPE_CONTINUOUS,  /* any number                                            */
    OW_TYPE_INTEGER,     /* whole numbers                                         */
    OW_TYPE_CATEGORICAL, /* one of the levels, in no order                        */
    OW_TYPE_ORDINAL      /* one of the levels, which have an order                */
} ow_column_type;

/* How a number is scaled for the circuit (encode.h). */
typedef enum {
    OW_SCALE_NONE,     /* as it is                                           */
    OW_SCALE_MINMAX,   /* (x - low) / (high - low)                           */
    OW_SCALE_STANDARD, /* (x - mean) / deviation                             */
    OW_SCALE_LOG1P     /* log(1 + x), then standard; for numbers >= 0        */
} ow_scaling;

/* In which direction a counterfactual may change a column: any, upwards, downwards. */
typedef enum { OW_MONOTONE_NONE, OW_MONOTONE_UP, OW_MONOTONE_DOWN } ow_monotone;

typedef enum {
    OW_LAYOUT_TABLE, /* columns that have a meaning of their own             */
    OW_LAYOUT_IMAGE, /* height x width pixels                                */
    OW_LAYOUT_MAP    /* height x width x channels, e.g. of a neural network  */
} ow_layout_kind;

/* The shape of a row.  A plain value: its layout never changes within a major.minor
 * version. */
typedef struct {
    ow_layout_kind kind;
    size_t height, width, channels; /* 0 for a table; channels 1 for an image */
} ow_layout;

/* One column.  Owned by the schema and read-only; later versions may append fields.  The
 * figures are those of the rows that the schema was inferred from. */
typedef struct {
    const char *name;
    ow_column_type type;

    size_t n_missing; /* rows without a value                                */

    size_t n_levels;           /* categories only, else 0                    */
    const char *const *levels; /* categories only, else NULL                 */

    double low, high;               /* numbers: smallest and largest           */
    double mean, deviation;         /* numbers; the deviation is never 0       */
    double log_mean, log_deviation; /* of log(1 + x); NaN unless low >= 0      */
    int decimals;                   /* digits after the point; -1: all matter  */
    ow_scaling scaling;             /* OW_SCALE_NONE for categories            */
    bool scaling_fixed; /* the scaling was given; if false, training may use log1p */

    bool immutable;       /* a counterfactual never changes it               */
    ow_monotone monotone; /* it changes upwards or downwards only            */
    size_t link;          /* columns with the same link > 0 change together; 0: no link */

    /* Numbers: how files write them, "EUR 1,234.5", "12.5%" or a date such as "dd.mm.yyyy"
     * (doc/schema.md); NULL: plainly.  Dates are days since 1970-01-01. */
    const char *format;
    /* Categories with many levels: the level that stands for every text that is not itself
     * a level.  No counterfactual changes the column to it.  NULL: there is none. */
    const char *rest;
    /* Its name suggests that people may not be able to change it (years, children, late
     * payments), but not strongly enough to lock it; `otherwise explain` warns of answers
     * that change it. */
    bool doubtful;
} ow_column;

/* How levels and class names are ordered. */
typedef enum { OW_LEVELS_SORTED, OW_LEVELS_BY_APPEARANCE } ow_level_order;

/* How to infer a schema.  All zero (but for size) is the default: without a label.  Columns
 * are given by name; a name that the data do not have fails with OW_ERR_ARGUMENT, and the
 * message has the nearest spelling.  All texts are borrowed. */
typedef struct {
    size_t size;       /* sizeof(ow_infer_options) */
    const char *label; /* name of the column that holds the class; NULL: none */
    ow_level_order level_order;
    ow_scaling scaling;      /* of the numbers in tables; used only if scaling_given */
    bool scaling_given;      /* false: standard (images and maps: minmax) */
    const char *const *drop; /* columns to leave out */
    size_t n_drop;
    /* Ordinal columns: "column", with levels in numeric or sorted order, or
     * "column=low|middle|high". */
    const char *const *ordinal;
    size_t n_ordinal;
    const char *const *categorical; /* columns of numbers that are codes, not amounts */
    size_t n_categorical;
    const char *const *immutable; /* columns that a counterfactual must not change */
    size_t n_immutable;
    bool no_relations;       /* do not look for columns that follow others */
    const char *const *keep; /* columns that are learned though they look like identifiers
                              * or free text; a date among them is not locked */
    size_t n_keep;
    const char *const *missing; /* words that stand for missing values in all columns */
    size_t n_missing;
    /* Makes columns immutable whose names or levels say that nobody can change them (age,
     * sex, origin, marital status, "since", history), and dates.  The log names them. */
    bool lock_found;
    const char *const *unlock; /* columns that it leaves as they are; "all": every one */
    size_t n_unlock;
    const char *const *monotone; /* "column=up" or "column=down" */
    size_t n_monotone;
    /* Processes that read the rows together and get the same schema, that of one alone, as
     * far as the rows are those of text files (team.h); NULL: this one alone.  Borrowed. */
    const ow_team *team;
} ow_infer_options;

/* The options as a table (param.h), with the names of the command line; NULL when index is
 * past the last one. */
OW_API const ow_param *ow_infer_option_get(size_t index);
/* Sets one option from text.  An option that is a list takes any number of values, every
 * other option one:
 *     ow_infer_options_set(&options, "drop", 2, (const char *const[]){"id", "name"})
 * The texts are borrowed until the schema has been inferred.  An unknown name or a value
 * that is not possible fails with OW_ERR_ARGUMENT; the message begins with the name. */
OW_API OW_MUST_CHECK ow_status ow_infer_options_set(ow_infer_options *options,
                                                    const char *name, size_t n_values,
                                                    const char *const *values);

/* Infers a schema: rewinds the reader and reads every row once, in memory that does not
 * grow with the number of rows.  options NULL: the defaults.  Fails with OW_ERR_SCHEMA
 * if the label has fewer than two classes, or if a column has too many different texts
 * for a category (doc/schema.md has the rules).  A column without any value is left out.
 *
 * The log gets warnings about columns that are left out, columns that look like
 * identifiers, number columns that contain a few texts, repeated codes far outside a
 * column's range that may stand for missing values, columns that never vary, and rows
 * without label; and information about columns that were found to be linked,
 * or to follow others (ow_schema_relation). */
OW_API OW_MUST_CHECK ow_status ow_schema_infer(ow_reader *reader,
                                               const ow_infer_options *options,
                                               const ow_call *call, ow_schema **out);

/* Load and save the JSON form (doc/schema.md).  Error messages name file, column and
 * field. */
OW_API OW_MUST_CHECK ow_status ow_schema_load(ow_context *ctx, const char *path,
                                              const ow_call *call, ow_schema **out);
OW_API OW_MUST_CHECK ow_status ow_schema_save(const ow_schema *schema, const char *path);

/* The same from and to memory.  name is used as the file's name in error messages.  The
 * text written is NUL-terminated; the caller frees it with ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_schema_parse(ow_context *ctx, const char *text,
                                               size_t size, const char *name,
                                               ow_schema **out);
OW_API OW_MUST_CHECK ow_status ow_schema_format(const ow_schema *schema, char **text);

/* Does nothing for NULL. */
OW_API void ow_schema_free(ow_schema *schema);

OW_API size_t ow_schema_n_columns(const ow_schema *schema);
OW_API const ow_column *ow_schema_column(const ow_schema *schema, size_t column);
OW_API ow_layout ow_schema_layout(const ow_schema *schema);
/* The number of rows that the schema was inferred from. */
OW_API size_t ow_schema_n_rows(const ow_schema *schema);

/* A link: columns that change together, and the combinations of values that they have in
 * the rows.  A link is either a set of columns that determine each other, so that each
 * value occurs in one combination only, or a category that is spread over columns of 0
 * and 1, of which at most one is 1.  A link that was added by hand has no combinations
 * (n_rows is 0), and its columns cannot change.
 *
 * Links are numbered from 1.  If there is no link of that number, all fields are 0 or
 * NULL.  The arrays are owned by the schema.  A plain value: its layout never changes
 * within a major.minor version. */
typedef struct {
    size_t n_columns;
    const size_t *columns; /* ascending                                     */
    size_t n_rows;         /* number of combinations                        */
    const double *values;  /* n_rows x n_columns                            */
} ow_linked;
OW_API size_t ow_schema_n_links(const ow_schema *schema);
OW_API ow_linked ow_schema_linked(const ow_schema *schema, size_t link);

/* Columns that take no part in the model, since they name rows or are free text
 * (identifiers, e-mail addresses, notes).  They need not be in files that the schema is
 * used with. */
OW_API size_t ow_schema_n_carried(const ow_schema *schema);
OW_API const char *ow_schema_carried(const ow_schema *schema, size_t index);
/* The one of them that names the rows; NULL: none does. */
OW_API const char *ow_schema_row_id(const ow_schema *schema);

/* A relation: a column that follows others, so that a counterfactual which changes them
 * changes it as well, and never changes it alone (doc/schema.md). */
typedef enum {
    OW_RELATION_DERIVED, /* the formula's value, rounded as the column is             */
    OW_RELATION_NEAR,    /* nearly the formula: the query's deviation from it is kept */
    OW_RELATION_FOLLOWS  /* each value of the parent goes with one value              */
} ow_relation_kind;

/* Owned by the schema; later versions may append fields. */
typedef struct {
    ow_relation_kind kind;
    size_t column;
    size_t n_parents;
    const size_t *parents; /* columns that it follows, ascending                 */
    const char *formula;   /* NULL for OW_RELATION_FOLLOWS                       */
    size_t n_rows;         /* OW_RELATION_FOLLOWS, else 0                        */
    const double *values;  /* n_rows x 2: the parent's value, ascending, and the column's */
    /* OW_RELATION_NEAR: from where to where the deviations of ordinary rows lie, which a
     * changed row keeps to: y / formula if within[0] is above 0, y - formula if it is below
     * 0; both 0: not known. */
    double within[2];
} ow_relation;
/* In an order in which a column stands behind those that it follows. */
OW_API size_t ow_schema_n_relations(const ow_schema *schema);
OW_API const ow_relation *ow_schema_relation(const ow_schema *schema, size_t index);
/* Conditions between columns that counterfactuals keep, as text (doc/expressions.md). */
OW_API size_t ow_schema_n_rules(const ow_schema *schema);
OW_API const char *ow_schema_rule(const ow_schema *schema, size_t index);

/* The column's index.  Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_schema_find_column(const ow_schema *schema,
                                                     const char *name, size_t *column);

/* The level's index within its column.  Fails with OW_ERR_ARGUMENT and the nearest
 * spelling; a column of numbers has no levels. */
OW_API OW_MUST_CHECK ow_status ow_schema_find_level(const ow_schema *schema, size_t column,
                                                    const char *name, int32_t *level);

/* Classes have names and are numbered from 0.  OW_NO_CLASS is the class of a row without
 * label, and the result of a search for a class that does not exist.  It is not a valid
 * target, so that such a result is never mistaken for OW_ANY_OTHER_CLASS (explain.h). */
enum { OW_NO_CLASS = -1 };

/* The name of the label column; NULL if there is none. */
OW_API const char *ow_schema_label(const ow_schema *schema);
OW_API size_t ow_schema_n_classes(const ow_schema *schema);
OW_API const char *ow_schema_class_name(const ow_schema *schema, size_t class_index);
/* The number of rows of this class.  Rows without label belong to no class. */
OW_API size_t ow_schema_class_count(const ow_schema *schema, size_t class_index);
/* The class's index.  Fails with OW_ERR_ARGUMENT and the nearest spelling, and sets it to
 * OW_NO_CLASS. */
OW_API OW_MUST_CHECK ow_status ow_schema_find_class(const ow_schema *schema,
                                                    const char *name, int32_t *class_index);

/* Prints a value of a row as files have it: a number with the column's decimals, in its
 * format if it has one, the name of a level, or "" for a missing value.  Writes at most
 * size bytes, including the final NUL, and returns the length of the whole text without
 * it, as snprintf does. */
OW_API size_t ow_schema_print_value(const ow_schema *schema, size_t column, double value,
                                    char *text, size_t size);

/* The value of a text that such a file may have: a level's index, or a number, in the
 * column's format or plainly.  Fails with OW_ERR_ARGUMENT, naming the column. */
OW_API OW_MUST_CHECK ow_status ow_schema_read_value(const ow_schema *schema, size_t column,
                                                    const char *text, double *value);

/* The names used in JSON and on the command line.  NULL for a number that is not in the
 * enumeration. */
OW_API const char *ow_column_type_name(ow_column_type type);
OW_API const char *ow_scaling_name(ow_scaling scaling);
OW_API const char *ow_monotone_name(ow_monotone monotone);

#ifdef __cplusplus
}
#endif
#endif
