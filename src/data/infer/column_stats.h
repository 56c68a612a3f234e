/* SPDX-License-Identifier: MIT */
/* What one column of a file holds: gathered cell by cell, in memory that does not grow with
 * the rows.
 *
 * As long as a column has few different values, they are counted: every figure follows from
 * the counts in the end, a cell costs one look-up, and whether the column is of numbers or
 * of texts can be left open.  A column with many different numbers is then told by its
 * figures alone. */
#ifndef OWI_COLUMN_STATS_H
#define OWI_COLUMN_STATS_H

#include "base/text/string_map.h"
#include "data/format/format_guess.h"
#include "data/infer/extremes.h"
#include "data/infer/moments.h"
#include "data/rows/reader.h"

enum {
    owi_max_levels = 65536,         /* different texts in a column             */
    owi_max_level_bytes = 16 << 20, /* and the memory that they take           */
    owi_max_counted_numbers = 4096, /* different numbers that are counted      */
    owi_max_missing_words = 32,     /* different words among a column's numbers */
    owi_many_levels = 64,           /* from here on rare levels are learned together */
    owi_common_level_rows = 5       /* rows of a level that is learned alone   */
};

/* One of the different values, as its text has it. */
typedef struct {
    double number; /* NaN: it is none */
    int decimals;
    size_t count;
} owi_value;

/* Sums over the numbers that are not counted: as they are, and of log(1 + x). */
typedef struct {
    owi_moment_sums plain, log;
} owi_number_sums;

typedef struct {
    ow_context *ctx;
    const char *name;      /* of the column; lent                              */
    bool is_category;      /* said to be one: numbers count as texts           */
    size_t max_numbers;    /* counted at most                                  */
    owi_string_map *texts; /* of the values, in order of appearance; NULL: not *
                              * counted any more                                 */
    owi_value *values;     /* one for each text                                */
    size_t values_capacity;

    size_t n_present, n_missing;
    size_t n_texts;   /* cells that are no number                         */
    char *first_text; /* the first of them                                */

    bool decimal_comma;      /* the file has them                                */
    owi_value_format format; /* of its numbers; plain until it is settled        */
    bool is_settled;         /* numbers are read in the format from here on      */
    bool has_leading_zero;   /* 01069, and all others are digits, too            */
    bool all_digits;
    owi_string_map *words;   /* among numbers: they stand for missing values     */
    size_t n_stray;          /* cells with words that no list knows              */
    owi_string_map *outside; /* texts of rows that do not count, up to 32; or NULL */
    size_t n_text_bytes;     /* of all cells that are no number                  */
    bool has_too_many;       /* different texts for a category: not counted      */
    bool may_be_carried;     /* too many texts are no error                      */
    bool is_either_way;      /* texts that are dates, dd/mm or mm/dd             */
    bool has_mixed_dates;    /* texts that are dates, in several formats         */
    size_t n_units;          /* of texts that are amounts in several of them     */
    char units[owi_most_units][owi_unit_size];
    size_t n_bare; /* cells without the % that others have             */

    /* Of the numbers; while they are counted, up to date only after finish. */
    bool all_whole; /* and not beyond 2^53, where doubles skip some     */
    int decimals;   /* the most that any has; -1: one has too many      */
    owi_extremes extremes;
    owi_moments moments;
    owi_moments log_moments; /* of log(1 + x) where no number is below 0         */
    owi_number_sums *sums;   /* NULL while all are counted                       */

    bool in_sequence; /* each number is the one before plus 1             */
    double last_number;
} owi_column_stats;

void owi_number_sums_add(owi_number_sums *sums, double number, bool has_log);

/* *most becomes that of both, where -1 is more than any. */
static inline void owi_join_decimals(int *most, int decimals)
{
    if (decimals < 0 || (*most >= 0 && decimals > *most)) *most = decimals;
}

/* All zero is a column that can be cleared. */
void owi_column_stats_begin(owi_column_stats *stats, ow_context *ctx, const char *name,
                            bool is_category, size_t max_numbers);
void owi_column_stats_clear(owi_column_stats *stats);

/* The next row's cell.  *id becomes the value's number in order of appearance, or what
 * linked_columns.h has for cells that have none.  More different texts than a column may
 * have fail with OW_ERR_SCHEMA. */
ow_status owi_column_stats_add(owi_column_stats *stats, const owi_cell *cell, int32_t *id);

/* The same as adding value->count cells of this text one after the other, to a column that
 * counts its values and has some already. */
ow_status owi_column_stats_add_times(owi_column_stats *stats, const char *text,
                                     size_t length, const owi_value *value);

/* The cell of a row that does not count.  A text that turns out to be none of the column's
 * numbers will stand for a missing value. */
ow_status owi_column_stats_add_outside(owi_column_stats *stats, const owi_cell *cell);

/* After the last row: settles the format, and brings the figures up to date. */
ow_status owi_column_stats_finish(owi_column_stats *stats);

/* Finds out whether the values counted so far are numbers in some format, but for words
 * that stand for missing values and, in less than a percent of the cells, others.  If so,
 * the column is one of numbers from here on (column_format.c). */
ow_status owi_column_stats_settle(owi_column_stats *stats);
/* A text among the numbers of a settled column: a missing value, if the words are few. */
ow_status owi_column_stats_add_word(owi_column_stats *stats, const owi_cell *cell);
bool owi_column_stats_has_too_many_words(const owi_column_stats *stats);

/* How many different values; SIZE_MAX: more than were counted. */
size_t owi_column_stats_n_different(const owi_column_stats *stats);
/* Whether all values are numbers, and there is one. */
bool owi_column_stats_is_number(const owi_column_stats *stats);
/* log(n! / (n_1! n_2! ...)) for linked_columns.h; 0 where the values were not counted. */
double owi_column_stats_log_arrangements(const owi_column_stats *stats);

#endif
