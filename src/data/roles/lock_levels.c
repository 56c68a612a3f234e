/* SPDX-License-Identifier: MIT */
/* Columns that nobody can change, by their levels. */
#include <string.h>

#include "data/roles/lock_words.h"
#include "data/roles/name_words.h"

enum { most_levels = 100 }; /* of such columns */

static const char sexes[] =
    "male female males females man woman men women boy girl boys girls masculine feminine "
    "mr mrs ms miss männlich weiblich maennlich mann frau herr hombre mujer masculino "
    "femenino feminino homme femme masculin féminin feminin maschio femmina";
static const char states[] =
    "married single divorced widowed separated widow widower unmarried husband wife "
    "partnered cohabiting verheiratet ledig geschieden verwitwet soltero casado divorciado "
    "viudo "
    "soltera casada célibataire marié divorcé veuf";
static const char races[] =
    "white black asian hispanic latino latina latinx afam caucasian african indigenous "
    "aboriginal maori hawaiian biracial multiracial mixed eskimo amerindian";
static const char religions[] =
    "catholic protestant muslim jewish hindu buddhist orthodox christian sikh atheist "
    "agnostic islam judaism christianity hinduism buddhism katholisch evangelisch";
static const char colours[] =
    "red blue green grey gray silver brown yellow orange pink purple "
    "gold beige cream";

/* How many levels have a word of a list. */
static size_t count_with_word(size_t n, const char *const *levels, const char *list)
{
    size_t n_known = 0;
    for (size_t k = 0; k < n; k++) {
        owi_name_words w;
        owi_cut_name(levels[k], &w);
        bool has_one = false;
        for (size_t i = 0; i < w.n; i++)
            has_one = has_one || owi_is_word_in(w.words[i], list);
        n_known += has_one;
    }
    return n_known;
}

/* How many levels are one word of a list. */
static size_t count_words(size_t n, const char *const *levels, const char *list)
{
    size_t n_known = 0;
    for (size_t k = 0; k < n; k++) {
        owi_name_words w;
        owi_cut_name(levels[k], &w);
        n_known += w.n == 1 && owi_is_word_in(w.words[0], list);
    }
    return n_known;
}

/* Whether all levels are letters that stand for sexes: f and m, or German w, m and d. */
static bool are_sexes_by_letter(size_t n, const char *const *levels)
{
    if (n < 2 || n > 3) return false;
    if (n == 3 && count_words(n, levels, "d u x") != 1) return false;
    return count_words(n, levels, "f m") == 2 || count_words(n, levels, "m w") == 2;
}

/* Two digits; 0 if there are none. */
static int read_years(const char **at)
{
    const char *text = *at;
    if (text[0] < '1' || text[0] > '9' || text[1] < '0' || text[1] > '9') return 0;
    *at += 2;
    return 10 * (text[0] - '0') + text[1] - '0';
}

/* "18-24", "18 to 24 years", as the first and the last year of a band. */
static bool is_band(const char *level, int *low, int *high)
{
    static const char *const marks[] = {"-", "\u2013", "to ", "bis "};
    *low = read_years(&level);
    level += strspn(level, " ");
    for (size_t k = 0; k < sizeof marks / sizeof *marks; k++) {
        const size_t n = strlen(marks[k]);
        if (strncmp(level, marks[k], n) != 0) continue;
        level += n;
        level += strspn(level, " ");
        *high = read_years(&level);
        return *low > 0 && *high > *low && (*level == '\0' || *level == ' ');
    }
    return false;
}

/* Whether levels are bands of ages: that of the youngest adults, and the next one. */
static bool are_ages(size_t n, const char *const *levels)
{
    int low, high, youngest = 0;
    for (size_t k = 0; k < n && youngest == 0; k++)
        if (is_band(levels[k], &low, &high) &&
            ((low == 18 && high <= 35) || ((low == 15 || low == 16) && high % 5 == 4)))
            youngest = high;
    for (size_t k = 0; k < n && youngest > 0; k++)
        if (is_band(levels[k], &low, &high) && (low == youngest + 1 || low == youngest))
            return n >= 3;
    return false;
}

/* White and black beside red or blue are colours; white and mixed may be so, too. */
static bool are_races(size_t n, const char *const *levels)
{
    return count_with_word(n, levels, races) >= 2 &&
           count_with_word(n, levels, "white black asian hispanic african caucasian") >=
               1 &&
           count_with_word(n, levels, colours) == 0;
}

bool owi_are_locked_levels(size_t n, const char *const *levels)
{
    if (n > most_levels) return false;
    return are_sexes_by_letter(n, levels) || count_words(n, levels, sexes) >= 2 ||
           count_with_word(n, levels, "male female males females") >= 2 ||
           count_with_word(n, levels, states) >= 2 ||
           count_words(n, levels, religions) >= 2 || are_races(n, levels) ||
           are_ages(n, levels);
}
