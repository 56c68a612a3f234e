/* SPDX-License-Identifier: MIT */
/* Whether a column whose texts are not all plain numbers is one of numbers or dates,
 * written in some other way, with words for missing values among them. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory/alloc.h"
#include "data/format/format_guess.h"
#include "data/infer/column_stats.h"

/* Cells that are neither numbers nor known words: one in so many at most. */
enum { most_stray = 100, rare_word = 20 };
/* Digits of dates that nothing divides. */
enum { day_alone = 8, with_time = 14 };

/* Whether value k is a word that stands for a missing value. */
static bool is_word(const owi_column_stats *stats, size_t k)
{
    bool rare_only;
    size_t length;
    const char *text = owi_string_map_text(stats->texts, k, &length);
    if (!owi_is_missing_word(text, length, &rare_only)) return false;
    return !rare_only || stats->values[k].count * rare_word < stats->n_present;
}

/* The texts that are no words, for the guess. */
static size_t list_texts(const owi_column_stats *stats, owi_written *texts, size_t *n_cells)
{
    size_t n = 0;
    *n_cells = 0;
    for (size_t k = 0; k < owi_string_map_count(stats->texts); k++) {
        if (is_word(stats, k)) continue;
        texts[n].text = owi_string_map_text(stats->texts, k, &texts[n].length);
        texts[n].count = stats->values[k].count;
        *n_cells += texts[n++].count;
    }
    return n;
}

/* Reads all counted values in the column's format; what is none becomes a missing word. */
static ow_status read_values(owi_column_stats *stats)
{
    const bool is_percent = strcmp(stats->format.unit, "%") == 0;
    stats->n_texts = 0;
    stats->in_sequence = stats->in_sequence && stats->format.writing == OWI_PLAIN;
    for (size_t k = 0; k < owi_string_map_count(stats->texts); k++) {
        owi_value *value = &stats->values[k];
        size_t length, index;
        const char *text = owi_string_map_text(stats->texts, k, &length);
        if (owi_value_read(&stats->format, text, length, &value->number,
                           &value->decimals)) {
            if (is_percent && memchr(text, '%', length) == NULL)
                stats->n_bare += value->count;
            continue;
        }
        value->number = NAN;
        if (stats->words == NULL) OWI_TRY(owi_string_map_new(stats->ctx, &stats->words));
        OWI_TRY(owi_string_map_add(stats->words, text, length, &index));
        if (!is_word(stats, k)) stats->n_stray += value->count;
    }
    /* Only now, since what is rare depends on the number of cells. */
    for (size_t k = 0; k < owi_string_map_count(stats->texts); k++) {
        if (!isnan(stats->values[k].number)) continue;
        stats->n_present -= stats->values[k].count;
        stats->n_missing += stats->values[k].count;
    }
    if (stats->words != NULL) stats->in_sequence = false;
    return OW_OK;
}

/* How many cells a format reads, and how many different texts it does not read. */
static size_t count_readable(const owi_value_format *format, size_t n,
                             const owi_written *texts, size_t *n_unreadable)
{
    size_t n_cells = 0;
    *n_unreadable = 0;
    for (size_t i = 0; i < n; i++) {
        double value;
        if (owi_value_read(format, texts[i].text, texts[i].length, &value, NULL))
            n_cells += texts[i].count;
        else
            ++*n_unreadable;
    }
    return n_cells;
}

/* Whether digits alone, as in 20230826 or 20230826153000, are dates in nearly all cells. Of
 * other numbers in that range one in 27 is the date of a day, so that three in a row are no
 * chance. */
static bool has_bare_dates(const owi_column_stats *stats, size_t n,
                           const owi_written *texts, size_t n_cells,
                           owi_value_format *format)
{
    enum { least_different = 3 };
    owi_value_format bare = {.writing = OWI_DATE, .layout = "yyyymmdd"};
    size_t n_unreadable;
    if (stats->in_sequence || n < least_different) return false;
    if (texts[0].length == with_time) memcpy(bare.layout + day_alone, "HHMMSS", 7);
    const size_t n_readable = count_readable(&bare, n, texts, &n_unreadable);
    if ((n_cells - n_readable) * most_stray >= n_cells) return false;
    if (n - n_unreadable < least_different) return false;
    *format = bare;
    return true;
}

/* A column of plain numbers is looked at again only if its first one has as many digits. */
static bool may_have_bare_dates(const owi_column_stats *stats)
{
    size_t length;
    const char *text = owi_string_map_text(stats->texts, 0, &length);
    return stats->all_digits && (length == day_alone || length == with_time) &&
           text[0] <= '2';
}

ow_status owi_column_stats_settle(owi_column_stats *stats)
{
    if (stats->is_category || stats->texts == NULL || stats->n_present == 0) return OW_OK;
    if (stats->n_texts == 0 && !stats->decimal_comma && !may_have_bare_dates(stats))
        return OW_OK;
    const size_t n = owi_string_map_count(stats->texts);
    owi_written *texts = owi_alloc_array(stats->ctx, n, sizeof *texts);
    if (texts == NULL) return OW_ERR_MEMORY;
    size_t n_cells;
    const size_t n_texts = list_texts(stats, texts, &n_cells);
    owi_value_format format;
    const bool is_sure =
        owi_guess_format(n_texts, texts, stats->decimal_comma, &format) > 0;
    if (is_sure && format.writing == OWI_PLAIN)
        has_bare_dates(stats, n_texts, texts, n_cells, &format);
    size_t n_unreadable;
    const size_t n_readable = count_readable(&format, n_texts, texts, &n_unreadable);
    if (!is_sure || n_readable < n_cells)
        stats->n_units = owi_find_units(n_texts, texts, stats->units);
    const size_t n_dates = n_readable < n_cells ? owi_count_dates(n_texts, texts) : 0;
    owi_free(stats->ctx, texts);
    const bool is_readable = n_readable > 0 && n_readable * 2 > stats->n_present &&
                             (n_cells - n_readable) * most_stray < n_cells &&
                             n - n_texts + n_unreadable <= owi_max_missing_words;
    const bool is_number = is_sure && is_readable;
    stats->is_either_way = !is_sure && is_readable && format.writing == OWI_DATE;
    stats->has_mixed_dates =
        !is_number && n_dates > 0 && (n_cells - n_dates) * most_stray < n_cells;
    /* Numbers that are all plain stay so, unless their points separate thousands. */
    if (!is_number) return OW_OK;
    if (stats->n_texts == 0 && format.group[0] != '.' && format.writing != OWI_DATE)
        return OW_OK;
    stats->format = format;
    return read_values(stats);
}

/* Then the column is none of numbers after all. */
bool owi_column_stats_has_too_many_words(const owi_column_stats *stats)
{
    if (stats->words == NULL) return false;
    return owi_string_map_count(stats->words) > owi_max_missing_words ||
           stats->n_stray * most_stray >= stats->n_present + stats->n_stray;
}

ow_status owi_column_stats_add_word(owi_column_stats *stats, const owi_cell *cell)
{
    bool rare_only;
    size_t index;
    const bool is_known = owi_is_missing_word(cell->text, cell->length, &rare_only);
    if (stats->words == NULL) OWI_TRY(owi_string_map_new(stats->ctx, &stats->words));
    if (owi_string_map_count(stats->words) <= owi_max_missing_words)
        OWI_TRY(owi_string_map_add(stats->words, cell->text, cell->length, &index));
    if (!is_known && stats->n_stray++ == 0 && stats->first_text == NULL) {
        stats->first_text = owi_copy_text(stats->ctx, cell->text, cell->length);
        if (stats->first_text == NULL) return OW_ERR_MEMORY;
    }
    stats->in_sequence = false;
    stats->n_present--;
    stats->n_missing++;
    return OW_OK;
}
