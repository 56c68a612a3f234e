/* SPDX-License-Identifier: MIT */
/* Reading and writing rows: CSV, IDX and NPY files, arrays and tables in memory, splits
 * into training and test rows, and synthetic data sets.
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
 * Threads: only one thread at a time may use a reader.  Tables are read-only and may be
 * shared between threads. */
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

/* How to read a file.  All zero (but for size) is the default. */
typedef struct {
    size_t size;    /* sizeof(ow_read_options) */
    char delimiter; /* CSV: ',' ';' '\t' or ' '; 0: detected from the file */
    /* CSV: the decimal point, '.' or ','; 0: detected from the file.  A comma is detected
     * only if it is not the delimiter. */
    char decimal;
    bool no_header; /* CSV: the first line is a row; columns are called x0, x1, ... */
    size_t skip;    /* CSV: number of lines to skip at the start */
    /* Path of a file with one class label for each row, which becomes a last column named
     * "label": IDX, NPY, or text with one label in each line, optionally below a line
     * "label".  NULL: none. */
    const char *labels;
} ow_read_options;

/* Opens a file; "-" is standard input.  The format is recognised by the first bytes:
 * IDX, NPY, otherwise CSV; each may be compressed with gzip.  options NULL: the
 * defaults.
 *
 * The first dimension of an IDX or NPY array is the number of rows.  The columns are
 * called x0, x1, ... in C order (the last index varies fastest).  An array of shape (n,
 * h, w) holds images, (n, h, w, c) maps, and any other shape a table.  NaN is a missing
 * value; an infinity is an error.  An array in Fortran order is held in memory, up to 4
 * GiB. */
OW_API OW_MUST_CHECK ow_status ow_reader_open(ow_context *ctx, const char *path,
                                              const ow_read_options *options,
                                              const ow_call *call, ow_reader **out);

/* The same for a file that is in memory.  name is used as its name in error messages.  The
 * bytes are borrowed and must outlive the reader. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_memory(ow_context *ctx, const void *bytes,
                                                     size_t size, const char *name,
                                                     const ow_read_options *options,
                                                     ow_reader **out);

/* Several files as one table, for instance the parts that another program has written: the
 * rows of the first, then those of the second, and so on.  All have the columns of the
 * first, in the same order.  name stands for all of them in messages about the whole;
 * those about a row name its file and line.  Labels in a file of their own are not
 * possible. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_parts(ow_context *ctx, size_t n_paths,
                                                    const char *const *paths,
                                                    const char *name,
                                                    const ow_read_options *options,
                                                    const ow_call *call, ow_reader **out);

/* ---- Readers over rows in memory ---- */

/* The type of an array's elements, in the byte order of the machine. */
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

/* Opens an array in memory, in C order, which is read as an NPY file would be.  shape
 * has rank entries, of which the first is the number of rows: (n, columns) is a table
 * with columns x0, x1, ..., (n, h, w) are images, (n, h, w, c) maps.  name is used as
 * the array's name in messages.  The elements are borrowed and must outlive the reader. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_array(ow_context *ctx, ow_element_type type,
                                                    size_t rank, const size_t *shape,
                                                    const void *elements, const char *name,
                                                    ow_reader **out);

/* Opens a reader of n_rows rows without columns, which are then added one by one with the
 * functions below.
 *     ow_reader_open_columns(ctx, n, "applicants", &reader);
 *     ow_reader_add_numbers(reader, "age", OW_ELEMENT_FLOAT64, n, age, 0);
 *     ow_reader_add_texts(reader, "housing", n, housing);
 *     ow_reader_add_texts(reader, "risk", n, risk);
 *     const ow_infer_options options = {.size = sizeof options, .label = "risk"};
 *     ow_schema_infer(reader, &options, NULL, &schema); */
OW_API OW_MUST_CHECK ow_status ow_reader_open_columns(ow_context *ctx, size_t n_rows,
                                                      const char *name, ow_reader **out);

/* The functions ow_reader_add_... append a column from memory to a reader: one of
 * ow_reader_open_columns, or one of a file, an array or a stream, for instance to add
 * labels.  n_rows must be the reader's number of rows; for a file or a stream this is
 * checked only at its end (OW_ERR_FORMAT).  Columns must be added before the first row
 * is read and before the reader is bound.  The name is copied; the values are borrowed
 * and must outlive the reader.  A name that the reader already has fails with
 * OW_ERR_ARGUMENT.
 *
 * ow_reader_add_numbers: `stride` is the distance in bytes from one value to the next
 * (0: the values are contiguous), so that a column of a row-major matrix can be used in
 * place. NaN is a missing value; an infinity is an error. */
OW_API OW_MUST_CHECK ow_status ow_reader_add_numbers(ow_reader *reader, const char *name,
                                                     ow_element_type type, size_t n_rows,
                                                     const void *values, size_t stride);
/* NUL-terminated texts in UTF-8.  NULL is a missing value, and so are the texts that mean
 * one in CSV files: "", "?", "NA", "NaN" and "null". */
OW_API OW_MUST_CHECK ow_status ow_reader_add_texts(ow_reader *reader, const char *name,
                                                   size_t n_rows, const char *const *texts);
/* Texts given as codes: levels[code] is the text, with codes from 0 to n_levels - 1 of any
 * element type and stride.  A negative code or NaN is a missing value; any other code fails
 * with OW_ERR_FORMAT.  ow_schema_infer does not see levels that no row has. */
OW_API OW_MUST_CHECK ow_status ow_reader_add_codes(ow_reader *reader, const char *name,
                                                   ow_element_type type, size_t n_rows,
                                                   const void *codes, size_t stride,
                                                   const char *const *levels,
                                                   size_t n_levels);

/* Does nothing for NULL. */
OW_API void ow_reader_free(ow_reader *reader);

OW_API size_t ow_reader_n_columns(const ow_reader *reader);
OW_API const char *ow_reader_column_name(const ow_reader *reader, size_t column);
/* Whether the rows are tables, images or maps, and the shape of one image or map. */
OW_API ow_layout ow_reader_layout(const ow_reader *reader);

/* Goes back to the first row.  Fails with OW_ERR_IO for standard input and other pipes if a
 * row has been read. */
OW_API OW_MUST_CHECK ow_status ow_reader_rewind(ow_reader *reader);

/* Keeps only the rows of the given classes: from now on, rows of other classes and rows
 * without label are skipped, as if the file did not have them.  label is the name of the
 * column; if there is none, fails with OW_ERR_ARGUMENT and the nearest spelling.
 * ow_schema_infer fails with OW_ERR_ARGUMENT if no row has one of the given classes. */
OW_API OW_MUST_CHECK ow_status ow_reader_keep_classes(ow_reader *reader, const char *label,
                                                      const char *const *classes,
                                                      size_t n_classes);

/* Binds the reader to a schema: from now on it gives rows in the schema's columns.  The
 * schema is borrowed and must outlive the reader.  Columns are found by name, in any
 * order. A missing column fails with OW_ERR_SCHEMA; additional columns are noted in the
 * log; the label may be absent.
 *
 * A level or class that the schema does not have counts as missing, with one warning for
 * each column.  A number outside the column's range is kept, and so is a fraction in a
 * column of whole numbers.  If strict is true, all of these fail with OW_ERR_SCHEMA.  A
 * full stop after a class name, as in UCI's adult.test, is ignored. */
OW_API OW_MUST_CHECK ow_status ow_reader_bind(ow_reader *reader, const ow_schema *schema,
                                              bool strict);

/* Reads at most max_rows further rows of a bound reader.  values has room for max_rows x
 * schema columns.  classes has room for max_rows entries and may be NULL; a row without
 * label gets OW_NO_CLASS.  *n_rows is the number of rows read, 0 at the end. */
OW_API OW_MUST_CHECK ow_status ow_reader_next(ow_reader *reader, size_t max_rows,
                                              const ow_call *call, double *values,
                                              int32_t *classes, size_t *n_rows);

/* Chooses a column of the file as the names of the rows, for ow_reader_id.  The schema need
 * not have it.  An unknown name fails with OW_ERR_ARGUMENT and the nearest spelling. */
OW_API OW_MUST_CHECK ow_status ow_reader_set_id(ow_reader *reader, const char *column);
/* The name of a row: that column's text in row `row`, from 0, of the last ow_reader_next.
 * Valid until the next call of ow_reader_next.  "" if no column was chosen. */
OW_API const char *ow_reader_id(const ow_reader *reader, size_t row);

/* Keeps the texts of all cells beside the values, as the file has them, for
 * ow_reader_text. */
OW_API void ow_reader_keep_texts(ow_reader *reader);
/* The text of a column of the file in row `row`, from 0, of the last ow_reader_next; valid
 * until the next one.  "" if texts are not kept. */
OW_API const char *ow_reader_text(const ow_reader *reader, size_t row, size_t column);

/* How much of the file has been read, 0 to 1; NaN if that is not known, as for a pipe. */
OW_API double ow_reader_share(const ow_reader *reader);

/* ---- Tables: rows in memory ---- */

typedef struct ow_table ow_table;

/* Makes a table from rows in the schema's form (schema.h): values is n_rows x schema
 * columns, row-major.  classes has the class index of each row, OW_NO_CLASS for a
 * row without label; NULL: no row has a label.  All is copied.  An infinity, or an index
 * that is not a level's or a class's, fails with OW_ERR_ARGUMENT; the message names row and
 * column. */
OW_API OW_MUST_CHECK ow_status ow_table_new(ow_context *ctx, const ow_schema *schema,
                                            size_t n_rows, const double *values,
                                            const int32_t *classes, ow_table **out);
/* Opens a reader of the rows of a table.  schema is the one that the table was made with,
 * and gives the names of columns, levels and classes.  Both are borrowed and must outlive
 * the reader.  name is used as the table's name in messages. */
OW_API OW_MUST_CHECK ow_status ow_reader_open_table(ow_context *ctx, const ow_table *table,
                                                    const ow_schema *schema,
                                                    const char *name, ow_reader **out);
/* Reads all rows of a bound reader, from the first, into a table.  The table does not need
 * the reader afterwards. */
OW_API OW_MUST_CHECK ow_status ow_table_read(ow_reader *reader, const ow_call *call,
                                             ow_table **out);
OW_API void ow_table_free(ow_table *table);
OW_API size_t ow_table_n_rows(const ow_table *table);
OW_API size_t ow_table_n_columns(const ow_table *table);
/* The n_columns values of a row; owned by the table. */
OW_API const double *ow_table_row(const ow_table *table, size_t row);
/* The class indices of all n_rows rows, OW_NO_CLASS for a row without label; owned by the
 * table. */
OW_API const int32_t *ow_table_classes(const ow_table *table);

/* ---- NPY: arrays in and out ---- */

/* Writes an array in C order as an NPY file; rank is at most 32.  The file is written
 * under a temporary name and then renamed, so that it appears complete or not at all. */
OW_API OW_MUST_CHECK ow_status ow_npy_write(ow_context *ctx, const char *path,
                                            ow_element_type type, size_t rank,
                                            const size_t *shape, const void *elements);

/* ---- Splits ---- */

/* Marks round(share * n_rows) rows as test rows (is_test, n_rows entries); the others are
 * training rows.  The split is stratified: every class has the same share of test rows, to
 * within one row.  Rows of OW_NO_CLASS count as a class of their own.  classes NULL: not
 * stratified.  The call's seed decides which rows are drawn. */
OW_API OW_MUST_CHECK ow_status ow_split_by_share(ow_context *ctx, size_t n_rows,
                                                 const int32_t *classes, double share,
                                                 const ow_call *call, bool *is_test);

/* Reads a given split from a text file with one line for each row.  The last field of a
 * line is train or test (or 1 for train, 0 for test, as in the split file of CUB). */
OW_API OW_MUST_CHECK ow_status ow_split_by_file(ow_context *ctx, const char *path,
                                                size_t n_rows, const ow_call *call,
                                                bool *is_test);

/* Assigns each row to one of k folds, 0 to k - 1, stratified as ow_split_by_share. */
OW_API OW_MUST_CHECK ow_status ow_split_folds(ow_context *ctx, size_t n_rows,
                                              const int32_t *classes, size_t k,
                                              const ow_call *call, int32_t *fold);

/* ---- Synthetic 2-D sets: data for examples and tests that need no file ---- */

typedef enum {
    OW_SYNTHETIC_MOONS, /* two interleaved half circles of radius 1                    */
    OW_SYNTHETIC_RINGS, /* concentric rings of radii 1/n_classes, ..., 1               */
    OW_SYNTHETIC_BLOBS  /* one Gaussian cloud for each class, on a circle of radius 1  */
} ow_synthetic_kind;

/* Generates n_rows points (points, n_rows x 2) and their classes, which are 0, 1, ...,
 * n_classes - 1 in turn.  noise is the standard deviation of the Gaussian noise that is
 * added to each coordinate.  Moons have two classes; rings and blobs at least two. */
OW_API OW_MUST_CHECK ow_status ow_synthetic_make(ow_context *ctx, ow_synthetic_kind kind,
                                                 size_t n_rows, size_t n_classes,
                                                 double noise, uint64_t seed,
                                                 double *points, int32_t *classes);

#ifdef __cplusplus
}
#endif
#endif
