/* SPDX-License-Identifier: MIT */
/* What the columns of a table mean: types, levels, ranges, which of them a counterfactual
 * may change.
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
 * A schema is inferred from rows, written as JSON that people edit, and read back.  Once
 * made it is read-only and may be shared by threads.
 *
 * In memory a row is one double per column, in the schema's order and in the original
 * units: a number, the index of a level for categories, NaN where the value is missing. */
#ifndef OTHERWISE_SCHEMA_H
#define OTHERWISE_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/context.h"
#include "otherwise/param.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ow_schema ow_schema;
typedef struct ow_reader ow_reader; /* data.h */

typedef enum {
    OW_CONTINUOUS,  /* any number                                            */
    OW_INTEGER,     /* whole numbers                                         */
    OW_CATEGORICAL, /* one of the levels, in no order                        */
    OW_ORDINAL      /* one of the levels, which stand in their order         */
} ow_column_type;

/* How a number is brought to the circuit's scale (encode.h). */
typedef enum {
    OW_SCALE_NONE,     /* as it is                                           */
    OW_SCALE_MINMAX,   /* (x - low) / (high - low)                           */
    OW_SCALE_STANDARD, /* (x - mean) / deviation                             */
    OW_SCALE_LOG1P     /* log(1 + x), then standard; for numbers >= 0        */
} ow_scaling;

typedef enum { OW_MONOTONE_NONE, OW_MONOTONE_UP, OW_MONOTONE_DOWN } ow_monotone;

typedef enum {
    OW_LAYOUT_TABLE, /* columns of their own meaning                         */
    OW_LAYOUT_IMAGE, /* height x width pixels                                */
    OW_LAYOUT_MAP    /* height x width x channels, e.g. of a neural network  */
} ow_layout_kind;

typedef struct {
    ow_layout_kind kind;
    size_t height, width, channels; /* 0 for a table; channels 1 for an image */
} ow_layout;

/* One column.  Lent by the schema and read-only.  The figures are those of the
 * rows that the schema was inferred from. */
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
    bool scaling_fixed; /* it was asked for; else learning may prefer log1p to standard */

    bool immutable;       /* a counterfactual never changes it               */
    ow_monotone monotone; /* it changes upwards or downwards only            */
    size_t link;          /* columns with the same link > 0 change together; *
                           * 0: none                                         */
} ow_column;

/* How levels and class names are ordered. */
typedef enum { OW_LEVELS_SORTED, OW_LEVELS_BY_APPEARANCE } ow_level_order;

/* What to infer.  All zero is the default but for the label.  Columns are
 * named; a name that the data do not have fails with OW_ERR_ARGUMENT and the
 * nearest spelling. */
typedef struct {
    size_t size;       /* sizeof(ow_infer_options) */
    const char *label; /* column that holds the class; NULL: there is none   */
    ow_level_order level_order;
    ow_scaling scaling;      /* of numbers in tables, if scaling_given;    */
    bool scaling_given;      /* else standard (images and maps: minmax)    */
    const char *const *drop; /* columns to leave out                       */
    size_t n_drop;
    const char *const *ordinal;     /* "column" (levels in numeric or sorted     */
    size_t n_ordinal;               /* order) or "column=low|middle|high"        */
    const char *const *categorical; /* numbers that are codes, not amounts   */
    size_t n_categorical;
    const char *const *immutable;
    size_t n_immutable;
} ow_infer_options;

/* The options as a table (param.h): names as on the command line; NULL past the last one.
 * */
OW_API const ow_param *ow_infer_option_get(size_t index);
/* Sets one of them from text, of which lists take any number and the others one:
 *     ow_infer_set(&options, "drop", 2, (const char *const[]){"id", "name"})
 * Texts are lent by the caller until the schema is there.  A name or value that cannot be
 * fails with OW_ERR_ARGUMENT, and a sentence that begins with the name. */
OW_API OW_MUST_CHECK ow_status ow_infer_set(ow_infer_options *options, const char *name,
                                            size_t n_values, const char *const *values);

/* Reads every row of the reader once (the reader is rewound first), in memory
 * that does not grow with the rows, and notes what it saw; options may be NULL.
 * Fails with OW_ERR_SCHEMA if the label has fewer than two classes, or a column
 * has too many different texts for a category (doc/schema.md has the rules).  A
 * column without a single value is left out.
 *
 * Logs, as warnings: what is left out so, columns that look like identifiers,
 * numbers spoilt by a few texts, repeated codes far outside a column's range that
 * may stand for missing values, columns that never vary, and rows without label;
 * as information: columns found to be linked. */
OW_API OW_MUST_CHECK ow_status ow_schema_infer(ow_reader *reader,
                                               const ow_infer_options *options,
                                               const ow_call *call, ow_schema **out);

/* The JSON form (doc/schema.md).  Errors name file, column and field. */
OW_API OW_MUST_CHECK ow_status ow_schema_load(ow_context *ctx, const char *path,
                                              ow_schema **out);
OW_API OW_MUST_CHECK ow_status ow_schema_save(const ow_schema *schema, const char *path);

/* The same from and to memory.  name stands for the file in errors.  The text
 * written is NUL-terminated and the caller's: give it to ow_bytes_free. */
OW_API OW_MUST_CHECK ow_status ow_schema_parse(ow_context *ctx, const char *text,
                                               size_t size, const char *name,
                                               ow_schema **out);
OW_API OW_MUST_CHECK ow_status ow_schema_format(const ow_schema *schema, char **text);

/* Does nothing for NULL. */
OW_API void ow_schema_free(ow_schema *schema);

OW_API size_t ow_schema_n_columns(const ow_schema *schema);
OW_API const ow_column *ow_schema_column(const ow_schema *schema, size_t column);
OW_API ow_layout ow_schema_layout(const ow_schema *schema);
/* The rows that the schema was inferred from. */
OW_API size_t ow_schema_n_rows(const ow_schema *schema);

/* The columns of a link and the values that they have together in the rows, one combination
 * after the other: columns that determine each other, where each value stands in one
 * combination only, or a category spread over columns of 0 and 1, of which never more than
 * one is 1.  No combinations are known of links that were added by hand: such columns
 * cannot change.  Links are numbered from 1; all zero for a number that is none.  Lent. */
typedef struct {
    size_t n_columns;
    const size_t *columns; /* ascending                                     */
    size_t n_rows;
    const double *values; /* n_rows x n_columns                             */
} ow_linked;
OW_API size_t ow_schema_n_links(const ow_schema *schema);
OW_API ow_linked ow_schema_linked(const ow_schema *schema, size_t link);

/* The column's index.  Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_schema_find_column(const ow_schema *schema,
                                                     const char *name, size_t *column);

/* The level's index within its column.  Fails with OW_ERR_ARGUMENT and the nearest
 * spelling; a column of numbers has no levels. */
OW_API OW_MUST_CHECK ow_status ow_schema_find_level(const ow_schema *schema, size_t column,
                                                    const char *name, int32_t *level);

/* Classes are strings, numbered from 0.  A row without label has this instead, and no
 * function takes it for a wish: a target that was not found is never "any other class",
 * which is OW_ANY_OTHER_CLASS (explain.h). */
enum { OW_NO_CLASS = -1 };

/* The label column's name; NULL when the rows have none. */
OW_API const char *ow_schema_label(const ow_schema *schema);
OW_API size_t ow_schema_n_classes(const ow_schema *schema);
OW_API const char *ow_schema_class_name(const ow_schema *schema, size_t class_index);
/* How many of the rows had this class; rows without label have none. */
OW_API size_t ow_schema_class_count(const ow_schema *schema, size_t class_index);
/* The class's index.  Fails with OW_ERR_ARGUMENT and the nearest spelling, and sets it to
 * OW_NO_CLASS. */
OW_API OW_MUST_CHECK ow_status ow_schema_find_class(const ow_schema *schema,
                                                    const char *name, int32_t *class_index);

/* A value of a row as people read it: the number with the column's own decimals,
 * the level's name, "" where it is missing.  Writes at most size bytes with the
 * final NUL and returns the length that the whole text has, as snprintf does. */
OW_API size_t ow_schema_print_value(const ow_schema *schema, size_t column, double value,
                                    char *text, size_t size);

/* The names used in JSON and on the command line; NULL for a number that is none. */
OW_API const char *ow_column_type_name(ow_column_type type);
OW_API const char *ow_scaling_name(ow_scaling scaling);
OW_API const char *ow_monotone_name(ow_monotone monotone);

#ifdef __cplusplus
}
#endif
#endif
