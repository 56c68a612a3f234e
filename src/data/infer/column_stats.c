/* SPDX-License-Identifier: MIT */
#include "data/infer/column_stats.h"

#include <math.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "data/infer/linked_columns.h"

void owi_column_stats_begin(owi_column_stats *stats, ow_context *ctx, const char *name,
                            bool is_category, size_t max_numbers)
{
    *stats = (owi_column_stats){.ctx = ctx,
                                .name = name,
                                .is_category = is_category,
                                .max_numbers = max_numbers,
                                .all_whole = true,
                                .all_digits = true,
                                .in_sequence = true};
}

/* From now on numbers are not counted any more. */
static void forget_values(owi_column_stats *stats)
{
    owi_string_map_free(stats->texts);
    owi_free(stats->ctx, stats->values);
    stats->texts = NULL;
    stats->values = NULL;
}

void owi_column_stats_clear(owi_column_stats *stats)
{
    if (stats->ctx == NULL) return;
    forget_values(stats);
    owi_free(stats->ctx, stats->first_text);
    owi_free(stats->ctx, stats->sums);
    owi_string_map_free(stats->words);
    owi_string_map_free(stats->outside);
    *stats = (owi_column_stats){0};
}

/* ---- Figures ---- */

/* All but the moments of a number that occurs so many times more. */
static void note_number(owi_column_stats *stats, double number, int decimals, size_t times)
{
    if (!owi_is_whole(number)) stats->all_whole = false;
    owi_join_decimals(&stats->decimals, decimals);
    owi_extremes_add(&stats->extremes, number, times);
}

void owi_number_sums_add(owi_number_sums *sums, double number, bool has_log)
{
    owi_moment_sums_add(&sums->plain, number);
    if (has_log) owi_moment_sums_add(&sums->log, log1p(number));
}

static void add_number(owi_column_stats *stats, double number, int decimals)
{
    note_number(stats, number, decimals, 1);
    owi_number_sums_add(stats->sums, number, stats->extremes.low[0].number >= 0.0);
}

static double itself(double number)
{
    return number;
}

/* The moments of f(x) over all n counted values in two passes: the mean of whole numbers is
 * then the exact one, rounded once. */
static owi_moments count_moments(const owi_value *values, size_t n, double (*f)(double))
{
    owi_moments moments = {0};
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) {
        if (isnan(values[k].number)) continue;
        moments.n += (double)values[k].count;
        sum += (double)values[k].count * f(values[k].number);
    }
    if (moments.n > 0.0) moments.mean = sum / moments.n;
    for (size_t k = 0; k < n; k++) {
        if (isnan(values[k].number)) continue;
        const double difference = f(values[k].number) - moments.mean;
        moments.m2 += (double)values[k].count * difference * difference;
    }
    return moments;
}

/* From the counts to the figures. */
static void add_counted_numbers(owi_column_stats *stats)
{
    const size_t n = stats->texts != NULL ? owi_string_map_count(stats->texts) : 0;
    const owi_value *values = stats->values;
    for (size_t k = 0; k < n; k++)
        if (!isnan(values[k].number))
            note_number(stats, values[k].number, values[k].decimals, values[k].count);
    const owi_moments moments = count_moments(values, n, itself);
    owi_moments_join(&stats->moments, &moments);
    if (stats->extremes.n_low == 0 || stats->extremes.low[0].number < 0.0) return;
    const owi_moments log_moments = count_moments(values, n, log1p);
    owi_moments_join(&stats->log_moments, &log_moments);
}

/* From now on numbers are summed, around the mean of those counted. */
static ow_status begin_sums(owi_column_stats *stats)
{
    stats->sums = owi_alloc_zeroed(stats->ctx, sizeof *stats->sums);
    if (stats->sums == NULL) return OW_ERR_MEMORY;
    stats->sums->plain.centre = stats->moments.mean;
    stats->sums->log.centre = stats->log_moments.mean;
    return OW_OK;
}

ow_status owi_column_stats_finish(owi_column_stats *stats)
{
    if (!stats->is_settled) OWI_TRY(owi_column_stats_settle(stats));
    if (stats->is_settled && owi_column_stats_has_too_many_words(stats))
        stats->n_texts = stats->n_stray;
    add_counted_numbers(stats);
    if (stats->sums == NULL) return OW_OK;
    const owi_moments further = owi_moment_sums_value(&stats->sums->plain);
    const owi_moments further_log = owi_moment_sums_value(&stats->sums->log);
    owi_moments_join(&stats->moments, &further);
    owi_moments_join(&stats->log_moments, &further_log);
    return OW_OK;
}

/* ---- Cells ---- */

/* A cell that is no number, the first of which is kept to be shown. */
static ow_status note_text(owi_column_stats *stats, const owi_cell *cell)
{
    char buffer[owi_number_size];
    size_t length;
    const char *text = owi_cell_text(cell, buffer, &length);
    stats->n_text_bytes += length;
    if (stats->n_texts++ > 0) return OW_OK;
    stats->first_text = owi_copy_text(stats->ctx, text, length);
    return stats->first_text != NULL ? OW_OK : OW_ERR_MEMORY;
}

static void follow_sequence(owi_column_stats *stats, double number)
{
    if (stats->n_present > 1 && number != stats->last_number + 1.0)
        stats->in_sequence = false;
    stats->last_number = number;
}

/* Too many values for their kind: numbers are told by their figures from here on, texts end
 * it. */
static ow_status check_limits(owi_column_stats *stats)
{
    const size_t n = owi_string_map_count(stats->texts);
    if (n == stats->max_numbers + 1 && !stats->is_category) {
        OWI_TRY(owi_column_stats_settle(stats));
        if (owi_column_stats_is_number(stats)) {
            stats->is_settled = true;
            add_counted_numbers(stats);
            forget_values(stats);
            return begin_sums(stats);
        }
    }
    if (n <= owi_max_levels && owi_string_map_size(stats->texts) <= owi_max_level_bytes)
        return OW_OK;
    if (stats->may_be_carried && !stats->is_category) {
        stats->has_too_many = true;
        forget_values(stats);
        return OW_OK;
    }
    char quoted[owi_quote_size];
    return owi_fail(OW_ERR_SCHEMA,
                    "column %s has more than %zu different texts in %zu rows, too many for "
                    "categories; drop it if it is an identifier or free text",
                    owi_quote_text(stats->name, quoted), n - 1, stats->n_present);
}

/* Codes such as 01069 are digits throughout, some of them with a zero in front. */
static void note_digits(owi_column_stats *stats, const owi_cell *cell)
{
    size_t n = 0;
    while (cell->text != NULL && n < cell->length && cell->text[n] >= '0' &&
           cell->text[n] <= '9')
        n++;
    stats->all_digits = n > 0 && n == cell->length;
    if (stats->all_digits && n > 1 && cell->text[0] == '0') stats->has_leading_zero = true;
}

/* Numbers a value that is new. */
static ow_status add_value(owi_column_stats *stats, const owi_cell *cell, size_t index)
{
    OWI_TRY(owi_grow(stats->ctx, &stats->values, &stats->values_capacity, index + 1,
                     sizeof *stats->values));
    owi_value *value = &stats->values[index];
    *value = (owi_value){.number = NAN};
    if (!owi_cell_number(cell, &value->number, &value->decimals)) value->number = NAN;
    if (stats->all_digits) note_digits(stats, cell);
    return OW_OK;
}

static ow_status add_counted(owi_column_stats *stats, const owi_cell *cell, int32_t *id)
{
    char buffer[owi_number_size];
    size_t length, index;
    const char *text = owi_cell_text(cell, buffer, &length);
    const size_t n_before = owi_string_map_count(stats->texts);
    OWI_TRY(owi_string_map_add(stats->texts, text, length, &index));
    if (index == n_before) OWI_TRY(add_value(stats, cell, index));
    owi_value *value = &stats->values[index];
    value->count++;
    if (isnan(value->number))
        OWI_TRY(note_text(stats, cell));
    else
        follow_sequence(stats, value->number);
    if (index == n_before) OWI_TRY(check_limits(stats));
    *id = stats->texts != NULL ? (int32_t)index : owi_id_lost;
    return OW_OK;
}

static ow_status add_uncounted(owi_column_stats *stats, const owi_cell *cell)
{
    double number;
    int decimals;
    if (!owi_cell_read(cell, &stats->format, &number, &decimals))
        return owi_column_stats_add_word(stats, cell);
    follow_sequence(stats, number);
    add_number(stats, number, decimals);
    return OW_OK;
}

ow_status owi_column_stats_add(owi_column_stats *stats, const owi_cell *cell, int32_t *id)
{
    *id = owi_id_missing;
    if (owi_cell_is_missing(cell)) {
        stats->n_missing++;
        return OW_OK;
    }
    if (stats->n_present++ == 0) OWI_TRY(owi_string_map_new(stats->ctx, &stats->texts));
    if (stats->texts != NULL) return add_counted(stats, cell, id);
    *id = owi_id_lost;
    if (stats->has_too_many) return OW_OK;
    return add_uncounted(stats, cell);
}

ow_status owi_column_stats_add_times(owi_column_stats *stats, const char *text,
                                     size_t length, const owi_value *value)
{
    const owi_cell cell = {.text = text, .length = length};
    const size_t n_before = owi_string_map_count(stats->texts);
    size_t index;
    OWI_TRY(owi_string_map_add(stats->texts, text, length, &index));
    if (index == n_before) OWI_TRY(add_value(stats, &cell, index));
    stats->values[index].count += value->count;
    stats->n_present += value->count;
    if (!isnan(stats->values[index].number)) return OW_OK;
    stats->n_texts += value->count;
    stats->n_text_bytes += value->count * length;
    return OW_OK;
}

ow_status owi_column_stats_add_outside(owi_column_stats *stats, const owi_cell *cell)
{
    double number;
    size_t index;
    if (cell->text == NULL || owi_cell_is_missing(cell)) return OW_OK;
    if (owi_cell_number(cell, &number, NULL)) return OW_OK;
    if (stats->outside == NULL) OWI_TRY(owi_string_map_new(stats->ctx, &stats->outside));
    if (owi_string_map_count(stats->outside) >= owi_max_missing_words) return OW_OK;
    return owi_string_map_add(stats->outside, cell->text, cell->length, &index);
}

/* ---- Questions ---- */

size_t owi_column_stats_n_different(const owi_column_stats *stats)
{
    if (stats->n_present == 0) return 0;
    return stats->texts != NULL ? owi_string_map_count(stats->texts) : SIZE_MAX;
}

bool owi_column_stats_is_number(const owi_column_stats *stats)
{
    const bool is_code = stats->has_leading_zero && stats->all_digits;
    return stats->n_present > 0 && stats->n_texts == 0 && !is_code;
}

double owi_column_stats_log_arrangements(const owi_column_stats *stats)
{
    if (stats->texts == NULL) return 0.0;
    double sum = owi_log_factorial(stats->n_present);
    for (size_t k = 0; k < owi_string_map_count(stats->texts); k++)
        sum -= owi_log_factorial(stats->values[k].count);
    return sum;
}
