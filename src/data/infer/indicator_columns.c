/* SPDX-License-Identifier: MIT */
/* Names divide the columns into runs of neighbours.  For each column of a run there is a
 * set of bits: which others had a 1 in the same row as it.  In the end a run is cut, from
 * left to right, into groups that know nothing of each other's ones:
 *
 *     Area1 Area2 Area3   Soil1 Soil2 ...   a new group where a column met one of
 *                                           the group before, or where the group has a
 *                                           1 in every row and so is whole */
#include "data/infer/indicator_columns.h"

#include <ctype.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"

/* A longer run is no category; a longer group could not be read back from a schema file. */
enum { longest_run = 1024, largest_group = 256, word_bits = 64 };

typedef struct {
    size_t first, n; /* columns                                               */
    size_t n_words;  /* of a set of its columns                               */
    uint64_t *row;   /* those that have a 1 in the row at hand                */
    uint64_t *met;   /* n x n_words: for each column, those that had a 1 beside its own */
} run;

struct owi_indicators {
    ow_context *ctx;
    size_t n_columns, n_rows;
    run *runs;
    size_t n_runs;
    size_t *n_ones; /* (n_columns)                                              */
    bool *is_other; /* (n_columns): has something that is neither 0 nor 1       */
};

/* ---- Names ---- */

static bool is_number(const char *text)
{
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Soil_Type1 and Soil_Type2; sex_male and sex_female: they differ in a number, or behind a
 * mark. */
static bool are_alike(const char *a, const char *b)
{
    size_t n = 0;
    if (a == NULL || b == NULL) return false;
    while (a[n] != '\0' && a[n] == b[n]) n++;
    if (n > 0 && is_number(a + n) && is_number(b + n)) return true;
    while (n > 0 && strchr("_.:=-/| ", a[n - 1]) == NULL) n--;
    return n > 1;
}

/* The length of the run that begins at a column. */
static size_t measure_run(size_t n_columns, const char *const *names, size_t first)
{
    size_t n = 1;
    while (first + n < n_columns && are_alike(names[first + n - 1], names[first + n])) n++;
    return n;
}

static ow_status add_run(owi_indicators *indicators, size_t first, size_t n)
{
    run *r = &indicators->runs[indicators->n_runs++];
    *r = (run){.first = first, .n = n, .n_words = (n + word_bits - 1) / word_bits};
    r->row = owi_alloc_array(indicators->ctx, r->n_words, sizeof *r->row);
    r->met = owi_alloc_array(indicators->ctx, n * r->n_words, sizeof *r->met);
    return r->row != NULL && r->met != NULL ? OW_OK : OW_ERR_MEMORY;
}

static ow_status make(ow_context *ctx, size_t n_columns, owi_indicators **out)
{
    owi_indicators *indicators = owi_alloc_zeroed(ctx, sizeof *indicators);
    *out = indicators;
    if (indicators == NULL) return OW_ERR_MEMORY;
    indicators->ctx = ctx;
    indicators->n_columns = n_columns;
    indicators->runs = owi_alloc_array(ctx, n_columns / 2, sizeof *indicators->runs);
    indicators->n_ones = owi_alloc_array(ctx, n_columns, sizeof *indicators->n_ones);
    indicators->is_other = owi_alloc_array(ctx, n_columns, sizeof *indicators->is_other);
    return indicators->runs != NULL && indicators->n_ones != NULL &&
                   indicators->is_other != NULL
               ? OW_OK
               : OW_ERR_MEMORY;
}

/* *out, or nothing where it failed. */
static ow_status give(ow_status status, owi_indicators **out)
{
    if (status == OW_OK) return OW_OK;
    owi_indicators_free(*out);
    *out = NULL;
    return status;
}

ow_status owi_indicators_new(ow_context *ctx, size_t n_columns, const char *const *names,
                             owi_indicators **out)
{
    ow_status status = make(ctx, n_columns, out);
    for (size_t first = 0, n; first < n_columns && status == OW_OK; first += n) {
        n = measure_run(n_columns, names, first);
        if (n > 1 && n <= longest_run) status = add_run(*out, first, n);
    }
    return give(status, out);
}

ow_status owi_indicators_copy(const owi_indicators *indicators, owi_indicators **out)
{
    ow_status status = make(indicators->ctx, indicators->n_columns, out);
    for (size_t i = 0; i < indicators->n_runs && status == OW_OK; i++)
        status = add_run(*out, indicators->runs[i].first, indicators->runs[i].n);
    return give(status, out);
}

void owi_indicators_free(owi_indicators *indicators)
{
    if (indicators == NULL) return;
    for (size_t i = 0; i < indicators->n_runs; i++) {
        owi_free(indicators->ctx, indicators->runs[i].row);
        owi_free(indicators->ctx, indicators->runs[i].met);
    }
    owi_free(indicators->ctx, indicators->runs);
    owi_free(indicators->ctx, indicators->n_ones);
    owi_free(indicators->ctx, indicators->is_other);
    owi_free(indicators->ctx, indicators);
}

/* ---- Rows ---- */

static bool is_word(const char *text, size_t length, const char *word)
{
    if (length != strlen(word)) return false;
    for (size_t i = 0; i < length; i++)
        if (tolower((unsigned char)text[i]) != word[i]) return false;
    return true;
}

int owi_indicator_value(const char *text, size_t length)
{
    if (length == 1) return text[0] == '0' ? 0 : text[0] == '1' ? 1 : -1;
    if (is_word(text, length, "false") || is_word(text, length, "0.0")) return 0;
    return is_word(text, length, "true") || is_word(text, length, "1.0") ? 1 : -1;
}

static int value_of(const owi_cell *cell)
{
    if (cell->text != NULL) return owi_indicator_value(cell->text, cell->length);
    return cell->number == 0.0 ? 0 : cell->number == 1.0 ? 1 : -1;
}

static void look_at(owi_indicators *indicators, run *r, const owi_cell *cells)
{
    memset(r->row, 0, r->n_words * sizeof *r->row);
    for (size_t k = 0; k < r->n; k++) {
        const size_t j = r->first + k;
        if (indicators->is_other[j]) continue;
        const int value = value_of(&cells[j]);
        indicators->is_other[j] = value < 0;
        if (value == 1) r->row[k / word_bits] |= (uint64_t)1 << k % word_bits;
    }
    for (size_t k = 0; k < r->n; k++) {
        if ((r->row[k / word_bits] >> k % word_bits & 1) == 0) continue;
        indicators->n_ones[r->first + k]++;
        for (size_t w = 0; w < r->n_words; w++) r->met[k * r->n_words + w] |= r->row[w];
    }
}

void owi_indicators_add_row(owi_indicators *indicators, const owi_cell *cells)
{
    for (size_t i = 0; i < indicators->n_runs; i++)
        look_at(indicators, &indicators->runs[i], cells);
    indicators->n_rows++;
}

/* ---- Rows that others have looked at ---- */

void owi_indicators_restart(owi_indicators *indicators)
{
    const size_t n = indicators->n_columns;
    indicators->n_rows = 0;
    memset(indicators->n_ones, 0, n * sizeof *indicators->n_ones);
    memset(indicators->is_other, 0, n * sizeof *indicators->is_other);
    for (size_t i = 0; i < indicators->n_runs; i++) {
        run *r = &indicators->runs[i];
        memset(r->met, 0, r->n * r->n_words * sizeof *r->met);
    }
}

void owi_indicators_join(owi_indicators *a, const owi_indicators *b)
{
    a->n_rows += b->n_rows;
    for (size_t j = 0; j < a->n_columns; j++) {
        a->n_ones[j] += b->n_ones[j];
        a->is_other[j] = a->is_other[j] || b->is_other[j];
    }
    for (size_t i = 0; i < a->n_runs; i++)
        for (size_t k = 0; k < a->runs[i].n * a->runs[i].n_words; k++)
            a->runs[i].met[k] |= b->runs[i].met[k];
}

ow_status owi_indicators_write(const owi_indicators *indicators, owi_byte_list *to)
{
    const size_t n = indicators->n_columns;
    OWI_TRY(owi_byte_list_add(to, &indicators->n_rows, sizeof indicators->n_rows));
    OWI_TRY(owi_byte_list_add(to, indicators->n_ones, n * sizeof *indicators->n_ones));
    OWI_TRY(owi_byte_list_add(to, indicators->is_other, n * sizeof *indicators->is_other));
    for (size_t i = 0; i < indicators->n_runs; i++) {
        const run *r = &indicators->runs[i];
        OWI_TRY(owi_byte_list_add(to, r->met, r->n * r->n_words * sizeof *r->met));
    }
    return OW_OK;
}

void owi_indicators_read(const unsigned char **from, owi_indicators *indicators)
{
    const size_t n = indicators->n_columns;
    owi_bytes_take(from, &indicators->n_rows, sizeof indicators->n_rows);
    owi_bytes_take(from, indicators->n_ones, n * sizeof *indicators->n_ones);
    owi_bytes_take(from, indicators->is_other, n * sizeof *indicators->is_other);
    for (size_t i = 0; i < indicators->n_runs; i++) {
        const run *r = &indicators->runs[i];
        owi_bytes_take(from, r->met, r->n * r->n_words * sizeof *r->met);
    }
}

/* ---- The outcome ---- */

typedef struct {
    size_t columns[longest_run], n; /* of the run */
    size_t n_ones;
    double squares; /* of each column's number of ones, added up */
} candidate;

static bool has_met(const run *r, const candidate *group, size_t k)
{
    for (size_t i = 0; i < group->n; i++) {
        const size_t other = group->columns[i];
        if (r->met[k * r->n_words + other / word_bits] >> other % word_bits & 1)
            return true;
    }
    return false;
}

/* Of columns that do not care for each other a and b are both 1 in n_a n_b / n rows; that
 * no row has any such pair then has the probability exp(-(sum over pairs of n_a n_b /
 * n)). */
static bool is_no_chance(const owi_indicators *indicators, const candidate *group)
{
    const double one_in_a_million = 13.8; /* log(10^6) */
    const double all = (double)group->n_ones;
    return (all * all - group->squares) / (2.0 * (double)indicators->n_rows) >
           one_in_a_million;
}

static void end_group(const owi_indicators *indicators, const run *r, candidate *group,
                      size_t *n_groups, size_t *numbers)
{
    if (group->n >= 2 && group->n <= largest_group && is_no_chance(indicators, group)) {
        ++*n_groups;
        for (size_t i = 0; i < group->n; i++)
            numbers[r->first + group->columns[i]] = *n_groups;
    }
    *group = (candidate){0};
}

void owi_indicators_finish(const owi_indicators *indicators, size_t *group)
{
    size_t n_groups = 0;
    memset(group, 0, indicators->n_columns * sizeof *group);
    for (size_t i = 0; i < indicators->n_runs; i++) {
        const run *r = &indicators->runs[i];
        candidate now = {0};
        for (size_t k = 0; k < r->n; k++) {
            const size_t n_ones = indicators->n_ones[r->first + k];
            if (indicators->is_other[r->first + k] || n_ones == 0) continue;
            if (now.n_ones == indicators->n_rows || has_met(r, &now, k))
                end_group(indicators, r, &now, &n_groups, group);
            now.columns[now.n++] = k;
            now.n_ones += n_ones;
            now.squares += (double)n_ones * (double)n_ones;
        }
        end_group(indicators, r, &now, &n_groups, group);
    }
}
