/* SPDX-License-Identifier: MIT */
/* One record.  The NUL behind the bytes ends every inner loop, so that none of them has to
 * compare with the end, but for the step from one window of bytes to the next; whether it
 * was that NUL or one of the file's is asked afterwards. */
#include <string.h>

#include "data/csv/csv.h"
#include "data/csv/csv_stops.h"

void owi_csv_dialect_init(owi_csv_dialect *dialect, char delimiter)
{
    memset(dialect, 0, sizeof *dialect);
    dialect->delimiter = delimiter;
    const char ends[] = {delimiter, '\n', '\r', '\0'};
    for (size_t i = 0; i < sizeof ends; i++)
        dialect->ends_field[(unsigned char)ends[i]] = true;
    memcpy(dialect->stops, dialect->ends_field, sizeof dialect->stops);
    memset(dialect->stops + 0x80, true, 0x80);
    memset(dialect->stops_quoted + 0x80, true, 0x80);
    dialect->stops_quoted['"'] = dialect->stops_quoted['\n'] = true;
    dialect->stops_quoted['\r'] = dialect->stops_quoted['\0'] = true;
}

static bool is_high(char c)
{
    return (unsigned char)c >= 0x80;
}

/* What a NUL at p means, where a record could go on. */
static OWI_INLINE owi_csv_outcome judge_nul(const char *p, const char *end, bool ended,
                                            owi_csv_outcome at_end)
{
    if (p < end) return OWI_CSV_NUL;
    return ended ? at_end : OWI_CSV_MORE;
}

/* Steps over the line end at p (CR, LF, or both). */
static OWI_INLINE char *pass_line_end(char *p, owi_csv_record *record)
{
    record->n_lines++;
    return p + (p[0] == '\r' && p[1] == '\n' ? 2 : 1);
}

/* A scan of one record, whose text ends at the NUL at `end`. */
typedef struct {
    const owi_csv_dialect *dialect;
    const char *end;
    bool ended;
    owi_csv_record *record;
} scan;

/* The scan met a byte that is not ASCII. */
static OWI_INLINE void pass_high(const scan *s, owi_csv_window *window)
{
    s->record->any_high = true;
    owi_csv_stops_pass_high(window);
}

/* The field whose opening quote is at p; record->next is left behind the closing one. */
static OWI_INLINE owi_csv_outcome scan_quoted(const scan *s, char *p, owi_csv_field *field)
{
    const bool *const stops = s->dialect->stops_quoted;
    owi_csv_record *record = s->record;
    owi_csv_stops_begin(&record->window_quoted, '"');
    record->in_quotes = true;
    record->quote_line = record->n_lines;
    field->text = ++p;
    field->doubled = false;
    for (;;) {
        p = owi_csv_next_stop(&record->window_quoted, stops, s->end, p);
        if (*p == '\0') return judge_nul(p, s->end, s->ended, OWI_CSV_UNCLOSED);
        if (is_high(*p)) {
            pass_high(s, &record->window_quoted);
            p++;
        } else if (*p != '"') {
            p = pass_line_end(p, record);
        } else if (p[1] == '"') {
            field->doubled = record->any_doubled = true;
            p += 2;
        } else {
            break;
        }
    }
    field->length = (size_t)(p - field->text);
    record->next = p + 1;
    record->in_quotes = false;
    return OWI_CSV_RECORD;
}

/* An error, once all of the text is there to be named. */
static OWI_INLINE owi_csv_outcome judge_text_after_quote(const scan *s, char *p)
{
    s->record->next = p;
    while (!s->dialect->ends_field[(unsigned char)*p]) p++;
    return p == s->end && !s->ended ? OWI_CSV_MORE : OWI_CSV_AFTER_QUOTE;
}

static OWI_INLINE char *scan_unquoted(const scan *s, char *p, owi_csv_field *field)
{
    const bool *const stops = s->dialect->stops;
    owi_csv_window *window = &s->record->window;
    field->text = p;
    field->doubled = false;
    for (;; p++) {
        p = owi_csv_next_stop(window, stops, s->end, p);
        if (!is_high(*p)) break;
        pass_high(s, window);
    }
    const char *last = p;
    while (last > field->text && last[-1] == ' ') last--;
    field->length = (size_t)(last - field->text);
    return p;
}

/* The end of the record's last line. */
static OWI_INLINE owi_csv_outcome finish(const scan *s, char *p)
{
    s->record->next = p;
    if (*p == '\0') return judge_nul(p, s->end, s->ended, OWI_CSV_RECORD);
    if (*p == '\r' && p + 1 == s->end && !s->ended) return OWI_CSV_MORE;
    s->record->next = pass_line_end(p, s->record);
    return OWI_CSV_RECORD;
}

owi_csv_outcome owi_csv_scan(const owi_csv_dialect *dialect, char *begin, const char *end,
                             bool ended, owi_csv_record *record)
{
    const char delimiter = dialect->delimiter;
    const bool by_spaces = delimiter == ' ';
    const scan s = {dialect, end, ended, record};
    owi_csv_field *const fields = record->fields;
    const size_t capacity = record->capacity;
    size_t n_fields = 0;
    bool any_text = false;
    char *p = begin;
    record->n_fields = record->n_lines = 0;
    record->any_doubled = record->any_high = record->in_quotes = false;
    owi_csv_stops_begin(&record->window, delimiter);
    for (;; p++) {
        owi_csv_field field;
        bool is_quoted = false;
        if ((unsigned char)*p <= '"') { /* most fields begin with something else */
            while (*p == ' ') p++;
            is_quoted = *p == '"';
        }
        if (is_quoted) {
            record->n_fields = n_fields;
            const owi_csv_outcome outcome = scan_quoted(&s, p, &field);
            if (outcome != OWI_CSV_RECORD) return outcome;
            any_text = true;
            p = record->next;
            while (*p == ' ' && !by_spaces) p++;
            if (!dialect->ends_field[(unsigned char)*p])
                return judge_text_after_quote(&s, p);
        } else {
            p = scan_unquoted(&s, p, &field);
            if (p == field.text && by_spaces) break; /* only spaces were left */
            any_text |= p > field.text;
        }
        if (n_fields < capacity) fields[n_fields] = field;
        n_fields++;
        if (*p != delimiter) break;
    }
    record->n_fields = n_fields;
    record->blank = !any_text && n_fields <= 1;
    return finish(&s, p);
}

static size_t undouble(char *text, size_t length)
{
    char *out = text;
    for (const char *p = text; p < text + length; p++) {
        *out++ = *p;
        if (*p == '"') p++; /* the second of the pair */
    }
    return (size_t)(out - text);
}

void owi_csv_undouble(owi_csv_record *record)
{
    if (!record->any_doubled) return;
    for (size_t i = 0; i < record->n_fields && i < record->capacity; i++) {
        owi_csv_field *field = &record->fields[i];
        if (field->doubled) field->length = undouble(field->text, field->length);
    }
}
