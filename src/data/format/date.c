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

static bool take(rest *r, char c)
{
    if (r->at == r->end || *r->at != c) return false;
    r->at++;
    return true;
}

static bool take_date(rest *r, const owi_value_format *format, civil *c)
{
    const int part = format->unpadded ? 1 : 2, year = format->short_year ? 2 : 4;
    int numbers[3];
    const int year_at = format->order == OWI_YMD ? 0 : 2;
    for (int i = 0; i < 3; i++) {
        if (i > 0 && !take(r, format->separator)) return false;
        numbers[i] = i == year_at ? take_number(r, year, year) : take_number(r, part, 2);
    }
    if (format->short_year && numbers[year_at] >= 0)
        numbers[year_at] += numbers[year_at] < 69 ? 2000 : 1900;
    const bool month_first = format->order == OWI_MDY;
    *c = format->order == OWI_YMD
             ? (civil){numbers[0], numbers[1], numbers[2]}
             : (civil){numbers[2], numbers[!month_first], numbers[month_first]};
    return is_date(*c);
}

/* A time in seconds, with the format's digits of a fraction. */
static bool take_time(rest *r, const owi_value_format *format, double *seconds)
{
    const int hour = take_number(r, 2, 2);
    if (hour < 0 || hour > 23 || !take(r, ':')) return false;
    const int minute = take_number(r, 2, 2);
    if (minute < 0 || minute > 59) return false;
    *seconds = hour * 3600.0 + minute * 60.0;
    if (format->has_seconds) {
        if (!take(r, ':')) return false;
        const int second = take_number(r, 2, 2);
        if (second < 0 || second > 59) return false;
        *seconds += second;
    }
    if (format->fraction > 0) {
        if (!take(r, '.')) return false;
        const int part = take_number(r, format->fraction, format->fraction);
        if (part < 0) return false;
        *seconds += part / pow(10.0, format->fraction);
    }
    const size_t zone = strlen(format->zone);
    if ((size_t)(r->end - r->at) < zone || memcmp(r->at, format->zone, zone) != 0)
        return false;
    r->at += zone;
    return true;
}

bool owi_date_read(const owi_value_format *format, const char *text, size_t length,
                   double *value)
{
    rest r = {text, text + length};
    civil c;
    double seconds = 0.0;
    if (!take_date(&r, format, &c)) return false;
    if (format->between != '\0' &&
        (!take(&r, format->between) || !take_time(&r, format, &seconds)))
        return false;
    if (r.at != r.end) return false;
    *value = (double)days_of(c) + seconds / seconds_of_day;
    /* A double tells microseconds apart up to 2059 only, milliseconds always. */
    return format->fraction <= 3 || fabs(*value) < most_exact_days;
}

/* ---- Printing ---- */

static size_t print_date(const owi_value_format *format, civil c, char *text)
{
    const int width = format->unpadded ? 1 : 2, of_year = format->short_year ? 2 : 4;
    const int year = format->short_year ? c.year % 100 : c.year;
    const char s = format->separator;
    int n;
    if (format->order == OWI_YMD)
        n = snprintf(text, 32, "%04d%c%0*d%c%0*d", year, s, width, c.month, s, width,
                     c.day);
    else if (format->order == OWI_DMY)
        n = snprintf(text, 32, "%0*d%c%0*d%c%0*d", width, c.day, s, width, c.month, s,
                     of_year, year);
    else
        n = snprintf(text, 32, "%0*d%c%0*d%c%0*d", width, c.month, s, width, c.day, s,
                     of_year, year);
    return (size_t)n;
}

size_t owi_date_print(const owi_value_format *format, double value,
                      char text[owi_value_size])
{
    /* 0001-01-01 to 9999-12-31; answers may lie beyond by some days. */
    const double days = fmin(fmax(value, -719162.0), 2932896.0);
    if (format->between == '\0')
        return print_date(format, date_of((int64_t)rint(days)), text);

    const double unit =
        pow(10.0, format->fraction) * (format->has_seconds ? 1.0 : 1.0 / 60);
    const int64_t a_day = (int64_t)rint(seconds_of_day * unit);
    const int64_t all = (int64_t)rint(days * seconds_of_day * unit);
    const int64_t day = (all >= 0 ? all : all - a_day + 1) / a_day;
    int64_t left = all - day * a_day;
    size_t n = print_date(format, date_of(day), text);
    text[n++] = format->between;
    if (!format->has_seconds)
        return n + (size_t)snprintf(text + n, 32, "%02d:%02d%s", (int)(left / 60),
                                    (int)(left % 60), format->zone);
    const int64_t parts = (int64_t)rint(unit);
    const int64_t part = left % parts;
    left /= parts;
    n += (size_t)snprintf(text + n, 32, "%02d:%02d:%02d", (int)(left / 3600),
                          (int)(left / 60 % 60), (int)(left % 60));
    if (format->fraction > 0)
        n += (size_t)snprintf(text + n, 32, ".%0*d", format->fraction, (int)part);
    return n + (size_t)snprintf(text + n, owi_zone_size, "%s", format->zone);
}
