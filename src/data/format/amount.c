/* SPDX-License-Identifier: MIT */
/* Numbers as people write amounts: units, marks between thousands, decimal commas, minus
 * signs in several places. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "data/format/value_format.h"

/* Signs first, longest first where one begins another; then codes of ISO 4217. */
static const char *const units[] = {
    "%",   "US$", "CA$", "AU$", "NZ$", "HK$", "R$",  "C$",  "A$",  "$",   "€",   "£",
    "¥",   "₹",   "₽", "₩",   "₺",   "₪",   "₫",   "฿",   "₴",   "zł",  "Kč",  "kr",
    "Fr.", "Rs.", "Rs",  "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "AUD", "CAD", "NZD",
    "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "RON", "BGN", "RUB", "UAH", "TRY", "INR",
    "BRL", "MXN", "ZAR", "KRW", "SGD", "HKD", "THB", "IDR", "MYR", "PHP", "ILS", "AED",
    "SAR", "EGP", "NGN", "KES", "ARS", "CLP", "COP", "PEN", "VND", "PKR", "DEM", "ATS"};
enum { n_units = sizeof units / sizeof *units };

/* These stand behind a number only. */
static const char *const measures[] = {
    "mm",     "cm",     "km",    "mg/dL",  "mg/dl", "mg/L",  "mg/l",  "g/dL",  "g/dl",
    "mmol/L", "mmol/l", "U/L",   "mg",     "kg",    "lbs",   "lb",    "oz",    "µg",
    "ml",     "mL",     "cl",    "m²",     "km²",   "sqm",   "sqft",  "sq ft", "ha",
    "ft",     "mi",     "m/s",   "°C",     "°F",    "°",     "kWh",   "km/h",  "mph",
    "kmpl",   "kB",     "KB",    "MB",     "GB",    "TB",    "ms",    "sec",   "min",
    "hrs",    "hr",     "hours", "hour",   "days",  "day",   "weeks", "week",  "months",
    "month",  "years",  "year",  "yrs",    "yr",    "yo",    "y",     "Std",   "Tage",
    "Tag",    "Wochen", "Woche", "Monate", "Monat", "Jahre", "Jahr",  "pcs",   "Stk",
    "pts",    "Hz",     "kHz",   "MHz",    "GHz",   "hPa",   "kPa",   "MPa",   "bar",
    "mbar",   "psi",    "mmHg",  "bpm",    "rpm",   "ppm",   "dB",    "mV",    "kV",
    "V",      "mA",     "A",     "kW",     "MW",    "W",     "bhp",   "hp",    "PS",
    "CC",     "cc",     "L",     "l",      "g",     "m",     "K",     "k",     "M",
    "+",      "/5",     "/10",   "/20",    "/100"};
enum { n_measures = sizeof measures / sizeof *measures };

/* Of one, the last letter is missing: 1 month. */
static bool is_plural(const char *unit)
{
    static const char *const plurals[] = {"hrs",    "hours",  "days",   "weeks",
                                          "months", "years",  "yrs",    "lbs",
                                          "Tage",   "Wochen", "Monate", "Jahre"};
    for (size_t i = 0; i < sizeof plurals / sizeof *plurals; i++)
        if (strcmp(unit, plurals[i]) == 0) return true;
    return false;
}

/* A code is not part of a longer word. */
static bool is_letter(char c)
{
    return isalpha((unsigned char)c) != 0 || (unsigned char)c >= 0x80;
}

size_t owi_unit_at_start(const char *text, size_t length)
{
    for (size_t i = 0; i < n_units; i++) {
        const size_t n = strlen(units[i]);
        if (n > length || memcmp(text, units[i], n) != 0) continue;
        if (n < length && is_letter(text[n]) && isalpha((unsigned char)text[n - 1]) != 0)
            continue;
        return n;
    }
    return 0;
}

/* The one of n_words words that a text ends with. */
static size_t word_at_end(size_t n_words, const char *const *words, const char *text,
                          size_t length)
{
    for (size_t i = 0; i < n_words; i++) {
        const size_t n = strlen(words[i]);
        if (n > length || memcmp(text + length - n, words[i], n) != 0) continue;
        if (n < length && is_letter(text[length - n - 1])) continue;
        return n;
    }
    return 0;
}

size_t owi_unit_at_end(const char *text, size_t length)
{
    const size_t n = word_at_end(n_units, units, text, length);
    return n > 0 ? n : word_at_end(n_measures, measures, text, length);
}

size_t owi_mark_length(const char *text, const char *end)
{
    static const char *const marks[] = {",",           ".",        " ",
                                        "'",           "\xc2\xa0", "\xe2\x80\xaf",
                                        "\xe2\x80\x99"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t n = strlen(marks[i]);
        if ((size_t)(end - text) >= n && memcmp(text, marks[i], n) == 0) return n;
    }
    return 0;
}

/* ---- Reading ---- */

/* What is left of a text between its two ends. */
typedef struct {
    const char *at, *end;
    bool negative, has_sign;
} rest;

static bool begins(const rest *r, const char *text, size_t n)
{
    return (size_t)(r->end - r->at) >= n && memcmp(r->at, text, n) == 0;
}

static bool ends(const rest *r, const char *text, size_t n)
{
    return (size_t)(r->end - r->at) >= n && memcmp(r->end - n, text, n) == 0;
}

/* Blanks, and those that do not break (U+00A0, U+202F). */
static void pass_blanks(rest *r)
{
    for (;;) {
        if (begins(r, " ", 1))
            r->at++;
        else if (begins(r, "\xc2\xa0", 2))
            r->at += 2;
        else if (begins(r, "\xe2\x80\xaf", 3))
            r->at += 3;
        else if (ends(r, " ", 1))
            r->end--;
        else if (ends(r, "\xc2\xa0", 2))
            r->end -= 2;
        else if (ends(r, "\xe2\x80\xaf", 3))
            r->end -= 3;
        else
            return;
    }
}

static void take_sign(rest *r)
{
    static const char minus[] = "\xe2\x88\x92"; /* U+2212 */
    if (r->has_sign) return;
    if (begins(r, "-", 1) || begins(r, "+", 1)) {
        r->negative = *r->at == '-';
        r->at++;
    } else if (begins(r, minus, sizeof minus - 1)) {
        r->negative = true;
        r->at += sizeof minus - 1;
    } else {
        return;
    }
    r->has_sign = true;
    pass_blanks(r);
}

static void take_last_minus(rest *r)
{
    if (r->has_sign || !ends(r, "-", 1)) return;
    r->end--;
    r->negative = r->has_sign = true;
    pass_blanks(r);
}

static void take_unit(rest *r, const owi_value_format *format)
{
    const size_t n = strlen(format->unit);
    if (n == 0) return;
    if (format->unit_first && begins(r, format->unit, n))
        r->at += n;
    else if (!format->unit_first && ends(r, format->unit, n))
        r->end -= n;
    else if (!format->unit_first && is_plural(format->unit) && ends(r, format->unit, n - 1))
        r->end -= n - 1;
    else
        return;
    pass_blanks(r);
}

/* Everything around the digits. */
static void strip(rest *r, const owi_value_format *format)
{
    pass_blanks(r);
    if (begins(r, "(", 1) && ends(r, ")", 1) && r->end - r->at > 2) {
        r->at++;
        r->end--;
        r->negative = r->has_sign = true;
        pass_blanks(r);
    }
    take_sign(r);
    take_last_minus(r);
    take_unit(r, format);
    take_sign(r);
    take_last_minus(r);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a mark may stand behind so many digits since the last one, or since the start. */
static bool may_mark(const owi_value_format *format, bool is_first, size_t since_mark)
{
    const size_t most = format->by_hundreds ? 2 : 3;
    return is_first ? since_mark >= 1 && since_mark <= most : since_mark == most;
}

/* The digits between the ends as a plain number in buffer; 0 if they are none.  Marks
 * stand before every three digits, or nowhere; or before the last three, and before every
 * two ahead of them. */
enum { max_digits = 64 };
static size_t make_plain(const rest *r, const owi_value_format *format,
                         char buffer[max_digits])
{
    const size_t mark = strlen(format->group);
    size_t n = 0, since_mark = 0;
    bool any_mark = false, in_fraction = false, in_exponent = false;
    if (r->at == r->end || !(is_digit(*r->at) || *r->at == format->decimal)) return 0;
    for (const char *p = r->at; p < r->end;) {
        if (n + 2 >= max_digits) return 0;
        if (is_digit(*p)) {
            buffer[n++] = *p++;
            since_mark += !in_fraction && !in_exponent;
        } else if (*p == format->decimal && !in_fraction && !in_exponent) {
            if (any_mark && since_mark != 3) return 0;
            in_fraction = true;
            buffer[n++] = '.';
            p++;
        } else if (mark > 0 && (size_t)(r->end - p) > mark &&
                   memcmp(p, format->group, mark) == 0 && !in_fraction && !in_exponent) {
            if (!may_mark(format, !any_mark, since_mark)) return 0;
            if (buffer[0] == '0') return 0; /* 0,125 has no thousands */
            any_mark = true;
            since_mark = 0;
            p += mark;
        } else if ((*p == 'e' || *p == 'E') && !any_mark && !in_exponent) {
            in_exponent = true;
            buffer[n++] = *p++;
            if (p < r->end && (*p == '-' || *p == '+')) buffer[n++] = *p++;
        } else {
            return 0;
        }
    }
    if (any_mark && !in_fraction && since_mark != 3) return 0;
    return n;
}

bool owi_amount_read(const owi_value_format *format, const char *text, size_t length,
                     double *value, int *decimals)
{
    char buffer[max_digits];
    rest r = {text, text + length, false, false};
    strip(&r, format);
    const size_t n = make_plain(&r, format, buffer);
    if (n == 0 || !owi_parse_number(buffer, n, value, decimals)) return false;
    if (r.negative) *value = 0.0 - *value;
    return true;
}

/* ---- Printing ---- */

typedef struct {
    char *text;
    size_t n;
} writer;

static void put(writer *w, const char *text, size_t n)
{
    memcpy(w->text + w->n, text, n);
    w->n += n;
}

static void put_text(writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_digits(writer *w, const owi_value_format *format, const char *digits)
{
    const size_t n = strspn(digits, "0123456789");
    for (size_t i = 0; i < n; i++) {
        const size_t left = n - i;
        const bool is_mark =
            format->by_hundreds ? left >= 3 && left % 2 == 1 : left % 3 == 0;
        if (i > 0 && is_mark) put_text(w, format->group);
        put(w, digits + i, 1);
    }
    if (digits[n] == '.') {
        put(w, &format->decimal, 1);
        put_text(w, digits + n + 1);
    } else {
        put_text(w, digits + n);
    }
}

size_t owi_amount_print(const owi_value_format *format, double value, int decimals,
                        char text[owi_value_size])
{
    char digits[owi_fixed_size];
    const bool negative = value < 0.0;
    const owi_negative style = format->negative;
    writer w = {text, 0};
    owi_print_fixed(fabs(value), decimals, digits);
    if (negative && style == OWI_PARENTHESES) put_text(&w, "(");
    if (negative && style == OWI_MINUS_FIRST) put_text(&w, "-");
    if (format->unit_first) {
        put_text(&w, format->unit);
        if (format->unit_gap) put_text(&w, " ");
    }
    if (negative && style == OWI_MINUS_AFTER_UNIT) put_text(&w, "-");
    put_digits(&w, format, digits);
    if (negative && style == OWI_MINUS_LAST) put_text(&w, "-");
    if (!format->unit_first) {
        if (format->unit_gap) put_text(&w, " ");
        const bool is_one = strcmp(digits, "1") == 0 && is_plural(format->unit);
        put(&w, format->unit, strlen(format->unit) - is_one);
    }
    if (negative && style == OWI_PARENTHESES) put_text(&w, ")");
    text[w.n] = '\0';
    return w.n;
}
