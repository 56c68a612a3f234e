/* SPDX-License-Identifier: MIT */
/* How the values of a number column are written in a file, where plain numbers are not all:
 *
 *     EUR 1,234.5    a currency sign or code, before or behind; thousands; a decimal mark
 *     12,34,567.5    thousands, then hundreds of what is above, as in India
 *     12.5%          a percent sign: the number is 12.5
 *     36 months      a unit of measure
 *     (1,234.5)      negative numbers in parentheses; 1,234.5- has the minus behind
 *     dd.mm.yyyy     a date, counted in days since 1970-01-01; dd.mm.yy is one of 1969 to
 *                    2068
 *     yyyy-mm-dd HH:MM:SS
 *     dd-Mon-yyyy    names of months: Mon, MON, Month, or German Monat
 *     yyyymmdd       eight digits, a date of 1900 to 2100, or yyyymmddHHMMSS
 *     yyyy-mm        the first day of the month, in the same years
 *     H:MM AM        hours of half a day; am where letters are small
 *     <5 or 1234.5 or >500   what is beyond a limit of measurement (limits.c)
 *
 * A column has one format.  Its pattern, as above, is what schema files hold; a value that
 * was read in a format is printed in it. */
#ifndef OWI_VALUE_FORMAT_H
#define OWI_VALUE_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text/number.h"

typedef enum {
    OWI_PLAIN,  /* as owi_parse_number reads it */
    OWI_NUMBER, /* with marks and units         */
    OWI_DATE    /* a date, perhaps with a time  */
} owi_writing;

typedef enum {
    OWI_MINUS_FIRST,      /* -$5                                      */
    OWI_MINUS_AFTER_UNIT, /* $-5                                      */
    OWI_MINUS_LAST,       /* 5-                                       */
    OWI_PARENTHESES       /* ($5)                                     */
} owi_negative;

enum { owi_unit_size = 8, owi_layout_size = 48, owi_group_size = 4, owi_pattern_size = 64 };
enum { owi_limit_size = 12 };

/* What a text such as "<5" stands for. */
typedef struct {
    char text[owi_limit_size]; /* "" for none                        */
    double limit, value;       /* 5, and the number beyond it: 4     */
    int decimals;              /* of the limit                       */
} owi_limit;

typedef struct {
    owi_writing writing;

    /* Numbers. */
    char decimal;               /* '.' or ','                                   */
    char group[owi_group_size]; /* between thousands, UTF-8; "" for none         */
    bool by_hundreds;           /* 12,34,567: from thousands on by two digits   */
    char unit[owi_unit_size];   /* "" for none                                  */
    bool unit_first, unit_gap;  /* before the number; with a blank between      */
    owi_negative negative;
    owi_limit below, above; /* "<5", ">500"                                 */

    /* Dates. */
    char layout[owi_layout_size]; /* the pattern: "dd.mm.yyyy HH:MM" */
} owi_value_format;

/* The value of a whole text; false if it is none of this format.  A number may lack the
 * unit and the marks of thousands, and its minus may stand wherever one may.  decimals as
 * owi_parse_number has it, 0 for dates and -1 for times. */
bool owi_value_read(const owi_value_format *format, const char *text, size_t length,
                    double *value, int *decimals);

/* Prints a value as the column writes it; decimals as owi_print_fixed takes it.  Returns
 * the length. */
enum { owi_value_size = owi_fixed_size + owi_fixed_size / 3 * owi_group_size + 64 };
size_t owi_value_print(const owi_value_format *format, double value, int decimals,
                       char text[owi_value_size]);

/* The pattern of a format that is not plain, and back; false for a text that is none. */
void owi_pattern_print(const owi_value_format *format, char text[owi_pattern_size]);
bool owi_pattern_read(const char *text, owi_value_format *format);

/* ---- The parts ---- */

/* A text such as "<5" becomes the format's; false if it is none, or none of its numbers. */
bool owi_format_set_limit(owi_value_format *format, const char *text, size_t length);
/* Whether a text is one of the format's limits, and the number that it stands for. */
bool owi_limit_read(const owi_value_format *format, const char *text, size_t length,
                    double *value, int *decimals);
/* "<5" for a number below 5; NULL for one within the limits. */
const char *owi_limit_text(const owi_value_format *format, double value);

bool owi_amount_read(const owi_value_format *format, const char *text, size_t length,
                     double *value, int *decimals);
size_t owi_amount_print(const owi_value_format *format, double value, int decimals,
                        char text[owi_value_size]);
bool owi_date_read(const owi_value_format *format, const char *text, size_t length,
                   double *value);
size_t owi_date_print(const owi_value_format *format, double value,
                      char text[owi_value_size]);

/* Layout i of a date without a time, padded ones before others; false: there is none any
 * more. */
bool owi_date_layout(size_t i, char layout[owi_layout_size]);
/* How many bytes at the beginning of a text are a date in a layout: 0 if there is none. */
size_t owi_date_begin(const char *layout, const char *text, size_t length, double *value);
/* Whether this is a zone behind a time, or nothing: "Z", "+01:00", " UTC". */
bool owi_is_zone(const char *text, size_t length);
bool owi_has_time(const owi_value_format *format);

/* The mark between thousands, or before decimals, that a text begins with: its length, 0 if
 * there is none. */
size_t owi_mark_length(const char *text, const char *end);

/* The currency sign, currency code or percent sign that a text begins or ends with, or the
 * unit of measure that it ends with: its length, 0 if there is none. */
size_t owi_unit_at_start(const char *text, size_t length);
size_t owi_unit_at_end(const char *text, size_t length);

#endif
