/* SPDX-License-Identifier: MIT */
#include "data/infer/infer_warnings.h"

#include <stdio.h>

#include "base/context.h"
#include "base/text/name_list.h"
#include "base/text/number.h"
#include "base/text/quote.h"
#include "data/format/format_guess.h"
#include "data/infer/sentinel_codes.h"
#include "data/schema/schema_private.h"

/* Fewer rows tell nothing about identifiers. */
enum { least_rows_of_identifier = 50 };

static void warn_of_constant(const owi_column_stats *stats, const char *file)
{
    char quoted[2][owi_quote_size];
    size_t length;
    const char *text = owi_string_map_text(stats->texts, 0, &length);
    owi_log(stats->ctx, OW_LOG_WARN,
            "%s: column %s is %s in every row that has a value; it tells nothing, drop it",
            file, owi_quote_text(stats->name, quoted[0]),
            owi_quote(text, length, quoted[1]));
}

static void warn_of_identifier(const owi_column_stats *stats, const char *file,
                               bool is_category)
{
    char quoted[owi_quote_size], first[owi_number_size], last[owi_number_size];
    const size_t n = stats->n_present, n_different = owi_column_stats_n_different(stats);
    if (n < least_rows_of_identifier) return;
    owi_quote_text(stats->name, quoted);
    if (is_category && n_different >= n - n / 20) /* 95 % */
        owi_log(stats->ctx, OW_LOG_WARN,
                "%s: column %s has %zu different texts in %zu rows; drop it if it is an "
                "identifier",
                file, quoted, n_different, n);
    if (is_category || !stats->all_whole || !stats->in_sequence) return;
    owi_print_number(stats->extremes.low[0].number, first);
    owi_print_number(stats->extremes.high[0].number, last);
    owi_log(stats->ctx, OW_LOG_WARN,
            "%s: column %s counts from %s to %s row by row; drop it if it is an identifier",
            file, quoted, first, last);
}

/* A column of numbers but for a few texts: says so and returns true. */
static bool warn_of_texts(const owi_column_stats *stats, const char *file,
                          const char *place)
{
    char quoted[2][owi_quote_size];
    if (stats->n_texts == 0 || stats->n_texts >= (stats->n_present + 19) / 20) return false;
    owi_log(
        stats->ctx, OW_LOG_WARN,
        "%s: column %s is taken as categorical, for %zu of its %zu values are not numbers "
        "(the first is %s at %s); leave such cells empty to have numbers",
        file, owi_quote_text(stats->name, quoted[0]), stats->n_texts, stats->n_present,
        owi_quote_text(stats->first_text, quoted[1]), place);
    return true;
}

/* Dates that are left as texts. */
static void warn_of_dates(const owi_column_stats *stats, const char *file)
{
    char quoted[2][owi_quote_size];
    owi_log(stats->ctx, OW_LOG_WARN,
            "%s: column %s holds dates such as %s, %s, so that they are only names; write "
            "yyyy-mm-dd to have dates",
            file, owi_quote_text(stats->name, quoted[0]),
            owi_quote_text(stats->first_text, quoted[1]),
            stats->is_either_way ? "of which day and month cannot be told apart"
                                 : "in several formats or time zones");
}

/* 3.5% and 0.035 in one column may be the same. */
static void warn_of_bare_numbers(const owi_column_stats *stats, const char *file)
{
    char quoted[owi_quote_size];
    if (stats->n_bare == 0) return;
    owi_log(
        stats->ctx, OW_LOG_WARN,
        "%s: column %s holds percentages; %zu of its %zu cells have no %%, and are read "
        "as if they had",
        file, owi_quote_text(stats->name, quoted), stats->n_bare, stats->n_present);
}

void owi_warn_of_units(const owi_column_stats *stats, const char *file)
{
    if (stats->n_units == 0 || owi_column_stats_is_number(stats)) return;
    owi_name_list units = {0};
    char quoted[owi_quote_size];
    for (size_t i = 0; i < stats->n_units; i++)
        owi_name_list_add(&units, owi_quote_text(stats->units[i], quoted));
    owi_log(stats->ctx, OW_LOG_WARN,
            "%s: column %s holds amounts in several units (%s), which count as texts; "
            "convert them to one to have numbers",
            file, owi_quote_text(stats->name, quoted), units.text);
}

/* What "<5" among numbers is taken for. */
static void tell_limit(const owi_column_stats *stats, const char *file,
                       const owi_limit *limit)
{
    char quoted[3][owi_quote_size], number[owi_fixed_size];
    if (limit->text[0] == '\0') return;
    owi_print_fixed(limit->limit, limit->decimals, number);
    owi_log(stats->ctx, OW_LOG_INFO,
            "%s: column %s: %s counts as a number just %s %s, and prints as it came "
            "(--missing %s to count it as missing)",
            file, owi_quote_text(stats->name, quoted[0]),
            owi_quote_text(limit->text, quoted[1]),
            limit == &stats->format.below ? "below" : "above", number,
            owi_quote_text(limit->text, quoted[2]));
}

/* The words among a column's numbers, which count as missing values. */
static void warn_of_words(const owi_column_stats *stats, const char *file)
{
    if (stats->n_stray == 0) return;
    owi_name_list words = {0};
    char quoted[owi_quote_size];
    for (size_t k = 0; k < owi_string_map_count(stats->words); k++) {
        bool rare_only;
        size_t length;
        const char *text = owi_string_map_text(stats->words, k, &length);
        if (!owi_is_missing_word(text, length, &rare_only))
            owi_name_list_add(&words, owi_quote(text, length, quoted));
    }
    owi_log(stats->ctx, OW_LOG_WARN,
            "%s: column %s holds numbers; %zu of its cells (%s) %s, and count%s as missing",
            file, owi_quote_text(stats->name, quoted), stats->n_stray, words.text,
            stats->n_stray == 1 ? "does not" : "do not", stats->n_stray == 1 ? "s" : "");
}

static void warn_of_codes(const owi_column_stats *stats, const char *file)
{
    owi_sentinel_codes found;
    owi_find_sentinel_codes(&stats->extremes, owi_column_stats_n_different(stats),
                            stats->n_present, false, &found);
    if (found.n_codes == 0) return;
    char quoted[owi_quote_size], low[owi_number_size], high[owi_number_size];
    owi_name_list codes = {0};
    for (size_t i = 0; i < found.n_codes; i++) {
        char number[owi_number_size], code[64];
        owi_print_number(found.codes[i].number, number);
        snprintf(code, sizeof code, "%s (%zu rows)", number, found.codes[i].count);
        owi_name_list_add(&codes, code);
    }
    owi_print_number(found.low, low);
    owi_print_number(found.high, high);
    owi_log(stats->ctx, OW_LOG_WARN,
            "%s: column %s: %s may stand for missing values, the others lie from %s to %s; "
            "leave such cells empty if so",
            file, owi_quote_text(stats->name, quoted), codes.text, low, high);
}

void owi_warn_about_column(const owi_column_stats *stats, const char *file,
                           ow_column_type type, const char *place)
{
    const bool is_category = owi_is_category(type);
    if (owi_column_stats_n_different(stats) == 1) {
        if (stats->n_present > 1) warn_of_constant(stats, file);
        return;
    }
    if (is_category && stats->is_category) return; /* as it was wished */
    if (is_category && warn_of_texts(stats, file, place)) return;
    if (is_category && (stats->is_either_way || stats->has_mixed_dates))
        warn_of_dates(stats, file);
    warn_of_identifier(stats, file, is_category);
    if (!is_category) warn_of_words(stats, file);
    if (!is_category) warn_of_bare_numbers(stats, file);
    if (!is_category) tell_limit(stats, file, &stats->format.below);
    if (!is_category) tell_limit(stats, file, &stats->format.above);
    if (!is_category && stats->format.writing != OWI_DATE) warn_of_codes(stats, file);
}

/* Of columns that determine each other no value stands in two combinations; of spread
 * categories the 0 of a column stands in all of them but one, and there are three or
 * more. */
static bool is_spread_category(const ow_linked *linked)
{
    const double *values = linked->values;
    const size_t n = linked->n_columns;
    return linked->n_rows > 2 && (values[0] == values[n] || values[0] == values[2 * n] ||
                                  values[n] == values[2 * n]);
}

/* One link. */
static void tell_link(const ow_schema *schema, const char *file, size_t link)
{
    owi_name_list names = {0};
    for (size_t j = 0; j < schema->n_columns; j++) {
        char quoted[owi_quote_size];
        if (schema->columns[j].link == link)
            owi_name_list_add(&names, owi_quote_text(schema->columns[j].name, quoted));
    }
    const ow_linked linked = ow_schema_linked(schema, link);
    owi_log(schema->ctx, OW_LOG_INFO, "%s: columns %s, now linked: %s", file,
            is_spread_category(&linked) ? "of which never more than one is 1"
                                        : "that determine each other",
            names.text);
}

void owi_tell_links(const ow_schema *schema, const char *file)
{
    size_t n_told = 0;
    for (size_t j = 0; j < schema->n_columns; j++)
        if (schema->columns[j].link > n_told)
            tell_link(schema, file, n_told = schema->columns[j].link);
}
