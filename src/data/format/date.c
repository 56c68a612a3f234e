/* SPDX-License-Identifier: MIT */
/* Dates and times as numbers: days since 1970-01-01, a time being a part of a day. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "data/format/value_format.h"

enum { seconds_of_day = 86400, most_exact_days = 32768 };

typedef struct {
    int year, month, day;
} civil;

/* Days since 1970-01-01 in the Gregorian calendar.  Years begin in March here, so that the
 * day that some have more is the last of them; 146097 days are 400 years. */
static int64_t days_of(civil c)
{
    const int64_t year = (int64_t)c.year - (c.month <= 2);
    const int64_t era = (year >= 0 ? year : year - 399) / 400;
    const int64_t of_era = year - era * 400;
    const int64_t of_year = (153 * (c.month + (c.month > 2 ? -3 : 9)) + 2) / 5 + c.day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static civil date_of(int64_t days)
{
    const int64_t shifted = days + 719468;
    const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    const int64_t of_era = shifted - era * 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    const int64_t month = (5 * of_year + 2) / 153;
    const int day = (int)(of_year - (153 * month + 2) / 5 + 1);
    const int calendar_month = (int)(month < 10 ? month + 3 : month - 9);
    return (civil){(int)(year + era * 400) + (calendar_month <= 2), calendar_month, day};
}

static bool is_date(civil c)
{
    static const int most[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (c.year < 1 || c.year > 9999 || c.month < 1 || c.month > 12 || c.day < 1)
        return false;
    const bool is_leap = c.year % 4 == 0 && (c.year % 100 != 0 || c.year % 400 == 0);
    return c.day <= most[c.month - 1] + (is_leap && c.month == 2);
}

/* ---- Layouts ---- */

static const char *const month_names[][12] = {
    {"January", "February", "March", "April", "May", "June", "July", "August", "September",
     "October", "November", "December"},
    {"Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September",
     "Oktober", "November", "Dezember"},
    {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
    {"JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"}};

/* The parts that layouts are made of, longer ones before their beginnings; everything else
 * in a layout stands for itself. */
typedef enum { YEAR, SHORT_YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, FRACTION, HALF } part;
typedef struct {
    const char *word;
    part part;
    int least, most; /* digits */
    int names;       /* months: which of month_names, -1 for digits */
} layout_word;

static const layout_word layout_words[] = {
    {"yyyy", YEAR, 4, 4, -1},  {"yy", SHORT_YEAR, 2, 2, -1}, {"Month", MONTH, 0, 0, 0},
    {"Monat", MONTH, 0, 0, 1}, {"Mon", MONTH, 0, 0, 2},      {"MON", MONTH, 0, 0, 3},
    {"mm", MONTH, 2, 2, -1},   {"m", MONTH, 1, 2, -1},       {"dd", DAY, 2, 2, -1},
    {"d", DAY, 1, 2, -1},      {"HH", HOUR, 2, 2, -1},       {"H", HOUR, 1, 2, -1},
    {"MM", MINUTE, 2, 2, -1},  {"SS", SECOND, 2, 2, -1},     {"AM", HALF, 0, 0, -1},
    {"am", HALF, 0, 0, -1},    {"f", FRACTION, 1, 1, -1}};
enum { n_layout_words = sizeof layout_words / sizeof *layout_words };

static const layout_word *word_at(const char *layout)
{
    for (size_t i = 0; i < n_layout_words; i++) {
        const char *word = layout_words[i].word;
        if (strncmp(layout, word, strlen(word)) == 0) return &layout_words[i];
    }
    return NULL;
}

/* Dates of digits: ? is the separator.  Then those with names of months, for %. */
static const char *const digit_forms[] = {"yyyy?mm?dd", "dd?mm?yyyy", "mm?dd?yyyy",
                                          "yyyy?m?d",   "d?m?yyyy",   "m?d?yyyy",
                                          "dd?mm?yy",   "mm?dd?yy",   "d?m?yy",
                                          "m?d?yy",     "yyyy?mm",    "mm?yyyy"};
static const char *const name_forms[] = {
    "dd-%-yyyy", "d-%-yyyy",   "dd % yyyy", "d % yyyy",   "dd/%/yyyy",
    "d/%/yyyy",  "dd. % yyyy", "d. % yyyy", "% dd, yyyy", "% d, yyyy",
    "yyyy-%-dd", "dd%yyyy",    "dd-%-yy",   "d-%-yy",     "dd % yy",
    "d % yy",    "% yyyy",     "%-yyyy",    "%-yy"};
static const char *const bare_forms[] = {"yyyymmdd", "yyyymmddHHMMSS"};
static const char separators[] = "-./";
static const char *const month_words[] = {"Mon", "MON", "Month", "Monat"};
enum {
    n_digit_forms = sizeof digit_forms / sizeof *digit_forms,
    n_name_forms = sizeof name_forms / sizeof *name_forms,
    n_bare_forms = sizeof bare_forms / sizeof *bare_forms,
    n_separators = sizeof separators - 1,
    n_month_words = sizeof month_words / sizeof *month_words,
    n_with_digits = n_digit_forms * n_separators
};

bool owi_date_layout(size_t i, char layout[owi_layout_size])
{
    if (i >= n_with_digits + n_bare_forms + n_name_forms * n_month_words) return false;
    const bool of_digits = i < n_with_digits;
    if (!of_digits && i < n_with_digits + n_bare_forms) {
        const char *bare = bare_forms[i - n_with_digits];
        memcpy(layout, bare, strlen(bare) + 1);
        return true;
    }
    const size_t k = of_digits ? i : i - n_with_digits - n_bare_forms;
    const char separator[] = {separators[k % n_separators], '\0'};
    const char *form =
        of_digits ? digit_forms[k / n_separators] : name_forms[k / n_month_words];
    const char *filled = of_digits ? separator : month_words[k % n_month_words];
    size_t n = 0;
    for (; *form != '\0'; form++) {
        const bool is_gap = *form == '?' || *form == '%';
        const size_t length = is_gap ? strlen(filled) : 1;
        memcpy(layout + n, is_gap ? filled : form, length);
        n += length;
    }
    layout[n] = '\0';
    return true;
}

bool owi_has_time(const owi_value_format *format)
{
    return strchr(format->layout, 'H') != NULL;
}

/* How many digits of a second a layout has. */
static int count_fraction(const char *layout)
{
    const char *first = strchr(layout, 'f');
    return first != NULL ? (int)strspn(first, "f") : 0;
}

/* ---- Reading ---- */

typedef struct {
    const char *at, *end;
} rest;

/* So many digits at least and at most; -1 if they are not there. */
static int take_number(rest *r, int least, int most)
{
    int n = 0, number = 0;
    while (r->at < r->end && n < most && *r->at >= '0' && *r->at <= '9') {
        number = number * 10 + (*r->at++ - '0');
        n++;
    }
    return n >= least ? number : -1;
}

static bool take(rest *r, const char *text, size_t n)
{
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, text, n) != 0) return false;
    r->at += n;
    return true;
}

/* The longest name that the text begins with: no name begins another of its list. */
static int take_month(rest *r, int names)
{
    for (int i = 0; i < 12; i++)
        if (take(r, month_names[names][i], strlen(month_names[names][i]))) return i + 1;
    return -1;
}

/* 0 for AM, 12 for PM. */
static int take_half(rest *r, bool is_capital)
{
    if (take(r, is_capital ? "AM" : "am", 2)) return 0;
    return take(r, is_capital ? "PM" : "pm", 2) ? 12 : -1;
}

/* The numbers of all parts of the layout at the beginning of a text, -1 for parts that the
 * layout lacks. */
static bool take_parts(rest *r, const char *layout, int parts[HALF + 1])
{
    for (int i = 0; i <= HALF; i++) parts[i] = -1;
    while (*layout != '\0') {
        const layout_word *word = word_at(layout);
        if (word == NULL) {
            if (!take(r, layout++, 1)) return false;
            continue;
        }
        int number;
        if (word->part == FRACTION) {
            const int n = count_fraction(layout);
            number = take_number(r, n, n);
            layout += n - 1;
        } else if (word->part == HALF) {
            number = take_half(r, word->word[0] == 'A');
        } else if (word->part == MONTH && word->names >= 0) {
            number = take_month(r, word->names);
        } else {
            number = take_number(r, word->least, word->most);
        }
        if (number < 0) return false;
        parts[word->part] = number;
        layout += strlen(word->word);
    }
    return true;
}

/* Twelve hours, of which 12 is the first, or 24. */
static bool find_hour(int parts[HALF + 1])
{
    int *hour = &parts[HOUR];
    if (*hour < 0) *hour = 0;
    if (parts[HALF] < 0) return *hour <= 23;
    if (*hour < 1 || *hour > 12) return false;
    *hour = *hour % 12 + parts[HALF];
    return true;
}

size_t owi_date_begin(const char *layout, const char *text, size_t length, double *value)
{
    rest r = {text, text + length};
    int parts[HALF + 1];
    if (!take_parts(&r, layout, parts)) return 0;
    /* Digits alone, and years with months alone, are dates in our times only: any number
     * could look like another. */
    const bool is_bare = strncmp(layout, "yyyymmdd", 8) == 0 || parts[DAY] < 0;
    int year = parts[YEAR];
    if (parts[SHORT_YEAR] >= 0)
        year = parts[SHORT_YEAR] + (parts[SHORT_YEAR] < 69 ? 2000 : 1900);
    const civil c = {year, parts[MONTH], parts[DAY] < 0 ? 1 : parts[DAY]};
    if (!is_date(c) || (is_bare && (year < 1900 || year > 2100))) return 0;
    if (!find_hour(parts) || parts[MINUTE] > 59 || parts[SECOND] > 59) return 0;
    double seconds = parts[HOUR] * 3600.0;
    if (parts[MINUTE] > 0) seconds += parts[MINUTE] * 60.0;
    if (parts[SECOND] > 0) seconds += parts[SECOND];
    const int fraction = count_fraction(layout);
    if (fraction > 0) seconds += parts[FRACTION] / pow(10.0, fraction);
    *value = (double)days_of(c) + seconds / seconds_of_day;
    /* A double tells microseconds apart up to 2059 only, milliseconds always. */
    if (fraction > 3 && !(fabs(*value) < most_exact_days)) return 0;
    return (size_t)(r.at - text);
}

bool owi_date_read(const owi_value_format *format, const char *text, size_t length,
                   double *value)
{
    return length > 0 && owi_date_begin(format->layout, text, length, value) == length;
}

/* ---- Printing ---- */

static size_t print_part(const layout_word *word, int number, char *text)
{
    if (word->part == MONTH && word->names >= 0)
        return (size_t)snprintf(text, 16, "%s", month_names[word->names][number - 1]);
    if (word->part == HALF) {
        const bool is_capital = word->word[0] == 'A';
        return (size_t)snprintf(text, 16, "%s",
                                number == 0 ? (is_capital ? "AM" : "am")
                                            : (is_capital ? "PM" : "pm"));
    }
    return (size_t)snprintf(text, 16, "%0*d", word->least, number);
}

static size_t print_parts(const char *layout, const int parts[HALF + 1], char *text)
{
    size_t n = 0;
    while (*layout != '\0') {
        const layout_word *word = word_at(layout);
        if (word == NULL) {
            text[n++] = *layout++;
        } else if (word->part == FRACTION) {
            const int digits = count_fraction(layout);
            n += (size_t)snprintf(text + n, 16, "%0*d", digits, parts[FRACTION]);
            layout += digits;
        } else {
            n += print_part(word, parts[word->part], text + n);
            layout += strlen(word->word);
        }
    }
    text[n] = '\0';
    return n;
}

size_t owi_date_print(const owi_value_format *format, double value,
                      char text[owi_value_size])
{
    /* The day, and what is left of it in the smallest unit that the layout has. */
    const bool has_seconds = strstr(format->layout, "SS") != NULL;
    const double unit = !owi_has_time(format) ? 1.0 / seconds_of_day
                        : !has_seconds        ? 1.0 / 60
                                              : pow(10.0, count_fraction(format->layout));
    /* 0001-01-01 to 9999-12-31; answers may lie beyond by some days. */
    const double days = fmin(fmax(value, -719162.0), 2932896.0);
    const int64_t a_day = (int64_t)rint(seconds_of_day * unit);
    const int64_t all = (int64_t)rint(days * seconds_of_day * unit);
    const int64_t day = (all >= 0 ? all : all - a_day + 1) / a_day;
    int64_t left = all - day * a_day;
    const civil c = date_of(day);
    int parts[HALF + 1] = {[YEAR] = c.year, c.year % 100, c.month, c.day};
    if (has_seconds) {
        const int64_t a_second = (int64_t)rint(unit);
        parts[FRACTION] = (int)(left % a_second);
        parts[SECOND] = (int)(left / a_second % 60);
        left /= a_second * 60;
    }
    parts[MINUTE] = (int)(left % 60);
    parts[HOUR] = (int)(left / 60);
    if (strstr(format->layout, "AM") != NULL || strstr(format->layout, "am") != NULL) {
        parts[HALF] = parts[HOUR] / 12;
        parts[HOUR] = (parts[HOUR] + 11) % 12 + 1;
    }
    return print_parts(format->layout, parts, text);
}
