/* SPDX-License-Identifier: MIT */
/* The two halves of ow_reader: rows of cells (reader.c), and what they mean under a schema
 * (reader_bind.c, reader_next.c). */
#ifndef OWI_READER_PRIVATE_H
#define OWI_READER_PRIVATE_H

#include "base/text/string_map.h"
#include "data/array/array.h"
#include "data/rows/reader.h"

/* Where a schema's columns are found in a row of cells. */
typedef struct {
    const ow_schema *schema; /* borrowed; NULL: the reader is not bound        */
    bool strict;
    size_t *cell; /* of each schema column: its place in the row      */
    bool *warned; /* of each schema column: a level was unseen        */
    bool *plain;  /* of each schema column: numbers without a format, a decimal comma,
                   * words for missing values or a range to check     */
    size_t label; /* the label's place; SIZE_MAX: there is none       */
    bool class_warned, full_stop_noted;
} owi_binding;

/* Which classes are kept (reader_classes.c). */
typedef struct {
    size_t column; /* the label's place in the row                     */
    owi_string_map *kept, *others;
    bool *is_met; /* of each kept one: a row had it                   */
} owi_class_filter;
void owi_class_filter_free(ow_context *ctx, owi_class_filter *filter);
/* Whether the row last read is of one of them. */
ow_status owi_reader_keeps(ow_reader *reader, bool *keeps);

/* Opens the rows, whose format is found in the bytes where it is NULL.  Takes what rows
 * holds over, also when it fails.  options may be NULL. */
ow_status owi_reader_open_rows(ow_context *ctx, const owi_rows *rows,
                               const ow_read_options *options, const owi_call *call,
                               ow_reader **out);
/* The same for a file. */
ow_status owi_reader_open_source(ow_context *ctx, owi_byte_source *source,
                                 const ow_read_options *options, const owi_call *call,
                                 ow_reader **out);

/* Remembers the files that were opened, and how (reader_files.c). */
ow_status owi_reader_keep_paths(ow_reader *reader, size_t n, const char *const *paths,
                                const ow_read_options *options);
void owi_reader_free_paths(ow_reader *reader);

/* Fails for the first bytes of a file that is no table in text, with the command that makes
 * one of it (file_kind.c). */
enum { owi_kind_size = 16 };
ow_status owi_check_file_kind(const char *name, const unsigned char *first, size_t n);

/* The column that a label file becomes (reader_labels.c). */
extern const char owi_label_name[];
ow_status owi_reader_open_labels(ow_reader *reader, const char *path);
/* The label of the row just read, which must not end before or after the rows. */
ow_status owi_reader_next_label(ow_reader *reader, bool rows_at_end);
/* How many rows there are in all, by reading on. */
ow_status owi_reader_count_rows(ow_reader *reader, size_t *n);

/* A column of ow_reader_add_numbers, _texts or _codes (reader_columns.c). */
typedef struct {
    char *name;
    size_t n_rows;
    const char *const *texts;    /* the texts, or the levels of the codes; NULL: numbers */
    size_t n_levels;             /* of codes                                             */
    const unsigned char *values; /* numbers or codes, `stride` bytes apart; NULL: texts  */
    size_t stride;
    owi_array_head type; /* what they are; shape is not used                     */
} owi_memory_column;
typedef struct {
    size_t n, capacity;
    owi_memory_column *columns;
} owi_memory_columns;
void owi_memory_columns_clear(ow_context *ctx, owi_memory_columns *memory);
/* Their cells for the row just read; at the end they must end, too. */
ow_status owi_reader_next_of_memory(ow_reader *reader, bool at_end);

struct ow_reader {
    ow_context *ctx;
    const owi_call *call; /* NULL: nobody hears */
    owi_rows rows;
    ow_reader *labels; /* one column more, from a file of its own; or NULL */
    owi_memory_columns memory;
    size_t n_columns; /* all of these                                      */
    const char **names;
    char *made_names; /* x0, x1, ... where the file has none              */
    owi_cell *cells;  /* of the row last given                            */
    size_t n_read;    /* rows since the start, those passed over included */
    size_t n_unheard; /* cells since the call was last asked             */
    bool at_start;
    bool told[OWI_N_NOTES];
    owi_binding binding;
    owi_class_filter *filter; /* NULL: all rows are given */
    char **paths;             /* of its files, where it was opened by them     */
    size_t n_paths;
    ow_read_options options; /* they were opened with; its labels are labels_path */
    char *labels_path;       /* or NULL                                           */
    owi_id_column *id;       /* NULL: no column was named                         */
    bool keeps_texts;
    owi_id_column texts; /* of all columns, if they are kept                       */
};

/* Frees what a binding holds and unbinds. */
void owi_binding_clear(ow_context *ctx, owi_binding *binding);

#endif
