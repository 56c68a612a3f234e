/* SPDX-License-Identifier: MIT */
/* Every text of a sample proposes the formats in which it could be read; all texts then
 * vote by being readable or not. */
#include "data/format/format_guess.h"

#include <stdio.h>
#include <string.h>

enum { max_candidates = 48, max_proposing = 256 };

typedef struct {
    owi_value_format formats[max_candidates];
    size_t n;
} candidates;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A format that is there already is not added again. */
static void propose(candidates *c, const owi_value_format *format)
{
    char pattern[owi_pattern_size], other[owi_pattern_size];
    owi_pattern_print(format, pattern);
    for (size_t i = 0; i < c->n; i++) {
        if (c->formats[i].writing == OWI_PLAIN) continue;
        owi_pattern_print(&c->formats[i], other);
        if (strcmp(pattern, other) == 0) return;
    }
    if (c->n < max_candidates) c->formats[c->n++] = *format;
}

/* ---- Dates ---- */

/* The time behind a date, " 12:30", "T12:30:00.250Z" or " 1:05 PM", added to a layout of n
 * characters. */
static bool look_at_time(const char *p, const char *end, char *layout, size_t n)
{
    if (p == end) return true;
    if (*p != ' ' && *p != 'T') return false;
    layout[n++] = *p++;
    const bool is_short = end - p > 1 && p[1] == ':';
    if (end - p < (is_short ? 4 : 5)) return false;
    n += (size_t)sprintf(layout + n, is_short ? "H:MM" : "HH:MM");
    p += is_short ? 4 : 5;
    const bool has_seconds = end - p >= 3 && *p == ':';
    if (has_seconds) {
        n += (size_t)sprintf(layout + n, ":SS");
        p += 3;
    }
    if (has_seconds && p < end && *p == '.') {
        const char *const first = p++;
        while (p < end && is_digit(*p)) p++;
        if (p - first < 2 || p - first > 7) return false;
        n += (size_t)sprintf(layout + n, ".%.*s", (int)(p - first) - 1, "ffffff");
    }
    const char *half = p + (p < end && *p == ' ');
    if (end - half >= 2 && (half[1] == 'M' || half[1] == 'm') &&
        memchr("APap", *half, 4) != NULL) {
        n += (size_t)sprintf(layout + n, "%s%s", half > p ? " " : "",
                             half[1] == 'M' ? "AM" : "am");
        p = half + 2;
    }
    if (!owi_is_zone(p, (size_t)(end - p))) return false;
    memcpy(layout + n, p, (size_t)(end - p));
    layout[n + (size_t)(end - p)] = '\0';
    return true;
}

/* Years of two digits do not stand behind hyphens, where they may be days; points stand
 * behind the day, not the month; and 2024.03 is a number. */
static bool is_proposed(const char *layout)
{
    const bool has_name = strchr(layout, 'M') != NULL;
    const bool has_year = strstr(layout, "yyyy") != NULL;
    if (!has_name && strchr(layout, '-') != NULL && !has_year) return false;
    if (strchr(layout, '.') == NULL) return true;
    return layout[0] != 'm' && strchr(layout, 'd') != NULL;
}

/* Whether the text is a date in this layout of one, with a time or without; format is then
 * its own. */
static bool fits_date(const char *layout, const owi_written *w, owi_value_format *format)
{
    double value;
    const size_t n = owi_date_begin(layout, w->text, w->length, &value);
    if (n == 0) return false;
    *format = (owi_value_format){.writing = OWI_DATE};
    memcpy(format->layout, layout, strlen(layout));
    return look_at_time(w->text + n, w->text + w->length, format->layout, strlen(layout)) &&
           owi_date_read(format, w->text, w->length, &value);
}

/* What every date has: two digits, and six bytes to fifty. */
static bool may_be_date(const owi_written *w)
{
    size_t n_digits = 0;
    if (w->length < 6 || w->length >= owi_layout_size) return false;
    for (size_t i = 0; i < w->length; i++) n_digits += is_digit(w->text[i]);
    return n_digits >= 2;
}

static void propose_dates(candidates *c, const owi_written *w)
{
    char layout[owi_layout_size];
    owi_value_format f;
    if (!may_be_date(w)) return;
    for (size_t i = 0; owi_date_layout(i, layout); i++)
        if (is_proposed(layout) && fits_date(layout, w, &f)) propose(c, &f);
}

size_t owi_count_dates(size_t n, const owi_written *texts)
{
    size_t n_cells = 0;
    for (size_t k = 0; k < n; k++) {
        char layout[owi_layout_size];
        owi_value_format f;
        bool is_date = false;
        if (!may_be_date(&texts[k])) continue;
        for (size_t i = 0; !is_date && owi_date_layout(i, layout); i++)
            is_date = is_proposed(layout) && fits_date(layout, &texts[k], &f);
        n_cells += is_date ? texts[k].count : 0;
    }
    return n_cells;
}

/* ---- Numbers ---- */

/* The marks between the digits of a number. */
typedef struct {
    char marks[2][owi_group_size]; /* different ones, in order of appearance */
    size_t n_marks, times[2];      /* how often each occurs                  */
} body;

static bool look_at_body(const char *p, const char *end, body *b)
{
    *b = (body){0};
    if (p == end || !is_digit(*p)) return false;
    while (p < end) {
        if (is_digit(*p)) {
            p++;
            continue;
        }
        const size_t n = owi_mark_length(p, end);
        if (n == 0 || p + n == end) return false;
        size_t i = 0;
        while (i < b->n_marks &&
               (strlen(b->marks[i]) != n || memcmp(b->marks[i], p, n) != 0))
            i++;
        if (i == 2 || (b->n_marks == 2 && i == 0)) return false; /* 1,234.5,6 */
        if (i == b->n_marks) memcpy(b->marks[b->n_marks++], p, n);
        b->times[i]++;
        p += n;
    }
    return true;
}

/* Takes signs, parentheses and a unit off; unit and unit_gap of f are set. */
static bool look_at_unit(const char **first, const char **last, owi_value_format *f)
{
    const char *p = *first, *end = *last;
    while (p < end && (*p == '(' || *p == '-' || *p == '+' || *p == ' ')) p++;
    if (end - p >= 3 && memcmp(p, "\xe2\x88\x92", 3) == 0) p += 3;
    while (end > p && (end[-1] == ')' || end[-1] == '-' || end[-1] == ' ')) end--;
    const size_t before = owi_unit_at_start(p, (size_t)(end - p));
    const size_t behind = before > 0 ? 0 : owi_unit_at_end(p, (size_t)(end - p));
    if (before >= owi_unit_size || behind >= owi_unit_size) return false;
    memcpy(f->unit, before > 0 ? p : end - behind, before + behind);
    f->unit_first = before > 0;
    p += before;
    end -= behind;
    const char *const start = p, *const stop = end;
    for (;;) {
        if (p < end && (*p == ' ' || *p == '-' || *p == '+'))
            p++;
        else if (end - p > 2 && memcmp(p, "\xc2\xa0", 2) == 0)
            p += 2;
        else
            break;
    }
    while (end > p && (end[-1] == ' ' || end[-1] == '-')) end--;
    if (end - p > 2 && memcmp(end - 2, "\xc2\xa0", 2) == 0) end -= 2;
    f->unit_gap = f->unit[0] != '\0' && (f->unit_first ? p > start && *start != '-'
                                                       : end < stop && stop[-1] != '-');
    *first = p;
    *last = end;
    return p < end;
}

static void propose_marks(candidates *c, owi_value_format f, const char *group,
                          char decimal)
{
    memset(f.group, 0, sizeof f.group);
    if (group[0] == decimal) return;
    memcpy(f.group, group, strlen(group));
    f.decimal = decimal;
    propose(c, &f);
    f.by_hundreds = true;
    if (group[0] != '\0') propose(c, &f);
}

static void propose_numbers(candidates *c, const owi_written *w, bool decimal_comma)
{
    const char *first = w->text, *last = w->text + w->length;
    owi_value_format f = {.writing = OWI_NUMBER};
    body b;
    if (!look_at_unit(&first, &last, &f) || !look_at_body(first, last, &b)) return;
    const char usual = decimal_comma ? ',' : '.';
    const char mark = b.n_marks > 0 ? b.marks[0][0] : '\0';
    if (b.n_marks == 0) {
        propose_marks(c, f, "", usual);
    } else if (b.n_marks == 2) {
        const char decimal = b.marks[1][0];
        if (decimal == '.' || decimal == ',') propose_marks(c, f, b.marks[0], decimal);
    } else if (mark == '.' || mark == ',') {
        const char other = mark == ',' ? '.' : ',';
        const bool decimal_first = mark == usual;
        if (decimal_first) propose_marks(c, f, "", mark);
        propose_marks(c, f, b.marks[0], other);
        if (!decimal_first) propose_marks(c, f, "", mark);
    } else {
        propose_marks(c, f, b.marks[0], usual);
    }
}

/* ---- The vote ---- */

/* Whether the unit is one of measure, and no currency. */
static bool has_measure(const owi_value_format *format)
{
    return format->unit[0] != '\0' &&
           owi_unit_at_start(format->unit, strlen(format->unit)) == 0;
}

/* A unit of measure stands in half of the cells or more, or the format reads none. */
static size_t count_readable(const owi_value_format *format, size_t n,
                             const owi_written *texts)
{
    const size_t unit = strlen(format->unit);
    size_t n_cells = 0, n_with_unit = 0;
    for (size_t i = 0; i < n; i++) {
        double value;
        const owi_written *w = &texts[i];
        if (!owi_value_read(format, w->text, w->length, &value, NULL)) continue;
        n_cells += w->count;
        if (w->length > unit && memcmp(w->text + w->length - unit, format->unit, unit) == 0)
            n_with_unit += w->count;
    }
    return has_measure(format) && n_with_unit * 2 < n_cells ? 0 : n_cells;
}

/* How negative numbers are written, by the first one. */
static owi_negative look_at_negatives(const owi_value_format *format, size_t n,
                                      const owi_written *texts)
{
    for (size_t i = 0; i < n; i++) {
        double value;
        const char *text = texts[i].text;
        const size_t length = texts[i].length, unit = strlen(format->unit);
        if (!owi_value_read(format, text, length, &value, NULL) || !(value < 0.0)) continue;
        if (memchr(text, '(', length) != NULL) return OWI_PARENTHESES;
        if (text[0] == '-' || (unsigned char)text[0] == 0xe2) return OWI_MINUS_FIRST;
        if (format->unit_first && length > unit && text[length - 1] != '-')
            return OWI_MINUS_AFTER_UNIT;
        return OWI_MINUS_LAST;
    }
    return OWI_MINUS_FIRST;
}

/* Whether day and month could as well be the other way round. */
static bool is_ambiguous(const owi_value_format *format, size_t n, const owi_written *texts,
                         size_t n_readable)
{
    if (format->writing != OWI_DATE) return false;
    owi_value_format other = *format;
    bool is_swapped[2] = {false, false};
    for (char *p = other.layout; *p != '\0' && *p != 'y'; p++) {
        if (*p == '.') return false;
        if (*p != 'd' && *p != 'm') continue;
        is_swapped[*p == 'd'] = true;
        *p = *p == 'd' ? 'm' : 'd';
    }
    if (!is_swapped[0] || !is_swapped[1]) return false;
    return count_readable(&other, n, texts) == n_readable;
}

/* As owi_guess_format, without limits. */
static size_t guess_format(size_t n, const owi_written *texts, bool decimal_comma,
                           owi_value_format *format)
{
    candidates c = {.n = 0};
    size_t most = 0, best = 0;
    *format = (owi_value_format){.writing = OWI_PLAIN};
    /* In a file with decimal commas a point separates thousands. */
    if (!decimal_comma) c.n = 1;
    const size_t step = n / max_proposing + 1;
    for (size_t i = 0; i < n; i += step) {
        double value;
        if (!decimal_comma &&
            owi_parse_number(texts[i].text, texts[i].length, &value, NULL))
            continue;
        propose_dates(&c, &texts[i]);
        propose_numbers(&c, &texts[i], decimal_comma);
    }
    for (size_t i = 0; i < c.n; i++) {
        const size_t n_readable = count_readable(&c.formats[i], n, texts);
        if (n_readable <= most) continue;
        most = n_readable;
        best = i;
    }
    if (most == 0) return 0;
    if (is_ambiguous(&c.formats[best], n, texts, most)) {
        *format = c.formats[best];
        return 0;
    }
    /* Whole numbers have no decimal commas. */
    if (c.formats[best].group[0] == '\0' && count_readable(format, n, texts) == most)
        return most;
    *format = c.formats[best];
    if (format->writing == OWI_NUMBER)
        format->negative = look_at_negatives(format, n, texts);
    return most;
}

size_t owi_guess_format(size_t n, const owi_written *texts, bool decimal_comma,
                        owi_value_format *format)
{
    const size_t n_readable = guess_format(n, texts, decimal_comma, format);
    if (n_readable == 0) return 0;
    return n_readable + owi_guess_limits(n, texts, decimal_comma, format);
}

size_t owi_find_units(size_t n, const owi_written *texts,
                      char units[owi_most_units][owi_unit_size])
{
    size_t n_units = 0, n_amounts = 0, n_seen = 0;
    const size_t step = n / max_proposing + 1;
    for (size_t i = 0; i < n; i += step, n_seen++) {
        const char *first = texts[i].text, *last = first + texts[i].length;
        owi_value_format f = {.writing = OWI_NUMBER};
        body b;
        if (!look_at_unit(&first, &last, &f) || !look_at_body(first, last, &b)) continue;
        if (f.unit[0] == '\0') continue;
        n_amounts++;
        size_t k = 0;
        while (k < n_units && strcmp(units[k], f.unit) != 0) k++;
        if (k == n_units && k < owi_most_units)
            memcpy(units[n_units++], f.unit, sizeof f.unit);
    }
    return n_units > 1 && n_amounts * 10 >= n_seen * 9 ? n_units : 0;
}

/* ---- Words ---- */

bool owi_is_missing_word(const char *text, size_t length, bool *rare_only)
{
    static const char *const words[] = {
        "n/a", "#n/a", "#n/v", "n.a.", "na", "unknown", "missing", "-", "--", ".", "inf",
        "-inf", "+inf", "infinity", "-infinity", "not available", "unbekannt", "k.a.",
        "k. a.", "keine angabe", "#value!", "#div/0!", "#ref!", "#name?", "#num!", "#null!",
        "(blank)", "\\n", "<na>", "nat", "none", "n.d.", "n/d", "#n/d", "s/d", "(not set)",
        "not set", "(none)", "(null)", "(empty)", "refused", "don't know", "nil",
        "weiß nicht", "not applicable",
        /* The first day of a database that has none. */
        "0000-00-00", "00.00.0000", "00/00/0000", "0000-00-00 00:00:00"};
    enum { n_words = sizeof words / sizeof *words, longest = 24 };
    char lower[longest];
    if (length == 0 || length >= longest) return false;
    for (size_t i = 0; i < length; i++)
        lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a' : text[i]);
    for (size_t i = 0; i < n_words; i++) {
        if (strlen(words[i]) != length || memcmp(words[i], lower, length) != 0) continue;
        *rare_only = strcmp(words[i], "none") == 0;
        return true;
    }
    return false;
}
