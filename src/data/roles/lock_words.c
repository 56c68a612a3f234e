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

/* Digits at the end of a word number it: age65, born60, race2. */
static void cut_digits(name_words *w)
{
    for (size_t i = 0; i < w->n; i++) {
        char *word = w->text + (w->words[i] - w->text);
        size_t n = strlen(word);
        while (n > 1 && is_digit(word[n - 1])) n--;
        if (!is_digit(word[0])) word[n] = '\0';
    }
}

/* Whether a word is in a list of words that single blanks divide. */
static bool is_in(const char *word, const char *list)
{
    const size_t n = strlen(word);
    for (const char *at = list; n > 0 && (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || at[n] == '\0')) return true;
    return false;
}

/* ---- English and German words ---- */

/* What a person is. */
static const char person[] =
    "age ages aged agep agegroup agegrp agegp agegr agecat agecl ageclass ageband agerange "
    "ageyears ageyrs ageyr ageatdiag agesq mage fage momage dadage mthage fthage motherage "
    "fatherage chldage childage patage yob elderly "
    "sex sx gender gend gndr female fem male woman women girl boy transgender "
    "race racial ethnicity ethnic ethn eth hispanic latino latina latinx hisp asian black "
    "nonwhite caucasian indigenous aboriginal minority minrty caste tribe ancestry raceth "
    "raceeth ethrace african native nonnative indig "
    "nationality citizenship citizen immigrant immig immigr migrant foreigner religion "
    "relig "
    "catholic protestant muslim jewish hindu "
    "birth birthday birthdate birthplace birthyear birthyr bday bdate byear dob born "
    "firstborn bweight birthwt "
    "marital married maried marry marr marriage maritl marstat mstatus unmarried widow "
    "widower widowed divorced divorce cohab cohabiting "
    "pregnant pregnancies pregnancy parity gravida gravidity menopause menarche "
    "disability disabled disab handicap handicapped veteran military siblings sibling sibs "
    "nsibs twin "
    "mother father mothers fathers maternal paternal parental parents "
    "alter lebensalter eintrittsalter altersgruppe geschlecht anrede ethnie herkunft "
    "abstammung hautfarbe migrationshintergrund gastarb gastarbeiter muttersprache "
    "weiblich männlich maennlich ledig geschieden verwitwet jahrgang altersklasse geb "
    "staatsangehoerigkeit staatsangehörigkeit staatsbürgerschaft staatsbuergerschaft "
    "nationalitaet nationalität konfession religionszugehörigkeit "
    "familienstand zivilstand famges famstand verheiratet schwanger schwangerschaften "
    "behinderung behindert schwerbehinderung mutter vater eltern geschwister";
/* What has happened. */
static const char past[] =
    "history hist hx since tenure previous previously prev prior priors former "
    "preexisting convictions conviction convicted arrests arrested offenses offences "
    "felony felonies misdemeanors incarcerated bankruptcy bankruptcies bankrupt experience "
    "exper yrsexp yrexp workexp wrkexp wkexp wexp expyrs expyr seniority recency onset "
    "diagyr diagtime yrdiag prevalent famhist "
    "packyears "
    "vintage hospitalizations hospitalisations readmissions comorbidities pdays poutcome "
    "seit historie vorgeschichte vorerkrankung vorerkrankungen vorstrafe vorstrafen "
    "vorschäden vorschaeden vorbesitzer wohnzeit wohndauer moral berufserfahrung "
    "dienstjahre dienstalter betriebszugehörigkeit betriebszugehoerigkeit baujahr früher "
    "frühere fruehere ehemalig ehemalige vorherige vorjahr schadenfrei schadenfreie "
    "eintrittsdatum insolvenz insolvenzen";
/* Codes of surveys that many tables come from: the censuses of the USA (PUMS, IPUMS, CPS),
 * health surveys (NHANES, NHIS, BRFSS), the European Social Survey, SOEP. */
static const char codes[] =
    "rac1p racblk racwht pobp anc1p hispan marst bpl yrimmig nativity agea gndr yrbrn "
    "brncntr ctzcntr rlgblg maritalb prtage pesex ptdtrace pemaritl prcitshp penatvty "
    "ridageyr ridagemn riagendr ridreth1 ridreth3 dmdmartl dmdborn4 dmdcitzn sexvar "
    "ageg5yr hispanc3 gebjahr migback famstd";
/* Two words that follow each other. */
static const char *const locked_pairs[][2] = {{"personal", "status"},
                                              {"family", "status"},
                                              {"civil", "status"},
                                              {"foreign", "worker"},
                                              {"foreign", "born"},
                                              {"native", "country"},
                                              {"native", "language"},
                                              {"mother", "tongue"},
                                              {"country", "birth"},
                                              {"senior", "citizen"},
                                              {"sexual", "orientation"},
                                              {"skin", "color"},
                                              {"skin", "colour"},
                                              {"blood", "type"},
                                              {"blood", "group"},
                                              {"year", "built"},
                                              {"years", "built"},
                                              {"construction", "year"},
                                              {"year", "construction"},
                                              {"production", "year"},
                                              {"manufacture", "year"},
                                              {"first", "gen"},
                                              {"first", "generation"},
                                              {"model", "year"},
                                              {"years", "at"},
                                              {"years", "with"},
                                              {"years", "in"},
                                              {"months", "at"},
                                              {"months", "with"},
                                              {"time", "at"},
                                              {"time", "in"},
                                              {"time", "with"},
                                              {"working", "years"},
                                              {"year", "of"},
                                              {"service", "time"},
                                              {"length", "service"},
                                              {"account", "length"},
                                              {"past", "due"},
                                              {"companies", "worked"},
                                              {"months", "ago"},
                                              {"days", "ago"},
                                              {"years", "ago"},
                                              {"years", "exp"},
                                              {"exp", "years"},
                                              {"work", "exp"},
                                              {"job", "exp"},
                                              {"years", "service"},
                                              {"years", "smoking"},
                                              {"years", "smoked"},
                                              {"pack", "years"},
                                              {"on", "book"},
                                              {"on", "books"},
                                              {"eye", "color"},
                                              {"eye", "colour"},
                                              {"birth", "order"},
                                              {"criminal", "record"},
                                              {"public", "record"},
                                              {"public", "records"},
                                              {"pub", "rec"}};
/* Words that begin or end with these say the same: maritalstatus, credithistory. */
static const char *const stems[] = {"marital",     "gender",    "ethnic",     "nationality",
                                    "birth",       "brth",      "history",    "pregnan",
                                    "religion",    "geburt",    "geschlecht", "vorstraf",
                                    "staatsangeh", "convicted", "experience", "married",
                                    "hispanic",    "immigra",   "bankrupt",   "divorc",
                                    "widow"};
/* Short forms of units of time, which pairs have as whole words. */
static const char *const short_forms[][2] = {{"yr", "years"},   {"yrs", "years"},
                                             {"mth", "months"}, {"mths", "months"},
                                             {"mo", "months"},  {"mos", "months"}};
/* Names that are written together: momrace, agemth, expersq, yronset.  One of the heads,
 * with what may stand before it and behind it. */
static const char *const heads[] = {"age",    "race",  "sex",  "exper",   "hisp",
                                    "black",  "white", "marr", "married", "onset",
                                    "tenure", "ethn",  "eth",  "gender",  "birth",
                                    "born",   "prior"};
static const char before_head[] =
    "mom mother mth dad father fth kid kids child chld baby hus husb husband wife wif "
    "spouse "
    "partner client resp head hh pat patient emp worker wrk work own first last cur "
    "current "
    "base tot total ttl yr yrs year years n nr no num log ln l non";
static const char behind_head[] = "sq squared cb cubed gr grp group groups cat class cl "
                                  "band range yr yrs year years mth mths "
                                  "mo months days cont code num log bin std z f m";
/* A count of these is one of past events. */
static const char counts[] = "num number nb count cnt times no anzahl zahl";
static const char events[] =
    "arrest crimes accident accidents claims collisions violations delinquency "
    "delinquencies default defaults foreclosures late missed overdue admission admissions "
    "hospitalization inpatient outpatient emergency visits visit surgeries episodes "
    "seizures relapses recurrences failures failed absences complaints miscarriages "
    "abortions births marriages divorces schäden schaeden unfälle unfaelle mahnungen "
    "verspätungen kündigungen arztbesuche operationen geburten ehen fehltage";
static const char doubtful[] =
    "late ever years year dependents dependants children kids education delinq delinquent "
    "delinquencies employed past failures delays defaults origin country default "
    "relationship disciplinary emergency inpatient visits claims accidents absences "
    "overdue arrears kinder bisher mahnungen verspätungen unfälle schäden jahre beszeit";

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool has_stem(const char *word)
{
    const size_t n = strlen(word);
    for (size_t i = 0; i < COUNT(stems); i++) {
        const size_t length = strlen(stems[i]);
        if (n >= length && (memcmp(word, stems[i], length) == 0 ||
                            strcmp(word + n - length, stems[i]) == 0))
            return true;
    }
    return false;
}

/* The whole word for a short one. */
static const char *spell_out(const char *word)
{
    for (size_t k = 0; k < COUNT(short_forms); k++)
        if (strcmp(word, short_forms[k][0]) == 0) return short_forms[k][1];
    return word;
}

static bool is_locked_pair(const char *first, const char *second)
{
    for (size_t k = 0; k < COUNT(locked_pairs); k++)
        if (strcmp(spell_out(first), locked_pairs[k][0]) == 0 &&
            strcmp(spell_out(second), locked_pairs[k][1]) == 0)
            return true;
    return false;
}

/* Whether the first n letters of a word are a word of a list; none are, too. */
static bool begins_with_one_of(const char *word, size_t n, const char *list)
{
    char part[longest_name] = "";
    if (n >= sizeof part) return false;
    memcpy(part, word, n);
    return n == 0 || is_in(part, list);
}

/* Whether a word is a head with something known written to it, on one side or both. */
static bool is_written_together(const char *word)
{
    const size_t n = strlen(word);
    for (size_t k = 0; k < COUNT(heads); k++) {
        const size_t length = strlen(heads[k]);
        for (const char *at = word; (at = strstr(at, heads[k])) != NULL; at++) {
            const size_t before = (size_t)(at - word), behind = n - before - length;
            if (before + behind > 0 && begins_with_one_of(word, before, before_head) &&
                begins_with_one_of(at + length, behind, behind_head))
                return true;
        }
    }
    return false;
}

static bool is_locked_word(const char *word)
{
    return is_in(word, person) || is_in(word, past) || is_in(word, codes) ||
           has_stem(word) || is_written_together(word);
}

static bool has_locked_word(const name_words *w)
{
    bool has_count = false, has_event = false;
    for (size_t i = 0; i < w->n; i++) {
        const char *word = w->words[i];
        if (is_locked_word(word)) return true;
        if (i + 1 < w->n && is_locked_pair(word, w->words[i + 1])) return true;
        has_count = has_count || is_in(word, counts);
        has_event = has_event || is_in(word, events);
    }
    return has_count && has_event;
}

bool owi_is_locked_name(const char *name)
{
    name_words w;
    cut(name, &w);
    /* Among other words white is a colour or a share, and single is no state of a person.
     * */
    if (w.n == 1 && is_in(w.words[0], "white single separated")) return true;
    if (has_locked_word(&w)) return true;
    cut_digits(&w);
    return has_locked_word(&w);
}

bool owi_is_doubtful_name(const char *name)
{
    name_words w;
    cut(name, &w);
    for (size_t i = 0; i < w.n; i++)
        if (is_in(w.words[i], doubtful)) return true;
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
        for (size_t i = 0; i < n_list; i++) n_known += strcmp(lower, list[i]) == 0;
    }
    return n_known;
}

/* Whether all levels are letters that stand for sexes: f and m, or German w, m and d. */
static bool are_sexes_by_letter(size_t n, const char *const *levels)
{
    static const char *const english[] = {"f", "m"}, *const german[] = {"m", "w"};
    static const char *const others[] = {"d", "u", "x"};
    if (n < 2 || n > 3) return false;
    const size_t n_others = n == 3 ? count_known(n, levels, others, COUNT(others)) : 0;
    if (n_others != n - 2) return false;
    return count_known(n, levels, english, COUNT(english)) == 2 ||
           count_known(n, levels, german, COUNT(german)) == 2;
}

bool owi_are_locked_levels(size_t n, const char *const *levels)
{
    static const char *const sexes[] = {"male",     "female",   "man",  "woman",
                                        "men",      "women",    "boy",  "girl",
                                        "männlich", "weiblich", "mann", "frau"};
    static const char *const states[] = {"married",       "single",        "divorced",
                                         "widowed",       "separated",     "widow",
                                         "never-married", "never married", "unmarried",
                                         "not married",   "verheiratet",   "ledig",
                                         "geschieden",    "verwitwet"};
    static const char *const races[] = {"white",
                                        "black",
                                        "asian",
                                        "hispanic",
                                        "latino",
                                        "afam",
                                        "caucasian",
                                        "african-american",
                                        "african american",
                                        "native american"};
    static const char *const religions[] = {"catholic", "protestant", "muslim",  "jewish",
                                            "hindu",    "buddhist",   "orthodox"};
    static const char *const colours[] = {"red",  "blue",   "green", "grey",
                                          "gray", "silver", "brown"};
    if (are_sexes_by_letter(n, levels)) return true;
    return count_known(n, levels, sexes, COUNT(sexes)) >= 2 ||
           count_known(n, levels, states, COUNT(states)) >= 2 ||
           count_known(n, levels, religions, COUNT(religions)) >= 2 ||
           (count_known(n, levels, races, COUNT(races)) >= 2 &&
            count_known(n, levels, colours, COUNT(colours)) == 0);
}
