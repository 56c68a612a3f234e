/* SPDX-License-Identifier: MIT */
#include "data/roles/identifiers.h"

#include <stdint.h>
#include <string.h>

/* Texts tell from 20 rows on; numbers that count the rows, as years do in short tables,
 * from 50 on. */
enum { least_text_rows = 20, least_number_rows = 50, long_text = 40, sampled = 200 };

static char lower(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Whether a name ends with a word: customer_id, CustomerID, "case no". */
static bool ends_with_word(const char *name, const char *word)
{
    const size_t n = strlen(name), w = strlen(word);
    if (n < w) return false;
    for (size_t i = 0; i < w; i++)
        if (lower(name[n - w + i]) != word[i]) return false;
    if (n == w) return true;
    const char before = name[n - w - 1], first = name[n - w];
    const bool is_letter = lower(before) >= 'a' && lower(before) <= 'z';
    return !is_letter || (before >= 'a' && first >= 'A' && first <= 'Z');
}

static bool ends_with_one(const char *name, size_t n_words, const char *const words[])
{
    for (size_t i = 0; i < n_words; i++)
        if (ends_with_word(name, words[i])) return true;
    return false;
}

/* Names of numbers that somebody gives to rows. */
static bool is_called_key(const char *name)
{
    static const char *const words[] = {"id",  "ids",    "uid",    "uuid",    "guid",
                                        "nr",  "no",     "number", "nummer",  "key",
                                        "seq", "serial", "index",  "rownames"};
    return ends_with_one(name, sizeof words / sizeof *words, words);
}

static bool is_called_identifier(const char *name)
{
    static const char *const personal[] = {
        "phone",   "telephone", "telefon",      "tel",         "mobile",
        "mobil",   "handy",     "ssn",          "iban",        "konto",
        "kto",     "plz",       "postleitzahl", "zip",         "zip code",
        "zipcode", "zip_code",  "postcode",     "postal code", "postal_code"};
    return is_called_key(name) ||
           ends_with_one(name, sizeof personal / sizeof *personal, personal);
}

/* Whether nine of ten texts, of a sample, hold an @ with a point behind it. */
static bool is_mail(const owi_column_stats *stats)
{
    const size_t n = owi_string_map_count(stats->texts);
    const size_t step = n / sampled + 1;
    size_t n_mail = 0, n_seen = 0;
    for (size_t k = 0; k < n; k += step, n_seen++) {
        size_t length;
        const char *text = owi_string_map_text(stats->texts, k, &length);
        const char *at = memchr(text, '@', length);
        n_mail += at != NULL && memchr(at, '.', length - (size_t)(at - text)) != NULL;
    }
    return n_mail * 10 >= n_seen * 9;
}

static bool has_common_level(const owi_column_stats *stats)
{
    for (size_t k = 0; k < owi_string_map_count(stats->texts); k++)
        if (stats->values[k].count >= owi_common_level_rows) return true;
    return false;
}

static owi_identifier judge_texts(const owi_column_stats *stats)
{
    const size_t n = stats->n_present;
    const bool is_long = stats->n_text_bytes > long_text * stats->n_texts;
    if (stats->has_too_many) return is_long ? OWI_FREE_TEXT : OWI_IDENTIFIER;
    const size_t n_different = owi_column_stats_n_different(stats);
    if (n < least_text_rows) return OWI_NO_IDENTIFIER;
    /* Numbers with texts among them are another matter (column_format.c). */
    if (stats->n_texts > 0 && stats->n_texts * 2 < n) return OWI_NO_IDENTIFIER;
    if (is_long && n_different * 2 >= n) return OWI_FREE_TEXT;
    if (n_different >= n - n / 20) return OWI_IDENTIFIER; /* 95 % */
    if (n_different * 2 >= n && is_mail(stats)) return OWI_IDENTIFIER;
    /* Levels of which each would be learned together with all others. */
    if (n_different > owi_many_levels && !has_common_level(stats)) return OWI_FREE_TEXT;
    return OWI_NO_IDENTIFIER;
}

/* Digits beyond 2^53, of which doubles skip some: numbers of accounts and cards. */
static bool is_beyond_doubles(const owi_column_stats *stats)
{
    static const double largest = 9007199254740992.0;
    return stats->all_digits && stats->extremes.n_high > 0 &&
           stats->extremes.high[0].number > largest;
}

owi_identifier owi_find_identifier(const owi_column_stats *stats)
{
    if (stats->is_category || stats->n_present == 0) return OWI_NO_IDENTIFIER;
    if (stats->has_too_many || !owi_column_stats_is_number(stats))
        return stats->texts != NULL || stats->has_too_many ? judge_texts(stats)
                                                           : OWI_NO_IDENTIFIER;
    const size_t n = stats->n_present, n_different = owi_column_stats_n_different(stats);
    if (is_beyond_doubles(stats) && n >= least_text_rows && n_different * 2 >= n)
        return OWI_IDENTIFIER;
    if (stats->format.writing != OWI_PLAIN || !stats->all_whole) return OWI_NO_IDENTIFIER;
    if (n < least_number_rows) return OWI_NO_IDENTIFIER;
    if (stats->in_sequence) return OWI_IDENTIFIER;
    const bool differ = n_different == SIZE_MAX || n_different * 10 >= n * 9;
    return differ && is_called_identifier(stats->name) ? OWI_IDENTIFIER : OWI_NO_IDENTIFIER;
}

int owi_rank_identifier(const owi_column_stats *stats)
{
    const bool differ = owi_column_stats_n_different(stats) >= stats->n_present;
    const bool is_value = stats->has_mixed_dates || stats->n_units > 0;
    return !differ || is_value ? 0 : is_called_key(stats->name) ? 2 : 1;
}
