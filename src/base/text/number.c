/* SPDX-License-Identifier: MIT */
/* Text to double, correctly rounded, by the cheapest way that is certain:
 *
 *   0. up to eight characters, digits and a point: all of them at once in one word, then as
 *      1;
 *   1. up to 2^53 and a power of ten up to 10^22, both exact: one operation, one rounding
 *      (W. D. Clinger: "How to read floating point numbers accurately", PLDI 1990);
 *   2. up to 19 digits and the same powers: the same operation in twice the precision,
 *      taken where its error cannot change the rounding;
 *   3. otherwise strtod, on a text without decimal point, which is where locales differ. */
#include "base/text/number.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    max_power = 22,          /* 10^22 is the last power of ten that a double holds */
    max_word_digits = 19,    /* any 19 digits fit in 64 bits */
    max_exact_digits = 15,   /* any 15 digits survive the way through a double and back */
    max_useful_digits = 768, /* later digits only matter by not being all 0 */
};

static const double powers_of_ten[max_power + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,
                                                    1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
                                                    1e18, 1e19, 1e20, 1e21, 1e22};

/* A number as written: mantissa * 10^power, the mantissa being its digits without point. */
typedef struct {
    bool negative;
    uint64_t mantissa;          /* modulo 2^64: right for up to 19 digits         */
    const char *digits, *after; /* [digits, after) holds the digits and the point */
    size_t n_digits;            /* leading zeros included                         */
    int64_t power;
} decimal;

static inline bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static inline const char *scan_digits(const char *p, const char *end, uint64_t *number)
{
    uint64_t sum = *number;
    for (; p < end && is_digit(*p); p++) sum = 10 * sum + (uint64_t)(*p - '0');
    *number = sum;
    return p;
}

/* [sign] digits, as an exponent; NULL if there are none.  Stops counting at 10^17, which no
 * mantissa in memory can make up for. */
static const char *scan_exponent(const char *p, const char *end, int64_t *exponent)
{
    const bool negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    const char *first = p;
    int64_t sum = 0;
    for (; p < end && is_digit(*p); p++)
        if (sum < 10000000000000000) sum = 10 * sum + (*p - '0');
    *exponent = negative ? -sum : sum;
    return p > first ? p : NULL;
}

static bool scan(const char *text, size_t length, decimal *d)
{
    const char *p = text, *end = text + length;
    d->negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;

    d->digits = p;
    d->mantissa = 0;
    p = scan_digits(p, end, &d->mantissa);
    d->n_digits = (size_t)(p - d->digits);
    d->power = 0;
    if (p < end && *p == '.') {
        const char *fraction = ++p;
        p = scan_digits(p, end, &d->mantissa);
        d->n_digits += (size_t)(p - fraction);
        d->power = fraction - p;
    }
    d->after = p;
    if (d->n_digits == 0) return false;

    if (p < end && (*p == 'e' || *p == 'E')) {
        int64_t exponent;
        p = scan_exponent(p + 1, end, &exponent);
        if (p == NULL) return false;
        d->power += exponent;
    }
    return p == end;
}

/* Digits from the first that is not 0. */
static size_t significant_digits(const decimal *d)
{
    size_t n = d->n_digits;
    for (const char *p = d->digits; p < d->after && (*p == '0' || *p == '.'); p++)
        if (*p == '0') n--;
    return n;
}

/* mantissa * 10^power in twice the precision of a double, as the unevaluated sum a + b.
 * The true value lies in a + b +- error; if both ends of that round to the same double, so
 * does everything between. */
static bool round_in_two_words(uint64_t mantissa, int64_t power, double *value)
{
    const double high = (double)mantissa;
    const double low = (double)((int64_t)(mantissa - (uint64_t)high)); /* exact, <= 1024 */
    double a, b, error;
    if (power < 0) {
        const double divisor = powers_of_ten[-power];
        a = high / divisor;
        const double rest = fma(-a, divisor, high); /* exact: remainders are doubles */
        b = (rest + low) / divisor;
        error = fabs(b) * 0x1p-50;
    } else {
        const double factor = powers_of_ten[power];
        a = high * factor;
        const double rest = fma(high, factor, -a); /* exact */
        b = rest + low * factor;
        error = (fabs(rest) + fabs(low * factor)) * 0x1p-50;
    }
    const double above = a + (b + error), below = a + (b - error);
    *value = above;
    return above == below;
}

/* The first two ways; false where they do not apply. */
static bool round_small(const decimal *d, double *value)
{
    if (FLT_EVAL_METHOD != 0) return false; /* operations would be rounded twice */
    if (d->power < -max_power || d->power > max_power) return false;
    if (d->n_digits > max_word_digits && significant_digits(d) > max_word_digits)
        return false;
    if (d->mantissa > UINT64_C(1) << DBL_MANT_DIG)
        return round_in_two_words(d->mantissa, d->power, value);
    const double exact = (double)d->mantissa;
    *value =
        d->power < 0 ? exact / powers_of_ten[-d->power] : exact * powers_of_ten[d->power];
    return true;
}

/* By strtod, from up to 768 digits and an exponent: "12.5" becomes "125e-1". */
static double round_by_library(const decimal *d)
{
    char text[max_useful_digits + 32];
    size_t n = 0;
    int64_t n_dropped = 0;
    bool dropped_something = false;
    for (const char *p = d->digits; p < d->after; p++) {
        if (*p == '.' || (*p == '0' && n == 0)) continue;
        if (n < max_useful_digits) {
            text[n++] = *p;
        } else {
            n_dropped++;
            dropped_something |= *p != '0';
        }
    }
    if (n == 0) return 0.0;
    if (dropped_something) {
        text[n++] = '1';
        n_dropped--;
    }
    int64_t power = d->power + n_dropped;
    if (power < -9999) power = -9999;
    if (power > 9999) power = 9999;
    snprintf(text + n, sizeof text - n, "e%d", (int)power);
    return strtod(text, NULL);
}

/* ---- Up to eight characters ---- */

/* Bytes side by side in a word, the text's first in the lowest one. */
static const uint64_t ones = 0x0101010101010101, high_bits = 0x8080808080808080;

static inline uint64_t load_byte(const char *text)
{
    return (unsigned char)*text;
}

/* Compilers make one load of this. */
static inline uint64_t load_four_bytes(const char *text)
{
    return load_byte(text) | load_byte(text + 1) << 8 | load_byte(text + 2) << 16 |
           load_byte(text + 3) << 24;
}

/* n <= 8 bytes in the upper end of a word, zeros as digits below them.  Loads that overlap
 * are cheaper than a loop whose length nobody can foresee. */
static inline uint64_t load_at_top(const char *text, size_t n)
{
    uint64_t word;
    if (n >= 4)
        word = load_four_bytes(text) | load_four_bytes(text + n - 4) << 8 * (n - 4);
    else
        word = load_byte(text) | load_byte(text + n / 2) << 8 * (n / 2) |
               load_byte(text + n - 1) << 8 * (n - 1);
    return n == 8 ? word : word << 8 * (8 - n) | (ones * '0') >> 8 * n;
}

/* Takes the first point out of the word, closing the gap from below; returns the number of
 * bytes above it. */
static inline int remove_point(uint64_t *word)
{
    const uint64_t difference = *word ^ ones * '.';
    const uint64_t zero_bytes = (difference - ones) & ~difference & high_bits;
    if (zero_bytes == 0) return 0;
    const uint64_t below = ((zero_bytes & (0 - zero_bytes)) >> 7) - 1;
    const uint64_t above = ~(below << 8 | 0xff);
    *word = (*word & above) | (*word & below) << 8 | '0';
    return (int)((above & ones) * ones >> 56);
}

/* Eight digits as a number; false if one of the bytes is none. */
static inline bool join_digits(uint64_t word, uint64_t *number)
{
    if ((((word + ones * (0x7f - '9')) | (word - ones * '0')) & high_bits) != 0)
        return false;
    word -= ones * '0';
    const uint64_t pairs = 10 * word + (word >> 8); /* in every other byte */
    *number = 1000000 * (pairs & 0xff) + 10000 * (pairs >> 16 & 0xff) +
              100 * (pairs >> 32 & 0xff) + (pairs >> 48 & 0xff);
    return true;
}

/* False if the text has another form or is no number: the other ways tell. */
static inline bool parse_short(const char *text, size_t length, double *value,
                               int *decimals)
{
    const size_t sign = length > 0 && text[0] == '-', n = length - sign;
    if (n == 0 || n > 8 || FLT_EVAL_METHOD != 0) return false;
    uint64_t word = load_at_top(text + sign, n), number;
    const int n_decimals = remove_point(&word);
    if (!join_digits(word, &number) || (n == 1 && text[sign] == '.')) return false;
    const double size = (double)number / powers_of_ten[n_decimals];
    *value = sign ? -size : size;
    if (decimals != NULL) *decimals = n_decimals;
    return true;
}

/* ---- Any number ---- */

static int count_decimals(const decimal *d)
{
    if (d->n_digits > max_exact_digits && significant_digits(d) > max_exact_digits)
        return -1;
    if (d->power >= 0) return 0;
    return d->power >= -owi_max_decimals ? (int)-d->power : -1;
}

bool owi_parse_number(const char *text, size_t length, double *value, int *decimals)
{
    decimal d;
    if (parse_short(text, length, value, decimals)) return true;
    if (!scan(text, length, &d)) return false;
    if (decimals != NULL) *decimals = count_decimals(&d);

    double size;
    if (!round_small(&d, &size)) {
        size = round_by_library(&d);
        if (isinf(size)) return false;
    }
    *value = d.negative ? -size : size;
    return true;
}

/* The whole number next to |value| * 10^decimals, halves to even, is found exactly: the
 * product is scaled + rest, and rest can only matter where scaled looks like a half. */
double owi_round_decimals(double value, int decimals)
{
    if (decimals < 0 || decimals > max_power) return value;
    if (decimals == 0) return rint(value) + 0.0; /* turns -0 into 0 */
    const double factor = powers_of_ten[decimals], size = fabs(value);
    const double scaled = size * factor;
    if (!(scaled < 0x1p53)) return value;

    const double rest = fma(size, factor, -scaled);
    double whole = floor(scaled);
    const double fraction = scaled - whole;
    if (fraction > 0.5 ||
        (fraction == 0.5 && (rest > 0.0 || (rest == 0.0 && fmod(whole, 2.0) != 0.0))))
        whole += 1.0;
    if (whole == 0.0) return 0.0;
    return copysign(whole / factor, value);
}
