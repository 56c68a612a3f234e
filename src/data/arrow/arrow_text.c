/* SPDX-License-Identifier: MIT */
#include "data/arrow/arrow_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* a = quotient * b + remainder with a remainder from 0 to b - 1. */
static int64_t floor_divide(int64_t a, int64_t b, int64_t *remainder)
{
    *remainder = a % b < 0 ? a % b + b : a % b;
    return a / b - (a % b < 0);
}

/* Days are counted in eras of 400 years (146,097 days) that begin on a 1 March, so that the
 * day added in leap years is the last one of a year, of four years, of a century or of an
 * era.  Months from March on have 31, 30, 31, 30, 31 days and so on: month m begins at day
 * (153 m + 2) / 5 of such a year. */
size_t owi_arrow_print_date(int64_t day, char text[owi_arrow_text_size])
{
    enum { era_days = 146097, to_march_of_year_0 = 719468 };
    int64_t d; /* of the era */
    const int64_t era = floor_divide(day + to_march_of_year_0, era_days, &d);
    const int64_t y =
        (d - d / 1460 + d / 36524 - d / (era_days - 1)) / 365; /* of the era */
    const int64_t of_year = d - (365 * y + y / 4 - y / 100);
    const int64_t m = (5 * of_year + 2) / 153;
    const int64_t month = m < 10 ? m + 3 : m - 9;
    const int64_t year = y + era * 400 + (month <= 2);
    return (size_t)snprintf(text, owi_arrow_text_size,
                            "%s%04" PRId64 "-%02" PRId64 "-%02" PRId64, year < 0 ? "-" : "",
                            year < 0 ? -year : year, month,
                            of_year - (153 * m + 2) / 5 + 1);
}

size_t owi_arrow_print_time(int64_t units, int64_t per_second, bool zoned,
                            char text[owi_arrow_text_size])
{
    enum { day_seconds = 86400 };
    int64_t fraction, of_day;
    const int64_t seconds = floor_divide(units, per_second, &fraction);
    const int64_t day = floor_divide(seconds, day_seconds, &of_day);
    size_t n = owi_arrow_print_date(day, text);
    n += (size_t)snprintf(text + n, owi_arrow_text_size - n,
                          "T%02" PRId64 ":%02" PRId64 ":%02" PRId64, of_day / 3600,
                          of_day / 60 % 60, of_day % 60);
    int digits = 0;
    for (int64_t u = per_second; u > 1; u /= 10) digits++;
    if (fraction > 0)
        n += (size_t)snprintf(text + n, owi_arrow_text_size - n, ".%0*" PRId64, digits,
                              fraction);
    if (zoned) text[n++] = 'Z';
    text[n] = '\0';
    return n;
}

/* Divides the number (four digits to the base 2^32, the highest first) by 10; returns the
 * remainder. */
static uint32_t divide_by_ten(uint32_t number[4])
{
    uint64_t rest = 0;
    for (size_t i = 0; i < 4; i++) {
        rest = rest << 32 | number[i];
        number[i] = (uint32_t)(rest / 10);
        rest %= 10;
    }
    return (uint32_t)rest;
}

size_t owi_arrow_print_decimal(uint64_t high, uint64_t low, int scale,
                               char text[owi_arrow_text_size])
{
    char digits[owi_arrow_text_size]; /* the lowest first; 2^127 has 39, and 38 zeros */
    const bool negative = high >> 63 != 0;
    if (negative) {
        low = ~low + 1;
        high = ~high + (low == 0);
    }
    uint32_t number[4] = {(uint32_t)(high >> 32), (uint32_t)high, (uint32_t)(low >> 32),
                          (uint32_t)low};
    size_t n = 0, length = 0;
    for (int i = scale; i < 0 && (high | low) != 0; i++) digits[n++] = '0';
    while (number[0] != 0 || number[1] != 0 || number[2] != 0 || number[3] != 0)
        digits[n++] = (char)('0' + divide_by_ten(number));
    const size_t after = scale > 0 ? (size_t)scale : 0;
    while (n <= after) digits[n++] = '0';
    if (negative) text[length++] = '-';
    while (n > 0) {
        if (n == after) text[length++] = '.';
        text[length++] = digits[--n];
    }
    text[length] = '\0';
    return length;
}

/* Sign, 5 bits of exponent, 10 of fraction. */
double owi_arrow_half(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023;
    const double size = exponent == 31  ? (fraction > 0 ? NAN : INFINITY)
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(1024.0 + fraction, exponent - 25);
    return bits >> 15 != 0 ? -size : size;
}
