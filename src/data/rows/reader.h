/* SPDX-License-Identifier: MIT */
/* The inside of ow_reader.  A format knows where rows come from (the bytes of a CSV, IDX or
 * NPY file, an array in memory, an Arrow stream), names its columns and gives one row of
 * cells after the other; what cells mean under a schema is the business of reader.c, which
 * is the same for all of them. */
#ifndef OWI_READER_H
#define OWI_READER_H

#include "base/io/byte_source.h"
#include "data/format/value_format.h"
#include "otherwise/data.h"

/* One entry of a row as the file has it. */
typedef struct {
    const char *text; /* CSV: lent until the next row, not NUL-terminated; NULL: a number */
    size_t length;
    double number; /* where text is NULL; NaN is missing */
} owi_cell;

typedef struct owi_format owi_format;

/* What a format's open must fill in: columns and layout; state is the format's own. */
typedef struct {
    ow_context *ctx;
    owi_byte_source *source; /* what the format reads from; NULL: it needs no bytes */
    const char *name;        /* for messages */
    char *own_name;          /* what name points at where there is no source; or NULL */
    const owi_format *format;
    void *state;
    size_t n_rows; /* if the head of the file tells; 0: not known before the end */
    size_t n_columns;
    char **
        /* owned by the reader; owi_alloc'ed array and texts.  NULL: x0, x1, ... */
        column_names;
    ow_layout layout;
    bool has_bytes;     /* every number is a byte, from 0 to 255, whatever the rows show */
    bool decimal_comma; /* 12,5 is a number */
} owi_rows;

struct owi_format {
    const char *name; /* "CSV" */
    /* Reads the head of the file.  On failure rows->state may be set; close is called.
     * NULL: who made the rows has filled everything in. */
    ow_status (*open)(owi_rows *rows, const ow_read_options *options);
    /* The next row; *at_end instead when there is none.  cells has n_columns entries. */
    ow_status (*next)(owi_rows *rows, owi_cell *cells, bool *at_end);
    /* The source has been rewound: start again at the first row. */
    ow_status (*restart)(owi_rows *rows);
    /* Frees the state. */
    void (*close)(owi_rows *rows);
    /* How much of the file lies before the next row, 0 to 1, NaN: not known.  NULL: told by
     * rows->n_rows. */
    double (*share)(const owi_rows *rows);
    /* Where the row last given stands, for messages: "file.csv:17" or "digits.idx: row
     * 17". */
    void (*place)(const owi_rows *rows, char *text, size_t size);
    /* For formats of which a range of bytes can be read by itself, once the first row has
     * been given; else NULL.  Where the next row begins, in bytes of the source. */
    uint64_t (*at)(const owi_rows *rows);
    /* Reads on from byte `at`, where a row begins (is_row) or from where one is likely to
     * begin next; rows that begin at byte `limit` or behind are not given.  Places of rows
     * are told as if the file began there, */
    ow_status (*go_to)(owi_rows *rows, uint64_t at, bool is_row, uint64_t limit);
    /* until it is said how many lines lie before.  NULL: places have no lines. */
    void (*add_lines)(owi_rows *rows, size_t n);
    /* For formats whose rows are all of one size; else NULL.  The first row that begins at
     * a byte or behind, and where a row begins. */
    size_t (*row_from)(const owi_rows *rows, uint64_t at);
    uint64_t (*byte_of)(const owi_rows *rows, size_t row);
};

extern const owi_format owi_format_csv, owi_format_idx, owi_format_npy;

/* Of a file, by its first bytes. */
ow_status owi_find_format(owi_byte_source *source, const owi_format **format);

/* Closes the format, if there is one, and frees names and source, whether opening worked
 * or not. */
void owi_rows_clear(owi_rows *rows);

/* The reader's raw side, for schema inference: the next row's cells, whatever they mean;
 * lent until the one after.  A label file's labels are the last cell. */
ow_status owi_reader_next_cells(ow_reader *reader, const owi_cell **cells, bool *at_end);
/* Remembers the texts of a column, one for each row given, for ow_reader_id
 * (reader_id.c). */
typedef struct {
    size_t column; /* its place among the cells                              */
    char *text;    /* one behind the other, each with a NUL                  */
    size_t n_text, capacity;
    size_t *start; /* where each begins                                      */
    size_t n_rows, start_capacity;
} owi_id_column;
ow_status owi_reader_note_id(ow_reader *reader, const owi_cell *cells);
/* The same for all columns, for ow_reader_text: column is not used, and a row has n_columns
 * texts. */
ow_status owi_reader_note_texts(ow_reader *reader, const owi_cell *cells);

ow_context *owi_reader_context(const ow_reader *reader);
/* Bytes of files read so far, of the rows and of a label file; for tests. */
uint64_t owi_reader_bytes_read(const ow_reader *reader);
/* The call that reads from now on; NULL: one that nobody hears, and nothing stops.  Every
 * public function that reads sets it and takes it away again. */
void owi_reader_set_call(ow_reader *reader, const owi_call *call);
/* The files that the reader's rows come from, in their order, lent; 0 where they do not
 * come from files alone, as they are: chosen classes, columns from memory. */
size_t owi_reader_files(const ow_reader *reader, char *const **paths);
/* The schema that the reader is bound to, or NULL. */
const ow_schema *owi_reader_schema(const ow_reader *reader);
/* The size of such a file; 0 if it is none that stays as it is, such as a pipe. */
uint64_t owi_reader_file_size(const char *path);
/* One of these files by itself, with the reader's columns and under its schema if it has
 * one, in a context of the caller's choice; *first is where its first row begins, which has
 * to be read before it goes anywhere else.  OW_ERR_FORMAT if no range of it can be read by
 * itself. */
ow_status owi_reader_open_file(const ow_reader *reader, ow_context *ctx, const char *path,
                               ow_reader **out, uint64_t *first);
/* Of such a reader. */
uint64_t owi_reader_at(const ow_reader *reader);
ow_status owi_reader_go_to(ow_reader *reader, uint64_t at, bool is_row, uint64_t limit);
/* Places are told from now on with the lines that lie before byte `at`, from where it has
 * read; these are counted. */
ow_status owi_reader_number_lines(ow_reader *reader, uint64_t at);
/* A tick of that call, for who goes over its rows without reading them. */
ow_status owi_reader_tick(ow_reader *reader);
/* ow_reader_next, as part of that call. */
/* What the cells of a row mean under the schema that the reader is bound to. */
ow_status owi_reader_row_values(ow_reader *reader, const owi_cell *cells, double *values);
ow_status owi_reader_next(ow_reader *reader, size_t max_rows, double *values,
                          int32_t *classes, size_t *n_rows);
/* Fails for a column that is not there, with the nearest spelling. */
ow_status owi_reader_no_column(const ow_reader *reader, ow_status status, const char *name);
/* When all rows have been read: fails, with the nearest spelling, for a class of
 * ow_reader_keep_classes that none had. */
ow_status owi_reader_check_classes(const ow_reader *reader);
/* Whether this has not been told of the reader's rows before; from now on it has.  Rows are
 * often read several times, by inference, tuning and training, and people want to hear
 * things once. */
typedef enum { OWI_NOTE_EXTRA_COLUMNS, OWI_NOTE_UNLABELLED, OWI_N_NOTES } owi_note;
bool owi_reader_tells_first(ow_reader *reader, owi_note note);
/* Whether numbers of the file have decimal commas. */
bool owi_reader_decimal_comma(const ow_reader *reader);
/* Whether every number of the rows (not of a label file) is a byte. */
bool owi_reader_has_bytes(const ow_reader *reader);
/* The file's name, and the place of the row last given (owi_place_size bytes are enough for
 * any but the longest paths). */
enum { owi_place_size = 512 };
const char *owi_reader_name(const ow_reader *reader);
void owi_reader_place(const ow_reader *reader, char *text, size_t size);

/* Whether a cell is missing: empty, ?, NA, NaN, null (the words in any case), or a NaN
 * number. */
bool owi_cell_is_missing(const owi_cell *cell);

/* Whether the cell's text is this word, which is given in lower case, in any case. */
bool owi_cell_is_word(const owi_cell *cell, const char *word);

/* The cell's text; a number is printed into buffer (owi_number_size bytes). */
const char *owi_cell_text(const owi_cell *cell, char *buffer, size_t *length);

/* The cell as a number; false if it is none (missing included).  decimals may be NULL; it
 * is as owi_parse_number counts, for a number without text 0 if it is whole and else -1. */
bool owi_cell_number(const owi_cell *cell, double *number, int *decimals);
/* The same where texts are written in a format. */
bool owi_cell_read(const owi_cell *cell, const owi_value_format *format, double *number,
                   int *decimals);

#endif
