/* SPDX-License-Identifier: MIT */
/* Columns that nobody can change, against a key that was made by hand before the rules. */
#include "support/ow_test.h"

#include "data/roles/lock_words.h"

/* Tables that the rules were written with, those kept aside, and those keyed afterwards. */
typedef enum {
    LOOKED_AT,
    ASIDE,
    LATER,
    FRESH,
    UNSEEN,
    LAST,
    KEPT,
    NEWEST,
    N_PARTS
} key_part;
static const char *const part_names[] = {"looked at", "aside", "later", "fresh",
                                         "unseen",    "last",  "kept",  "newest"};
static const double least_recall[] = {0.8, 0.8, 0.8, 0.8, 0.75, 0.7, 0.8, 0.8};

typedef struct {
    double n_right, n_wrong, n_overlooked;
} tally;

/* One line of the key: columns, each with its mark. */
static void count_line(char *line, key_part part, tally tallies[N_PARTS])
{
    for (char *name = strtok(line, ","); name != NULL; name = strtok(NULL, ",")) {
        name += strspn(name, " ");
        name[strcspn(name, "\n")] = '\0';
        if (name[0] == '?') continue;
        const bool should = name[0] == '*', does = owi_is_locked_name(name + should);
        tallies[part].n_right += should && does;
        tallies[part].n_wrong += !should && does;
        tallies[part].n_overlooked += should && !does;
        if (should != does)
            print_message("%s %s (%s)\n",
                          should ? "overlooked:" : "wrongly locked:", name + should,
                          part_names[part]);
    }
}

static void locks_agree_with_the_key(void **state)
{
    (void)state;
    tally tallies[N_PARTS] = {{0}};
    char line[2000];
    key_part part = LOOKED_AT;
    size_t n_tables = 0;
    FILE *file = fopen("tests/unit/data/lock_key.txt", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') continue;
        if (line[0] == '=') {
            part = strstr(line, " aside") != NULL    ? ASIDE
                   : strstr(line, " later") != NULL  ? LATER
                   : strstr(line, " fresh") != NULL  ? FRESH
                   : strstr(line, " unseen") != NULL ? UNSEEN
                   : strstr(line, " last") != NULL   ? LAST
                   : strstr(line, " kept") != NULL   ? KEPT
                   : strstr(line, " newest") != NULL ? NEWEST
                                                     : LOOKED_AT;
            n_tables++;
            continue;
        }
        count_line(line, part, tallies);
    }
    fclose(file);
    assert_true(n_tables >= 40);
    double n_right = 0.0, n_should = 0.0;
    for (size_t i = 0; i < N_PARTS; i++) {
        const tally *t = &tallies[i];
        const double precision = t->n_right / (t->n_right + t->n_wrong);
        const double recall = t->n_right / (t->n_right + t->n_overlooked);
        print_message("%s: precision %.2f, recall %.2f, of %.0f\n", part_names[i],
                      precision, recall, t->n_right + t->n_overlooked);
        assert_true(precision >= 0.9);
        assert_true(recall >= least_recall[i]);
        n_right += t->n_right;
        n_should += t->n_right + t->n_overlooked;
    }
    print_message("all: recall %.2f, of %.0f\n", n_right / n_should, n_should);
    assert_true(n_right >= 0.8 * n_should);
}

static void words_are_cut_at_capitals_and_marks(void **state)
{
    (void)state;
    const char *const locked[] = {"AGE",
                                  "applicant_age",
                                  "MaritalStatus",
                                  "marital-status",
                                  "Kunde seit",
                                  "MSinceOldestTrade",
                                  "years_at_work",
                                  "YearsAtCompany",
                                  "Geburtsdatum",
                                  "maritalstatus",
                                  "num_accidents",
                                  "RIAGENDR",
                                  "born60",
                                  "yrs_exp",
                                  "white",
                                  "age2",
                                  "momrace",
                                  "expersq",
                                  "AGEGR1",
                                  "husage",
                                  "yronset",
                                  "single",
                                  "mblck",
                                  "marrblck",
                                  "gndr",
                                  "mrtl_status",
                                  "ethni",
                                  "coachexper",
                                  "yearsatcompany",
                                  "hireyear",
                                  "yearphd",
                                  "smokeyrs",
                                  "last_contact",
                                  "PriorClaims",
                                  "prevclaims",
                                  "estado civil",
                                  "Patientenalter",
                                  "mar",
                                  "How old are you?",
                                  "GÉNERO",
                                  "Âge",
                                  "ClientÂge",
                                  "agehed",
                                  "relationship_status"};
    const char *const free_ones[] = {"stage",
                                     "average",
                                     "usage",
                                     "message",
                                     "historical_x",
                                     "alternative",
                                     "sexton",
                                     "",
                                     "racetrack",
                                     "pageviews",
                                     "white_wine",
                                     "wage",
                                     "12",
                                     "trace",
                                     "package",
                                     "totexp",
                                     "single_malt",
                                     "damage",
                                     "frac_black",
                                     "pct_female",
                                     "prevent",
                                     "priority",
                                     "party",
                                     "minor",
                                     "material",
                                     "Fahrzeughalter",
                                     "inquiries last 6 months",
                                     "birth_control",
                                     "bandage",
                                     "histology"};
    for (size_t i = 0; i < sizeof locked / sizeof *locked; i++)
        assert_true(owi_is_locked_name(locked[i]));
    for (size_t i = 0; i < sizeof free_ones / sizeof *free_ones; i++)
        assert_false(owi_is_locked_name(free_ones[i]));
    assert_true(owi_is_doubtful_name("late_payments"));
    assert_false(owi_is_doubtful_name("amount"));
}

static void levels_tell_as_well(void **state)
{
    (void)state;
    assert_true(owi_are_locked_levels(2, (const char *const[]){"Female", "Male"}));
    assert_true(
        owi_are_locked_levels(3, (const char *const[]){"divorced", "married", "single"}));
    assert_true(owi_are_locked_levels(2, (const char *const[]){"weiblich", "männlich"}));
    assert_true(owi_are_locked_levels(4, (const char *const[]){"Husband", "Own-child",
                                                               "Unmarried", "Wife"}));
    assert_false(owi_are_locked_levels(2, (const char *const[]){"single", "double"}));
    assert_true(owi_are_locked_levels(2, (const char *const[]){"F", "M"}));
    assert_true(owi_are_locked_levels(3, (const char *const[]){"d", "m", "w"}));
    assert_false(owi_are_locked_levels(3, (const char *const[]){"L", "M", "S"}));
    assert_false(owi_are_locked_levels(3, (const char *const[]){"F", "L", "M"}));
    assert_false(owi_are_locked_levels(3, (const char *const[]){"black", "red", "white"}));
    assert_false(owi_are_locked_levels(2, (const char *const[]){"black", "red"}));
    assert_true(owi_are_locked_levels(3, (const char *const[]){"Asian-Pac-Islander",
                                                               "Black or African American",
                                                               "Other"}));
    assert_true(
        owi_are_locked_levels(3, (const char *const[]){"18-24", "25-34", "35 and above"}));
    assert_true(owi_are_locked_levels(
        3, (const char *const[]){"16 to 24 years", "25 to 34 years", "over 34"}));
    assert_false(
        owi_are_locked_levels(3, (const char *const[]){"10-20", "20-30", "30-40"}));
    assert_false(owi_are_locked_levels(2, (const char *const[]){"18-24", "60-90"}));
    assert_true(owi_are_locked_levels(2, (const char *const[]){"Mr", "Mrs"}));
    assert_true(owi_are_locked_levels(2, (const char *const[]){"hombre", "mujer"}));
    assert_false(
        owi_are_locked_levels(2, (const char *const[]){"men's shoes", "women's shoes"}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(locks_agree_with_the_key),
        cmocka_unit_test(words_are_cut_at_capitals_and_marks),
        cmocka_unit_test(levels_tell_as_well),
    };
    return cmocka_run_group_tests_name("data/lock_words", tests, NULL, NULL);
}
