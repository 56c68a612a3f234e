/* SPDX-License-Identifier: MIT */
/* Double to text.  snprintf finds the digits; where the point goes is decided here, because
 * its own point depends on the locale. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text/number.h"

enum {
    most_digits = 17,    /* always enough to tell doubles apart         */
    sure_digits = 15,    /* any such decimal number survives a double   */
    first_exponent = -4, /* from here ...                               */
    last_exponent = 15,  /* ... to here numbers are written out in full */
};

/* d.ddd * 10^exponent */
typedef struct {
    bool negative;
    char digits[most_digits];
    int n_digits; /* without trailing zeros, at least 1 */
    int exponent;
} decimal;

static void drop_trailing_zeros(decimal *d)
{
    while (d->n_digits > 1 && d->digits[d->n_digits - 1] == '0') d->n_digits--;
}

/* The nearest decimal with so many digits.  snprintf gives [-]d<point>ddde[+-]xx. */
static void nearest_decimal(double value, int n_digits, decimal *d)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", n_digits - 1, value);
    d->negative = text[0] == '-';
    d->n_digits = 0;
    const char *p = text;
    for (; *p != 'e'; p++)
        if (*p >= '0' && *p <= '9') d->digits[d->n_digits++] = *p;
    const bool small = p[1] == '-';
    d->exponent = 0;
    for (p += 2; *p != '\0'; p++) d->exponent = 10 * d->exponent + (*p - '0');
    if (small) d->exponent = -d->exponent;
    drop_trailing_zeros(d);
}

/* The next decimal with so many digits, further from zero. */
static void next_decimal(decimal *d, int n_digits)
{
    while (d->n_digits < n_digits) d->digits[d->n_digits++] = '0';
    int i = n_digits - 1;
    for (; i >= 0 && d->digits[i] == '9'; i--) d->digits[i] = '0';
    if (i >= 0) {
        d->digits[i]++;
    } else {
        d->digits[0] = '1';
        d->exponent++;
    }
    drop_trailing_zeros(d);
}

static size_t write_in_full(const decimal *d, char *text)
{
    char *p = text;
    if (d->negative) *p++ = '-';
    if (d->exponent < 0) {
        *p++ = '0';
        *p++ = '.';
        for (int i = -1; i > d->exponent; i--) *p++ = '0';
    }
    for (int i = 0; i < d->n_digits; i++) {
        if (i > 0 && i == d->exponent + 1) *p++ = '.';
        *p++ = d->digits[i];
    }
    for (int i = d->n_digits; i <= d->exponent; i++) *p++ = '0';
    *p = '\0';
    return (size_t)(p - text);
}

static size_t write_with_exponent(const decimal *d, char *text)
{
    char *p = text;
    if (d->negative) *p++ = '-';
    *p++ = d->digits[0];
    if (d->n_digits > 1) {
        *p++ = '.';
        memcpy(p, d->digits + 1, (size_t)d->n_digits - 1);
        p += d->n_digits - 1;
    }
    return (size_t)(p - text) + (size_t)sprintf(p, "e%d", d->exponent);
}

static size_t write_decimal(const decimal *d, char *text)
{
    return d->exponent >= first_exponent && d->exponent <= last_exponent
               ? write_in_full(d, text)
               : write_with_exponent(d, text);
}

/* Writes d; whether that reads back as the value. */
static bool write_and_compare(const decimal *d, double value, char *text, size_t *length)
{
    double back;
    *length = write_decimal(d, text);
    return owi_parse_number(text, *length, &back, NULL) && back == value;
}

static size_t print_word(const char *word, char *text)
{
    strcpy(text, word);
    return strlen(word);
}

/* Tries 15, 16 and 17 digits: where fewer will do, the nearest decimal with 15 ends in
 * zeros. Subnormal numbers have less precision than 15 digits, so there all lengths are
 * tried.  At a power of two doubles lie twice as dense below as above, and the nearest
 * decimal may miss below what the next one hits above. */
size_t owi_print_number(double value, char text[owi_number_size])
{
    if (isnan(value)) return print_word("nan", text);
    if (isinf(value)) return print_word(value < 0.0 ? "-inf" : "inf", text);
    if (value == 0.0) return print_word(signbit(value) ? "-0" : "0", text);
    if (fabs(value) < 1e15 && value == floor(value))
        return (size_t)snprintf(text, owi_number_size, "%" PRId64, (int64_t)value);

    int exponent;
    const bool power_of_two = fabs(frexp(value, &exponent)) == 0.5;
    size_t length = 0;
    for (int n = fabs(value) < DBL_MIN ? 1 : sure_digits; n <= most_digits; n++) {
        decimal d;
        nearest_decimal(value, n, &d);
        if (write_and_compare(&d, value, text, &length)) break;
        if (!power_of_two) continue;
        next_decimal(&d, n);
        if (write_and_compare(&d, value, text, &length)) break;
    }
    return length;
}

/* Replaces the locale's point in snprintf's "[-]ddd<point>ddd" by a full stop. */
static size_t write_fixed(const char *printed, char *text)
{
    char *out = text;
    bool has_point = false;
    for (const char *p = printed; *p != '\0'; p++) {
        if (*p == '-' || (*p >= '0' && *p <= '9')) {
            *out++ = *p;
        } else if (!has_point) {
            *out++ = '.';
            has_point = true;
        }
    }
    *out = '\0';
    return (size_t)(out - text);
}

size_t owi_print_fixed(double value, int decimals, char text[owi_fixed_size])
{
    if (decimals < 0 || !isfinite(value)) return owi_print_number(value + 0.0, text);
    char printed[owi_fixed_size + 16]; /* a point may be several bytes */
    snprintf(printed, sizeof printed, "%.*f",
             decimals < owi_max_decimals ? decimals : owi_max_decimals, value);
    const char *first = printed;
    if (first[0] == '-' && strpbrk(first, "123456789") == NULL) first++;
    return write_fixed(first, text);
}
