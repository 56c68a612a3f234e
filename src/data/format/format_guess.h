/* SPDX-License-Identifier: MIT */
/* In which format are the texts of a column numbers or dates? */
#ifndef OWI_FORMAT_GUESS_H
#define OWI_FORMAT_GUESS_H

#include "data/format/value_format.h"

/* One of the different texts of a column, and how many cells have it. */
typedef struct {
    const char *text;
    size_t length, count;
} owi_written;

/* The format that reads the most cells; where two read as many, the simpler one.  A comma
 * or point with three digits behind it in every number separates thousands if it is the
 * comma, unless decimal_comma, and is the decimal mark if it is the point, unless
 * decimal_comma.  Returns how many cells it reads: 0 if there is no format, also for dates
 * of which day and month cannot be told apart; *format is then one of the two. */
size_t owi_guess_format(size_t n, const owi_written *texts, bool decimal_comma,
                        owi_value_format *format);

/* Adds "<5" and ">500" to a format, where each stands alone in its direction, no number
 * that the format reads lies beyond them, and most cells are such numbers.  Returns how
 * many cells it reads now that it did not read before. */
size_t owi_guess_limits(size_t n, const owi_written *texts, bool decimal_comma,
                        owi_value_format *format);

/* How many cells are dates, each in some format. */
size_t owi_count_dates(size_t n, const owi_written *texts);

/* The units of a column of which nearly all cells are amounts, in two units or more, so
 * that no number can stand for them: up to owi_most_units of them.  Returns how many, 0 if
 * the column is none such. */
enum { owi_most_units = 4 };
size_t owi_find_units(size_t n, const owi_written *texts,
                      char units[owi_most_units][owi_unit_size]);

/* Whether a text is a word that stands for a missing value among numbers: n/a, unknown, -,
 * a point, inf.  rare_only: the word (none) does so only where it is rare. */
bool owi_is_missing_word(const char *text, size_t length, bool *rare_only);

#endif
