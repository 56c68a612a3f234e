/* SPDX-License-Identifier: MIT */
#include "data/roles/lock_words.h"

#include <string.h>

#include "data/roles/lock_forms.h"
#include "data/roles/lock_lists.h"
#include "data/roles/name_words.h"

static const char years[] = "year years yr yrs";
static const char times[] = "year years yr yrs date dt";

/* Whether a word begins (or ends) with one of a list. */
static bool has_end_in(const char *word, const char *list, bool begins, bool ends)
{
    const size_t n = strlen(word);
    for (const char *at = list; *at != '\0';) {
        const size_t length = strcspn(at, " ");
        if (n >= length && ((begins && memcmp(word, at, length) == 0) ||
                            (ends && memcmp(word + n - length, at, length) == 0)))
            return true;
        at += length;
        at += *at == ' ';
    }
    return false;
}

/* The whole word for a short one. */
static const char *spell_out(const char *word)
{
    for (size_t k = 0; k < owi_n_short_forms; k++)
        if (strcmp(word, owi_short_forms[k][0]) == 0) return owi_short_forms[k][1];
    return word;
}

static bool is_locked_pair(const char *first, const char *second)
{
    for (size_t k = 0; k < owi_n_locked_pairs; k++)
        if (strcmp(spell_out(first), owi_locked_pairs[k][0]) == 0 &&
            strcmp(spell_out(second), owi_locked_pairs[k][1]) == 0)
            return true;
    return false;
}

static bool has_locked_end(const char *word)
{
    if (has_end_in(word, owi_other_beginnings, true, false) ||
        has_end_in(word, owi_other_endings, false, true))
        return false;
    return has_end_in(word, owi_stems, true, true) ||
           has_end_in(word, owi_beginnings, true, false) ||
           has_end_in(word, owi_endings, false, true);
}

static bool is_locked_word(const char *word)
{
    return owi_is_word_in(word, owi_person_words) || owi_is_word_in(word, owi_past_words) ||
           owi_is_word_in(word, owi_survey_codes) || has_locked_end(word) ||
           owi_is_short_form(word) || owi_is_written_together(word) ||
           owi_begins_with_pair(word) || owi_is_time_of(word, times, owi_beginning_words) ||
           owi_is_time_of(word, years, owi_lasting_words);
}

/* Whether one of two words is in a list, and the other in another one. */
static bool are_one_of_each(const char *first, const char *second, const char *list,
                            const char *other)
{
    return (owi_is_word_in(first, list) && owi_is_word_in(second, other)) ||
           (owi_is_word_in(first, other) && owi_is_word_in(second, list));
}

/* "last contact", "first online purchase"; not "visits last year". */
static bool is_one_contact(const owi_name_words *w, size_t i)
{
    static const char which[] = "last first letzte letzter letztes erste erster erstes";
    if (!owi_is_word_in(w->words[i], which)) return false;
    for (size_t k = i + 1; k < w->n && k <= i + 2; k++)
        if (owi_is_word_in(w->words[k], owi_contact_words)) return true;
    return false;
}

static bool are_locked_words(const char *first, const char *second)
{
    return is_locked_pair(first, second) ||
           are_one_of_each(first, second, times, owi_beginning_words) ||
           are_one_of_each(first, second, years, owi_lasting_words);
}

static bool has_one_of(const owi_name_words *w, const char *list)
{
    for (size_t i = 0; i < w->n; i++)
        if (owi_is_word_in(w->words[i], list)) return true;
    return false;
}

static bool has_locked_word(const owi_name_words *w)
{
    /* The share of a group somewhere, or what somebody thinks of it, is not what one is. */
    const bool is_figure = has_one_of(w, owi_share_words);
    for (size_t i = 0; i < w->n; i++) {
        const char *word = w->words[i];
        if (is_figure && owi_is_word_in(word, owi_group_words)) continue;
        if (is_locked_word(word) || is_one_contact(w, i)) return true;
        if (i + 1 < w->n && are_locked_words(word, w->words[i + 1])) return true;
    }
    return has_one_of(w, owi_count_words) && has_one_of(w, owi_event_words);
}

static bool is_locked(const owi_name_words *w)
{
    return (w->n == 1 && owi_is_word_in(w->words[0], owi_lone_words)) || has_locked_word(w);
}

bool owi_is_locked_name(const char *name)
{
    owi_name_words w;
    owi_cut_name(name, &w);
    if (is_locked(&w)) return true;
    owi_cut_digits(&w);
    return is_locked(&w);
}

bool owi_is_doubtful_name(const char *name)
{
    owi_name_words w;
    owi_cut_name(name, &w);
    return has_one_of(&w, owi_doubtful_words);
}
