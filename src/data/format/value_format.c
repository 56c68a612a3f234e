/* SPDX-License-Identifier: MIT */
#include "data/format/value_format.h"

#include <stdio.h>
#include <string.h>

bool owi_value_read(const owi_value_format *format, const char *text, size_t length,
                    double *value, int *decimals)
{
    switch (format->writing) {
    case OWI_NUMBER:
        return owi_limit_read(format, text, length, value, decimals) ||
               owi_amount_read(format, text, length, value, decimals);
    case OWI_DATE:
        if (decimals != NULL) *decimals = owi_has_time(format) ? -1 : 0;
        return owi_date_read(format, text, length, value);
    default:
        return owi_parse_number(text, length, value, decimals);
    }
}

size_t owi_value_print(const owi_value_format *format, double value, int decimals,
                       char text[owi_value_size])
{
    const char *beyond = owi_limit_text(format, value);
    if (beyond != NULL) {
        memcpy(text, beyond, strlen(beyond) + 1);
        return strlen(beyond);
    }
    switch (format->writing) {
    case OWI_NUMBER:
        return owi_amount_print(format, value, decimals, text);
    case OWI_DATE:
        return owi_date_print(format, value, text);
    default:
        return owi_print_fixed(value, decimals, text);
    }
}

/* ---- Patterns ---- */

bool owi_is_zone(const char *text, size_t length)
{
    if (length == 0) return true;
    if (length == 4 && (memcmp(text, " UTC", 4) == 0 || memcmp(text, " GMT", 4) == 0))
        return true;
    if (length > 7 || memchr("Z+-", *text, 3) == NULL) return false;
    for (size_t i = 0; i < length; i++)
        if (memchr("Z+-:0123456789", text[i], 14) == NULL) return false;
    return true;
}

/* What parts a number from the limits. */
static const char between[] = " or ";

void owi_pattern_print(const owi_value_format *format, char text[owi_pattern_size])
{
    char number[owi_value_size];
    if (format->writing == OWI_DATE) {
        memcpy(text, format->layout, strlen(format->layout) + 1);
        return;
    }
    /* A negative number only where that shows something. */
    const double shown = format->by_hundreds ? 1234567.5 : 1234.5;
    owi_amount_print(format, format->negative == OWI_MINUS_FIRST ? shown : -shown, 1,
                     number);
    number[owi_pattern_size - 1] = '\0';
    const char *low = format->below.text, *high = format->above.text;
    snprintf(text, owi_pattern_size, "%s%s%.30s%s%s", low, low[0] != '\0' ? between : "",
             number, high[0] != '\0' ? between : "", high);
}

static const char *take_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(text, word, n) == 0 ? text + n : NULL;
}

/* What may follow a date: a blank or T, then the time, perhaps a half of the day, perhaps
 * a zone. */
static bool is_time_pattern(const char *text)
{
    if (*text == '\0') return true;
    if (*text != ' ' && *text != 'T') return false;
    const char *p = take_word(text + 1, "HH:MM"), *next;
    if (p == NULL) p = take_word(text + 1, "H:MM");
    if (p == NULL) return false;
    if ((next = take_word(p, ":SS")) != NULL) {
        p = next;
        if (*p == '.') {
            const size_t n = strspn(p + 1, "f");
            if (n < 1 || n > 6) return false;
            p += 1 + n;
        }
    }
    next = p + (*p == ' ');
    if (take_word(next, "AM") != NULL || take_word(next, "am") != NULL) p = next + 2;
    return owi_is_zone(p, strlen(p));
}

static bool read_date_pattern(const char *text, owi_value_format *f)
{
    char layout[owi_layout_size];
    if (strlen(text) >= owi_layout_size) return false;
    for (size_t i = 0; owi_date_layout(i, layout); i++) {
        const char *p = take_word(text, layout);
        if (p == NULL || !is_time_pattern(p)) continue;
        *f = (owi_value_format){.writing = OWI_DATE};
        memcpy(f->layout, text, strlen(text) + 1);
        return true;
    }
    return false;
}

/* What stands before the digits: "(", a unit, a blank, a minus. */
static bool read_pattern_start(const char *at, const char *end, owi_value_format *f)
{
    if (at < end && *at == '(') {
        f->negative = OWI_PARENTHESES;
        at++;
    }
    const size_t n = owi_unit_at_start(at, (size_t)(end - at));
    if (n >= owi_unit_size) return false;
    memcpy(f->unit, at, n);
    f->unit_first = n > 0;
    at += n;
    if (at < end && *at == ' ') {
        f->unit_gap = true;
        at++;
    }
    if (at < end && *at == '-') {
        f->negative = OWI_MINUS_AFTER_UNIT;
        at++;
    }
    return at == end;
}

/* What stands behind them: a minus, a blank, a unit, ")". */
static bool read_pattern_end(const char *at, owi_value_format *f)
{
    if (*at == '-') {
        f->negative = OWI_MINUS_LAST;
        at++;
    }
    if (*at == ' ' && !f->unit_first) {
        f->unit_gap = true;
        at++;
    }
    const size_t left = strlen(at), close = f->negative == OWI_PARENTHESES && left > 0;
    const size_t n = owi_unit_at_end(at, left - close);
    if (n >= owi_unit_size || n + close != left || (n > 0 && f->unit_first)) return false;
    if (n > 0) memcpy(f->unit, at, n);
    at += n;
    return strcmp(at, f->negative == OWI_PARENTHESES ? ")" : "") == 0;
}

/* The number is 1234567.5, with the same mark before its last three digits and before the
 * two ahead of them. */
static bool read_hundreds_pattern(const char *text, const char *first, owi_value_format *f)
{
    const char *middle = strstr(first, "34");
    if (middle == NULL || middle < first + 3) return false;
    const size_t group = (size_t)(middle - first) - 2;
    if (group >= owi_group_size || strncmp(middle + 2, first + 2, group) != 0) return false;
    const char *last = middle + 2 + group;
    if (strncmp(last, "567", 3) != 0 || (last[3] != '.' && last[3] != ',')) return false;
    if (last[4] != '5' || (group == 1 && first[2] == last[3])) return false;
    *f = (owi_value_format){.writing = OWI_NUMBER, .decimal = last[3], .by_hundreds = true};
    memcpy(f->group, first + 2, group);
    if (owi_mark_length(first + 2, middle) != group) return false;
    return read_pattern_start(text, first, f) && read_pattern_end(last + 5, f);
}

/* The number is 1234.5, whatever stands around and between its digits. */
static bool read_number_pattern(const char *text, owi_value_format *f)
{
    const char *first = strchr(text, '1');
    if (first != NULL && first[1] == '2' && read_hundreds_pattern(text, first, f))
        return true;
    const char *middle = first != NULL ? strstr(first, "234") : NULL;
    if (middle == NULL || middle[3] == '\0' || middle[4] != '5') return false;
    const size_t group = (size_t)(middle - first) - 1;
    if (group >= owi_group_size || (middle[3] != '.' && middle[3] != ',')) return false;
    if (group == 1 && first[1] == middle[3]) return false;
    *f = (owi_value_format){.writing = OWI_NUMBER, .decimal = middle[3]};
    memcpy(f->group, first + 1, group);
    if (group > 0 && owi_mark_length(first + 1, middle) != group) return false;
    return read_pattern_start(text, first, f) && read_pattern_end(middle + 5, f);
}

/* A number with limits on one side or both. */
static bool read_limited_pattern(const char *text, owi_value_format *f)
{
    const size_t gap = sizeof between - 1;
    char number[owi_pattern_size];
    const char *first = text, *low = strstr(text, between);
    if (low != NULL && *text == '<') first = low + gap;
    const char *high = strstr(first, between);
    const size_t n = high != NULL ? (size_t)(high - first) : strlen(first);
    memcpy(number, first, n);
    number[n] = '\0';
    if (!read_number_pattern(number, f)) return false;
    if (first > text && !owi_format_set_limit(f, text, (size_t)(low - text))) return false;
    return high == NULL || owi_format_set_limit(f, high + gap, strlen(high + gap));
}

bool owi_pattern_read(const char *text, owi_value_format *format)
{
    char again[owi_pattern_size];
    if (strlen(text) >= owi_pattern_size) return false;
    if (!read_date_pattern(text, format) && !read_limited_pattern(text, format))
        return false;
    owi_pattern_print(format, again);
    return strcmp(again, text) == 0;
}
