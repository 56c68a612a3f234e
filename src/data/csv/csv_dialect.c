/* SPDX-License-Identifier: MIT */
/* Which delimiter?  Each candidate cuts the same sample into records and fields; the right
 * one gives the same number of fields, at least two, record after record. */
#include <stdint.h>

#include "data/csv/csv.h"

enum { max_records = 100 };

typedef struct {
    char delimiter;
    size_t n_fields; /* the most common number, if at least two          */
    double share;    /* of the records that have it                      */
} candidate;

/* The number of fields of each record; SIZE_MAX for one that is damaged, which ends the
 * sample. The piece of a record at the end counts only if it is the first. */
static size_t count_fields(char delimiter, char *begin, const char *end, bool ended,
                           size_t counts[max_records])
{
    owi_csv_dialect dialect;
    owi_csv_record record = {0};
    size_t n = 0;
    owi_csv_dialect_init(&dialect, delimiter);
    while (n < max_records && begin < end) {
        const owi_csv_outcome outcome = owi_csv_scan(&dialect, begin, end, ended, &record);
        if (outcome == OWI_CSV_MORE) {
            if (n == 0) counts[n++] = record.n_fields + record.in_quotes;
            break;
        }
        if (outcome != OWI_CSV_RECORD) {
            counts[n++] = SIZE_MAX;
            break;
        }
        if (!record.blank) counts[n++] = record.n_fields;
        begin = record.next;
    }
    return n;
}

static candidate try(char delimiter, char *begin, const char *end, bool ended)
{
    size_t counts[max_records];
    const size_t n = count_fields(delimiter, begin, end, ended, counts);
    size_t best = 0, best_times = 0;
    for (size_t i = 0; i < n; i++) {
        if (counts[i] < 2 || counts[i] == SIZE_MAX) continue;
        size_t times = 0;
        for (size_t j = 0; j < n; j++) times += counts[j] == counts[i];
        if (times > best_times) {
            best = counts[i];
            best_times = times;
        }
    }
    return (candidate){delimiter, best, n > 0 ? (double)best_times / (double)n : 0.0};
}

static bool is_better(const candidate *a, const candidate *b)
{
    return a->share > b->share || (a->share == b->share && a->n_fields > b->n_fields);
}

char owi_csv_find_delimiter(char *begin, const char *end, bool ended)
{
    candidate best = try(',', begin, end, ended);
    const char others[] = {';', '\t', '|'};
    for (size_t i = 0; i < sizeof others; i++) {
        const candidate other = try(others[i], begin, end, ended);
        if (is_better(&other, &best)) best = other;
    }
    if (best.share >= 0.5) return best.delimiter;
    /* Sentences have spaces too, but not the same number of them. */
    const candidate space = try(' ', begin, end, ended);
    return space.share >= 0.8 ? ' ' : best.delimiter;
}

static size_t count_digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9') n++;
    return n;
}

bool owi_csv_is_decimal(const char *text, size_t length, char mark)
{
    const size_t sign = length > 0 && (text[0] == '-' || text[0] == '+') ? 1 : 0;
    const size_t whole = count_digits(text + sign, length - sign);
    if (whole == 0 || sign + whole + 1 >= length || text[sign + whole] != mark)
        return false;
    const size_t first = sign + whole + 1;
    return count_digits(text + first, length - first) == length - first;
}

const char *owi_csv_delimiter_name(char delimiter)
{
    switch (delimiter) {
    case ',':
        return "comma";
    case ';':
        return "semicolon";
    case '\t':
        return "tab";
    case '|':
        return "bar";
    default:
        return "space";
    }
}
