/* SPDX-License-Identifier: MIT */
/* The parts of the CSV reader:
 *
 *     csv_record    bytes in memory -> the fields of one record
 *     csv_stops     where a scan of them has to stop and look
 *     csv_dialect   which delimiter the records are made with
 *     csv_stream    a stream of bytes -> records
 *     csv_start     lines above the header and below it that are no rows
 *     csv_encoding  fields in Windows-1252 -> UTF-8
 *     csv_read      records -> header and rows (owi_format_csv of reader.h)
 *
 * The form is RFC 4180: fields may stand in quotes, and then hold delimiters, line ends and
 * doubled quotes.  Beyond it: lines end in LF, CRLF or CR; spaces around a field are no
 * part of it unless quoted; where the delimiter is the space, several count as one and
 * those at the ends of a line as none; blank lines are passed over.  A quote inside an
 * unquoted field is an ordinary character. */
#ifndef OWI_CSV_H
#define OWI_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "data/rows/reader.h"

/* ---- One record ---- */

typedef struct {
    char delimiter;
    bool ends_field[256]; /* the delimiter, line ends and NUL */
    /* Where the scan stops to look, in fields without quotes and with: those, or quotes
     * and line ends; and at bytes that are no ASCII. */
    bool stops[256], stops_quoted[256];
} owi_csv_dialect;

void owi_csv_dialect_init(owi_csv_dialect *dialect, char delimiter);

typedef struct {
    char *text;
    size_t length;
    bool doubled; /* holds doubled quotes */
} owi_csv_field;

/* Which of the 64 bytes from an address on are stops of the scan (csv_stops.h). */
typedef struct {
    uintptr_t from;  /* the address; 0: nothing is known                 */
    uint64_t places; /* bit i: byte i is a stop                          */
    char mark;       /* a stop beside CR, LF and NUL                     */
    bool high;       /* whether bytes that are not ASCII are stops       */
} owi_csv_window;

/* What a scan found. */
typedef struct {
    owi_csv_field *fields; /* the caller's, with room for capacity               */
    size_t capacity;
    size_t n_fields; /* counted on beyond capacity                         */
    bool blank;      /* a line with nothing but spaces                     */
    bool any_doubled;
    bool any_high;     /* a byte that is no ASCII                            */
    char *next;        /* where the next record begins                       */
    size_t n_lines;    /* line ends passed, the record's own included        */
    bool in_quotes;    /* where it stopped                                   */
    size_t quote_line; /* line ends before the quote last opened             */
    owi_csv_window window, window_quoted; /* what is known of the next bytes */
} owi_csv_record;

/* Must be called before the next scan into a record if bytes behind it have changed, the
 * NUL at their end included. */
static inline void owi_csv_forget_bytes(owi_csv_record *record)
{
    record->window.from = record->window_quoted.from = 0;
}

typedef enum {
    OWI_CSV_RECORD,      /* a whole record                                     */
    OWI_CSV_MORE,        /* the bytes end before it does                       */
    OWI_CSV_UNCLOSED,    /* the file ends inside quotes                        */
    OWI_CSV_AFTER_QUOTE, /* a closing quote is followed by text: next points there */
    OWI_CSV_NUL          /* a NUL byte                                         */
} owi_csv_outcome;

/* Scans the record that starts at begin; *end must be NUL and is not part of it.  ended:
 * the file ends there.  Changes no byte, so that it may be called again with more of them.
 * *record is all zero but for fields and capacity before the first scan. */
owi_csv_outcome owi_csv_scan(const owi_csv_dialect *dialect, char *begin, const char *end,
                             bool ended, owi_csv_record *record);

/* Makes one quote of every doubled one in the fields stored, in place. */
void owi_csv_undouble(owi_csv_record *record);

/* ---- The delimiter ---- */

/* Comma, semicolon, tab, bar or space: the one that cuts the records of a sample into the
 * same number of fields most often.  The space only counts if none of the others fits half
 * of the records; the comma is the answer where nothing fits.  *end must be NUL. */
char owi_csv_find_delimiter(char *begin, const char *end, bool ended);

/* Whether a text is a number with decimals behind this mark: -12,50 */
bool owi_csv_is_decimal(const char *text, size_t length, char mark);

/* "comma" */
const char *owi_csv_delimiter_name(char delimiter);

/* ---- Records out of a stream ---- */

/* Bytes from which the delimiter and the like are found. */
enum { owi_csv_sample_size = 64 * 1024 };

/* How much is read at a time, and how long a record may be. */
typedef struct {
    size_t block, max_record;
} owi_csv_sizes;

/* A window on the file, which begins with the first record not consumed yet:
 *
 *     buffer  | consumed | begin: records ... | part of a record | end: NUL | free      |
 *
 * Its size is one block, or two of the longest record if that is more. */
typedef struct {
    ow_context *ctx;
    owi_byte_source *source; /* borrowed */
    const char *name;        /* borrowed */
    owi_csv_sizes sizes;
    owi_csv_dialect dialect;
    char *buffer;
    size_t capacity, begin, end;
    bool ended;     /* nothing comes after end                        */
    uint64_t taken; /* bytes of the source up to end                      */
    uint64_t limit; /* what lies behind is read only as far as a record needs it; 0: none */
    size_t line;    /* of buffer[begin], from 1                       */
    owi_csv_record record;
    char *decoded; /* the fields of a record that is no UTF-8        */
    size_t decoded_capacity;
    bool told_encoding;
} owi_csv_stream;

/* All zero before the first; source and name must outlive the stream. */
ow_status owi_csv_stream_init(owi_csv_stream *stream, ow_context *ctx,
                              owi_byte_source *source, const char *name,
                              owi_csv_sizes sizes);
void owi_csv_stream_clear(owi_csv_stream *stream);

/* From the source's first byte: passes over a byte order mark and so many lines.  UTF-16,
 * an empty file and one without any further lines fail with OW_ERR_FORMAT. */
ow_status owi_csv_stream_start(owi_csv_stream *stream, size_t n_lines);

/* At least so many bytes from begin on, as far as the file has them. */
ow_status owi_csv_stream_fill(owi_csv_stream *stream, size_t size);
/* Passes over a line as it is, whatever quotes there may be. */
ow_status owi_csv_stream_pass_line(owi_csv_stream *stream);

/* Where the record not consumed yet begins, in bytes of the source. */
uint64_t owi_csv_stream_at(const owi_csv_stream *stream);
/* From byte `at` of the source on, where a record begins, and lines are numbered anew. */
ow_status owi_csv_stream_go_to(owi_csv_stream *stream, uint64_t at);
/* From the first line that begins at byte `at` or behind, which is a record's beginning
 * unless it lies within quotes; lines that end in CR alone are none here. */
ow_status owi_csv_stream_go_to_line(owi_csv_stream *stream, uint64_t at);

/* Looks at the records to come and settles on a delimiter. */
ow_status owi_csv_stream_find_delimiter(owi_csv_stream *stream);

/* Looks at the records to come: ',' where numbers have decimals behind commas and none
 * behind points, else '.'.  Three digits behind every comma are thousands, perhaps, and so
 * are no reason. */
ow_status owi_csv_stream_find_decimal(owi_csv_stream *stream, char *mark);

/* Scans the next record that is not blank into stream->record, storing up to max_fields of
 * its fields (n_fields may be more).  The same one again until it is consumed; the fields
 * stay valid until the next call after that. */
ow_status owi_csv_stream_next(owi_csv_stream *stream, size_t max_fields, bool *at_end);
void owi_csv_stream_consume(owi_csv_stream *stream);

/* Makes UTF-8 of the fields of the record just scanned, if it is none: it is taken for
 * Windows-1252, and the first such line is told of.  The fields stay valid as long. */
ow_status owi_csv_stream_decode(owi_csv_stream *stream);

/* ---- Around the header ---- */

/* A first line "sep=;", which Excel writes and reads, is passed over; *delimiter becomes
 * its mark, or '\0' where there is no such line. */
ow_status owi_csv_stream_pass_separator(owi_csv_stream *stream, char *delimiter);

/* Lines at the start that begin with # are passed over, and told of, unless the last of
 * them has as many fields as the line below it and so is the header.  *n_lines becomes how
 * many. */
ow_status owi_csv_stream_pass_comments(owi_csv_stream *stream, size_t *n_lines);

/* Once the delimiter is settled: where the first records have at most half as many fields
 * as all the others, of which the first holds names, not numbers, the lines of them are
 * passed over, and told of. */
ow_status owi_csv_stream_pass_preamble(owi_csv_stream *stream, size_t *n_lines);

/* Whether the rows below the header just scanned have one field more, as R writes them: the
 * first is the name of the row. */
ow_status owi_csv_stream_has_row_names(owi_csv_stream *stream, bool *has_names);

/* How many of the records to come are the questions and import ids that Qualtrics writes
 * below its header: none, or two. */
ow_status owi_csv_stream_count_below(owi_csv_stream *stream, size_t *n_records);

/* ---- The reader ---- */

/* As owi_format_csv.open with other sizes, for tests. */
ow_status owi_csv_open_with_sizes(owi_rows *rows, const ow_read_options *options,
                                  owi_csv_sizes sizes);

#endif
