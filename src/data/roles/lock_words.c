/* SPDX-License-Identifier: MIT */
#include "data/roles/lock_words.h"

#include <string.h>

enum { longest_name = 128, most_words = 16 };

/* A name cut into words, in lower case: at everything but letters and digits, and before
 * capitals that follow small letters. */
typedef struct {
    char text[2 * longest_name];
    const char *words[most_words];
    size_t n;
} name_words;

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_small(char c)
{
    return (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether a word begins at name[i]; "XMLAge" is xml and age, "PStatus" p and status. */
static bool begins_word(const char *name, size_t i)
{
    if (i == 0) return true;
    const char before = name[i - 1];
    if (!is_upper(before) && !is_small(before) && !is_digit(before)) return true;
    if (!is_upper(name[i])) return false;
    return is_small(before) || (is_upper(before) && is_small(name[i + 1]));
}

static void cut(const char *name, name_words *w)
{
    size_t at = 0;
    w->n = 0;
    for (size_t i = 0; name[i] != '\0' && i < longest_name; i++) {
        const char c = name[i];
        if (!is_upper(c) && !is_small(c) && !is_digit(c)) continue;
        if (begins_word(name, i)) {
            if (w->n == most_words) break;
            if (at > 0) w->text[at++] = '\0';
            w->words[w->n++] = w->text + at;
        }
        w->text[at++] = (char)(is_upper(c) ? c - 'A' + 'a' : c);
    }
    w->text[at] = '\0';
}

static bool is_in(const char *word, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(word, list[i]) == 0) return true;
    return false;
}

static const char *const locked[] = {"age",
                                     "ages",
                                     "agep",
                                     "sex",
                                     "gender",
                                     "race",
                                     "ethnicity",
                                     "ethnic",
                                     "nationality",
                                     "citizenship",
                                     "religion",
                                     "birth",
                                     "birthday",
                                     "birthdate",
                                     "birthplace",
                                     "birthyear",
                                     "dob",
                                     "born",
                                     "marital",
                                     "married",
                                     "marriage",
                                     "pregnant",
                                     "pregnancies",
                                     "history",
                                     "since",
                                     "tenure",
                                     "previous",
                                     "prior",
                                     "priors",
                                     "convictions",
                                     "arrests",
                                     "experience",
                                     "seniority",
                                     "ancestry",
                                     "caste",
                                     "disability",
                                     "pdays",
                                     "poutcome",
                                     "rac1p",
                                     "pobp",
                                     "alter",
                                     "geschlecht",
                                     "familienstand",
                                     "staatsangehoerigkeit",
                                     "staatsangehörigkeit",
                                     "staatsbürgerschaft",
                                     "nationalitaet",
                                     "nationalität",
                                     "geburtsdatum",
                                     "geburtsjahr",
                                     "geburtstag",
                                     "geburtsort",
                                     "ethnie",
                                     "konfession",
                                     "herkunft",
                                     "seit",
                                     "vorgeschichte",
                                     "vorerkrankungen",
                                     "vorstrafen",
                                     "historie",
                                     "wohnzeit",
                                     "gastarb",
                                     "gastarbeiter",
                                     "famges",
                                     "moral",
                                     "berufserfahrung",
                                     "dienstjahre"};
/* Two words that follow each other. */
static const char *const locked_pairs[][2] = {
    {"personal", "status"}, {"family", "status"},    {"foreign", "worker"},
    {"native", "country"},  {"senior", "citizen"},   {"year", "built"},
    {"years", "at"},        {"years", "with"},       {"years", "in"},
    {"working", "years"},   {"year", "of"},          {"civil", "status"},
    {"past", "due"},        {"companies", "worked"}, {"country", "birth"},
    {"months", "ago"},      {"days", "ago"},         {"service", "time"}};
static const char *const doubtful[] = {
    "late",     "ever",    "years",        "year",         "dependents", "dependants",
    "children", "kids",    "education",    "delinq",       "delinquent", "delinquencies",
    "employed", "past",    "failures",     "delays",       "defaults",   "origin",
    "country",  "default", "relationship", "disciplinary", "emergency",  "inpatient",
    "kinder",   "bisher",  "mahnungen",    "verspätungen", "jahre",      "beszeit"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

bool owi_is_locked_name(const char *name)
{
    name_words w;
    cut(name, &w);
    for (size_t i = 0; i < w.n; i++) {
        if (is_in(w.words[i], locked, COUNT(locked))) return true;
        for (size_t k = 0; i + 1 < w.n && k < COUNT(locked_pairs); k++)
            if (strcmp(w.words[i], locked_pairs[k][0]) == 0 &&
                strcmp(w.words[i + 1], locked_pairs[k][1]) == 0)
                return true;
    }
    return false;
}

bool owi_is_doubtful_name(const char *name)
{
    name_words w;
    cut(name, &w);
    for (size_t i = 0; i < w.n; i++)
        if (is_in(w.words[i], doubtful, COUNT(doubtful))) return true;
    return false;
}

/* How many levels are in a list, small and capital letters alike. */
static size_t count_known(size_t n, const char *const *levels, const char *const *list,
                          size_t n_list)
{
    size_t n_known = 0;
    for (size_t k = 0; k < n; k++) {
        char lower[longest_name];
        const size_t length = strlen(levels[k]);
        if (length >= sizeof lower) continue;
        for (size_t i = 0; i <= length; i++) {
            const char c = levels[k][i];
            lower[i] = (char)(is_upper(c) ? c - 'A' + 'a' : c);
        }
        n_known += is_in(lower, list, n_list);
    }
    return n_known;
}

bool owi_are_locked_levels(size_t n, const char *const *levels)
{
    static const char *const sexes[] = {"male",  "female",   "man",      "woman", "men",
                                        "women", "männlich", "weiblich", "mann",  "frau"};
    static const char *const states[] = {"married",     "single",    "divorced",
                                         "widowed",     "separated", "never-married",
                                         "verheiratet", "ledig",     "geschieden",
                                         "verwitwet"};
    static const char *const races[] = {"white",
                                        "black",
                                        "asian",
                                        "hispanic",
                                        "latino",
                                        "caucasian",
                                        "african-american",
                                        "native american"};
    return count_known(n, levels, sexes, COUNT(sexes)) >= 2 ||
           count_known(n, levels, states, COUNT(states)) >= 2 ||
           count_known(n, levels, races, COUNT(races)) >= 2;
}
