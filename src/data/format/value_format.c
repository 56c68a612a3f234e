/* SPDX-License-Identifier: MIT */
#include "data/format/value_format.h"

#include <stdio.h>
#include <string.h>

bool owi_value_read(const owi_value_format *format, const char *text, size_t length,
                    double *value, int *decimals)
{
    switch (format->writing) {
    case OWI_NUMBER:
        return owi_amount_read(format, text, length, value, decimals);
    case OWI_DATE:
        if (decimals != NULL) *decimals = format->between == '\0' ? 0 : -1;
        return owi_date_read(format, text, length, value);
    default:
        return owi_parse_number(text, length, value, decimals);
    }
}

size_t owi_value_print(const owi_value_format *format, double value, int decimals,
                       char text[owi_value_size])
{
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

static void print_date_pattern(const owi_value_format *f, char text[owi_pattern_size])
{
    static const char *const padded[] = {"yyyy%cmm%cdd", "dd%cmm%cyyyy", "mm%cdd%cyyyy"};
    static const char *const plain[] = {"yyyy%cm%cd", "d%cm%cyyyy", "m%cd%cyyyy"};
    const char *const *forms = f->unpadded ? plain : padded;
    size_t n = 0;
    for (const char *p = forms[f->order]; *p != '\0'; p++) {
        text[n++] = *p == '%' ? f->separator : *p;
        p += *p == '%';
    }
    if (f->short_year) n -= 2; /* the year is last */
    text[n] = '\0';
    if (f->between == '\0') return;
    n += (size_t)snprintf(text + n, owi_pattern_size - n, "%cHH:MM%s", f->between,
                          f->has_seconds ? ":SS" : "");
    if (f->fraction > 0)
        n += (size_t)snprintf(text + n, owi_pattern_size - n, ".%.*s", f->fraction,
                              "ffffff");
    snprintf(text + n, owi_pattern_size - n, "%s", f->zone);
}

void owi_pattern_print(const owi_value_format *format, char text[owi_pattern_size])
{
    char number[owi_value_size];
    if (format->writing == OWI_DATE) {
        print_date_pattern(format, text);
        return;
    }
    /* A negative number only where that shows something. */
    owi_amount_print(format, format->negative == OWI_MINUS_FIRST ? 1234.5 : -1234.5, 1,
                     number);
    number[owi_pattern_size - 1] = '\0';
    memcpy(text, number, strlen(number) + 1);
}

static const char *take_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    return strncmp(text, word, n) == 0 ? text + n : NULL;
}

static bool read_time_pattern(const char *text, owi_value_format *f)
{
    if (*text == '\0') return true;
    if (*text != ' ' && *text != 'T') return false;
    f->between = *text;
    const char *p = take_word(text + 1, "HH:MM");
    if (p == NULL) return false;
    const char *seconds = take_word(p, ":SS");
    f->has_seconds = seconds != NULL;
    if (seconds != NULL) p = seconds;
    if (f->has_seconds && *p == '.') {
        const size_t n = strspn(p + 1, "f");
        if (n < 1 || n > 6) return false;
        f->fraction = (int)n;
        p += 1 + n;
    }
    if (strlen(p) >= owi_zone_size || strspn(p, "Z+-:0123456789") != strlen(p))
        return false;
    memcpy(f->zone, p, strlen(p) + 1);
    return true;
}

static bool read_date_pattern(const char *text, owi_value_format *f)
{
    static const struct {
        const char *parts[3];
        owi_date_order order;
        bool unpadded, short_year;
    } forms[] = {{{"yyyy", "mm", "dd"}, OWI_YMD, false, false},
                 {{"dd", "mm", "yyyy"}, OWI_DMY, false, false},
                 {{"mm", "dd", "yyyy"}, OWI_MDY, false, false},
                 {{"yyyy", "m", "d"}, OWI_YMD, true, false},
                 {{"d", "m", "yyyy"}, OWI_DMY, true, false},
                 {{"m", "d", "yyyy"}, OWI_MDY, true, false},
                 {{"dd", "mm", "yy"}, OWI_DMY, false, true},
                 {{"mm", "dd", "yy"}, OWI_MDY, false, true},
                 {{"d", "m", "yy"}, OWI_DMY, true, true},
                 {{"m", "d", "yy"}, OWI_MDY, true, true}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        const char *p = take_word(text, forms[i].parts[0]);
        if (p == NULL || *p == '\0' || strchr("-./", *p) == NULL) continue;
        const char separator = *p;
        p = take_word(p + 1, forms[i].parts[1]);
        if (p == NULL || *p != separator) continue;
        p = take_word(p + 1, forms[i].parts[2]);
        if (p == NULL) continue;
        *f = (owi_value_format){.writing = OWI_DATE,
                                .order = forms[i].order,
                                .separator = separator,
                                .unpadded = forms[i].unpadded,
                                .short_year = forms[i].short_year};
        return read_time_pattern(p, f);
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

/* The number is 1234.5, whatever stands around and between its digits. */
static bool read_number_pattern(const char *text, owi_value_format *f)
{
    const char *first = strchr(text, '1');
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

bool owi_pattern_read(const char *text, owi_value_format *format)
{
    char again[owi_pattern_size];
    if (strlen(text) >= owi_pattern_size) return false;
    if (!read_date_pattern(text, format) && !read_number_pattern(text, format))
        return false;
    owi_pattern_print(format, again);
    return strcmp(again, text) == 0;
}
