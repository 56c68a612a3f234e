/* SPDX-License-Identifier: MIT */
/* Rows in and out: CSV, IDX and NPY files, tables in memory, splits, and synthetic
 * sets.
 *
 *     ow_reader *reader = NULL;
 *     double values[100 * 20];
 *     int32_t classes[100];
 *     size_t n = 0;
 *     ow_status st = ow_reader_open(ctx, "rows.csv", NULL, NULL, &reader);
 *     if (st == OW_OK) st = ow_reader_bind(reader, schema, false);
 *     while (st == OW_OK) {
 *         st = ow_reader_next(reader, 100, NULL, values, classes, &n);
 *         if (st != OW_OK || n == 0) break;
 *         ...
 *     }
 *     ow_reader_free(reader);
 *
 * Threads: one thread per reader; tables are read-only once loaded. */
#ifndef OTHERWISE_DATA_H
#define OTHERWISE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otherwise/call.h"
#include "otherwise/context.h"
#include "otherwise/schema.h"
#include "otherwise/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Readers: a file as a stream of rows with named columns ---- */

/* All zero is the default. */
typedef struct {
    size_t size;        /* sizeof(ow_read_options) */
    char delimiter;     /* CSV: ',' ';' '\t' or ' '; 0: found in the file      */
    char decimal;       /* CSV: '.' or ',' before the decimals; 0: found in the file;
                         * a comma only where it does not divide the fields  */
    bool no_header;     /* CSV: the first line is a row; columns are x0, x1, ... */
    size_t skip;        /* CSV: lines to pass over at the start              */
    const char *labels; /* a file with one class label for each row (IDX, NPY, or
                         * text with one a line, perhaps below the word label),
                         * seen as a last column named "label"               */
} ow_read_options;

/* Opens a file; "-" is standard input.  What it is, is told by its first bytes:
 * IDX, NPY, otherwise CSV; each of them may be gzipped.  options may be NULL.
 *
 * The first dimension of an IDX or NPY array counts its rows; their columns are
 * x0, x1, ... with the last index running fastest.  (n, h, w) are images,
 * (n, h, w, c) maps, all others tables.  NaN is a missing value, and an infinity
 * an error.  An array in Fortran order is held in memory, up to 4 GiB. */
OW_API OW_MUST_CHECK ow_status ow_reader_open(ow_context *ctx, const char *path,
                                              const ow_read_options *options,
                                              const ow_call *call, ow_reader **out);

/* The same for a file that is already in memory; name stands for it in errors.
 * The bytes are borrowed and must outlive the reader. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_memory(ow_context *ctx, const void *bytes,
                                                     size_t size, const char *name,
                                                     const ow_read_options *options,
                                                     ow_reader **out);

/* ---- Readers over rows in memory ---- */

/* What the elements of an array are, in the byte order of the machine. */
typedef enum {
    OW_ELEMENT_FLOAT32,
    OW_ELEMENT_FLOAT64,
    OW_ELEMENT_INT32,
    OW_ELEMENT_INT64,
    OW_ELEMENT_UINT8,
    OW_ELEMENT_INT8,
    OW_ELEMENT_INT16,
    OW_ELEMENT_UINT16,
    OW_ELEMENT_UINT32,
    OW_ELEMENT_UINT64,
    OW_ELEMENT_BOOL /* one byte; anything but 0 is 1 */
} ow_element_type;

/* An array in C order, read as an NPY file with these elements would be: the first of rank
 * dimensions counts the rows, (n, columns) is a table with columns x0, x1, ..., (n, h, w)
 * are images, (n, h, w, c) maps.  name stands for it in messages.  The elements are
 * borrowed and must outlive the reader. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_array(ow_context *ctx, ow_element_type type,
                                                    size_t rank, const size_t *shape,
                                                    const void *elements, const char *name,
                                                    ow_reader **out);

/* n_rows rows without any column: add these one by one, below.
 *
 *     ow_reader_open_columns(ctx, n, "applicants", &reader);
 *     ow_reader_add_numbers(reader, "age", OW_ELEMENT_FLOAT64, n, age, 0);
 *     ow_reader_add_texts(reader, "housing", n, housing);
 *     ow_reader_add_texts(reader, "risk", n, risk);
 *     const ow_infer_options options = {.size = sizeof options, .label = "risk"};
 *     ow_schema_infer(reader, &options, NULL, &schema); */
OW_API OW_MUST_CHECK ow_status ow_reader_open_columns(ow_context *ctx, size_t n_rows,
                                                      const char *name, ow_reader **out);

/* One column more, from memory, behind those that the reader has: of
 * ow_reader_open_columns, or labels beside the rows of a file, an array or a stream.
 * n_rows must be the reader's number of rows, which for a file or a stream shows at its end
 * (OW_ERR_FORMAT).  Columns are added before the first row is read and before the reader is
 * bound.  The name is copied; the values are borrowed and must outlive the reader.  A name
 * that the reader has already is OW_ERR_ARGUMENT.
 *
 * Numbers: the values are `stride` bytes apart (0: one behind the other), so that a column
 * of a row-major matrix can be given in place.  NaN is missing, an infinity an error. */
OW_API OW_MUST_CHECK ow_status ow_reader_add_numbers(ow_reader *reader, const char *name,
                                                     ow_element_type type, size_t n_rows,
                                                     const void *values, size_t stride);
/* Texts, each ending in a NUL, in UTF-8.  NULL is a missing value, and so is a text that
 * means one in CSV files: "", "?", "NA", "NaN" and "null". */
OW_API OW_MUST_CHECK ow_status ow_reader_add_texts(ow_reader *reader, const char *name,
                                                   size_t n_rows, const char *const *texts);
/* Texts as codes from 0 to n_levels - 1, numbers as above; a code below 0 or NaN is
 * missing, any other is OW_ERR_FORMAT.  Levels that no row has stay unknown to
 * ow_schema_infer. */
OW_API OW_MUST_CHECK ow_status ow_reader_add_codes(ow_reader *reader, const char *name,
                                                   ow_element_type type, size_t n_rows,
                                                   const void *codes, size_t stride,
                                                   const char *const *levels,
                                                   size_t n_levels);

/* Does nothing for NULL. */
OW_API void ow_reader_free(ow_reader *reader);

OW_API size_t ow_reader_n_columns(const ow_reader *reader);
OW_API const char *ow_reader_column_name(const ow_reader *reader, size_t column);
/* A table, or the shape of one image or map. */
OW_API ow_layout ow_reader_layout(const ow_reader *reader);

/* Back to the first row.  Standard input and other pipes cannot once a row has been
 * read: OW_ERR_IO. */
OW_API OW_MUST_CHECK ow_status ow_reader_rewind(ow_reader *reader);

/* From here on rows of other classes are passed over, as if the file did not have them, and
 * so are rows without label; label names the column (OW_ERR_ARGUMENT with the nearest
 * spelling if there is none).  ow_schema_infer then fails with OW_ERR_ARGUMENT for a class
 * that no row has. */
OW_API OW_MUST_CHECK ow_status ow_reader_keep_classes(ow_reader *reader, const char *label,
                                                      const char *const *classes,
                                                      size_t n_classes);

/* From here on rows come in the columns of the schema, which is borrowed and must
 * outlive the reader.  Columns are found by name, in any order; one that is
 * missing fails with OW_ERR_SCHEMA; extra ones are noted in the log; the label
 * may be absent.
 *
 * A level or class that the schema does not have counts as missing, with one
 * warning for each column; a number outside its range is kept, and so is a
 * fraction where the schema has whole numbers.  strict makes all of these
 * OW_ERR_SCHEMA.  A class with a full stop behind it, as in UCI's adult.test, is
 * taken without. */
OW_API OW_MUST_CHECK ow_status ow_reader_bind(ow_reader *reader, const ow_schema *schema,
                                              bool strict);

/* At most max_rows further rows: values is max_rows x n_columns of the schema,
 * classes has max_rows entries and may be NULL; -1 is a row without label.  n_rows
 * is 0 at the end. */
OW_API OW_MUST_CHECK ow_status ow_reader_next(ow_reader *reader, size_t max_rows,
                                              const ow_call *call, double *values,
                                              int32_t *classes, size_t *n_rows);

/* From here on the texts of this column of the file, which need not be one of the schema,
 * are kept: names of the rows.  Fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_reader_set_id(ow_reader *reader, const char *column);
/* What it held in the i-th of the rows that ow_reader_next gave last; lent until it is
 * called again.  "" without one. */
OW_API const char *ow_reader_id(const ow_reader *reader, size_t row);

/* How much of the file lies before the next row, 0 to 1; NaN where that is not known, as of
 * a pipe. */
OW_API double ow_reader_share(const ow_reader *reader);

/* ---- Tables: rows in memory ---- */

typedef struct ow_table ow_table;

/* A table of rows in the schema's columns and units (schema.h), row-major; classes has a
 * class index for each row, -1 without label, and may be NULL: no row has a label.  All of
 * it is copied.  Fails with OW_ERR_ARGUMENT, naming row and column, for an infinity, for
 * what is no index of a level or class. */
OW_API OW_MUST_CHECK ow_status ow_table_new(ow_context *ctx, const ow_schema *schema,
                                            size_t n_rows, const double *values,
                                            const int32_t *classes, ow_table **out);
/* A reader over the rows of a table, with the names, levels and classes of the schema whose
 * rows these are.  Both are borrowed and must outlive the reader; name stands for the table
 * in messages. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_table(ow_context *ctx, const ow_table *table,
                                                    const ow_schema *schema,
                                                    const char *name, ow_reader **out);
/* All rows of a bound reader, from the first.  Does not need the reader afterwards. */
OW_API OW_MUST_CHECK ow_status ow_table_read(ow_reader *reader, const ow_call *call,
                                             ow_table **out);
OW_API void ow_table_free(ow_table *table);
OW_API size_t ow_table_n_rows(const ow_table *table);
OW_API size_t ow_table_n_columns(const ow_table *table);
/* n_columns values; lent. */
OW_API const double *ow_table_row(const ow_table *table, size_t row);
/* n_rows class indices, -1 without label; lent. */
OW_API const int32_t *ow_table_classes(const ow_table *table);

/* ---- NPY: arrays in and out ---- */

/* Writes an array in C order, rank up to 32, under a temporary name that is
 * renamed at the end: the file is there whole or not at all. */
OW_API OW_MUST_CHECK ow_status ow_npy_write(ow_context *ctx, const char *path,
                                            ow_element_type type, size_t rank,
                                            const size_t *shape, const void *elements);

/* ---- Splits ---- */

/* Marks round(share * n) of the rows as test rows, the same share of every class to
 * within one row; the rest is for training.  classes may hold -1, which counts as a
 * class of its own; NULL: all rows are alike. */
OW_API OW_MUST_CHECK ow_status ow_split_by_share(ow_context *ctx, size_t n_rows,
                                                 const int32_t *classes, double share,
                                                 uint64_t seed, bool *is_test);

/* A split that somebody else has made: a text file with one line a row, whose last
 * field is train or test (or 1 for train, 0 for test, as in CUB's own file). */
OW_API OW_MUST_CHECK ow_status ow_split_by_file(ow_context *ctx, const char *path,
                                                size_t n_rows, bool *is_test);

/* Gives each row one of k folds, 0 to k-1, stratified as above. */
OW_API OW_MUST_CHECK ow_status ow_split_folds(ow_context *ctx, size_t n_rows,
                                              const int32_t *classes, size_t k,
                                              uint64_t seed, int32_t *fold);

/* ---- Synthetic 2-D sets ---- */

typedef enum {
    OW_MOONS, /* two half circles that reach into each other, radius 1       */
    OW_RINGS, /* rings inside each other, radii 1/n_classes, ..., 1          */
    OW_BLOBS  /* one Gaussian cloud for each class, on a circle of radius 1  */
} ow_synthetic_kind;

/* n_rows points (x, y) with their classes, in turn 0, 1, ..., n_classes - 1;
 * noise is the standard deviation added to each coordinate.  Moons have two
 * classes; rings and blobs at least two. */
OW_API OW_MUST_CHECK ow_status ow_synthetic(ow_context *ctx, ow_synthetic_kind kind,
                                            size_t n_rows, size_t n_classes, double noise,
                                            uint64_t seed, double *points,
                                            int32_t *classes);

#ifdef __cplusplus
}
#endif
#endif
