/* SPDX-License-Identifier: MIT */
/* Which name was meant. */
#include "support/ow_test.h"

#include "base/text/spelling.h"

static const char *const names[] = {"age",       "duration",      "checking_status",
                                    "education", "education-num", "capital-gain",
                                    "sex",       "Risk",          "x7"};
enum { n_names = sizeof names / sizeof *names };

static void means(const char *word, const char *name)
{
    const size_t i = ow_name_nearest(word, names, n_names);
    const char *got = i < n_names ? names[i] : "nothing";
    if (strcmp(got, name) != 0) fail_msg("%s: got %s, want %s", word, got, name);
}

static void each_kind_of_slip_is_one_edit(void **state)
{
    (void)state;
    means("durtion", "duration");   /* left out     */
    means("durationn", "duration"); /* put in       */
    means("durasion", "duration");  /* replaced     */
    means("duartion", "duration");  /* swapped      */
    means("eag", "nothing");        /* two, in three letters */
    means("aeg", "age");            /* a swap counts once */
    means("xes", "nothing");
    means("education_num", "education-num");
    means("educatoin", "education");
}

static void case_does_not_matter_and_the_fewest_edits_win(void **state)
{
    (void)state;
    means("AGE", "age");
    means("risk", "Risk");
    means("Education", "education");
    means("educations", "education");
    means("EDUCATION-NUMB", "education-num");
}

static void a_third_of_the_letters_may_be_wrong(void **state)
{
    (void)state;
    means("dxxation", "duration"); /* 2 of 8 */
    means("dxxxtion", "nothing");  /* 3 of 8 */
    means("chcking_sttus", "checking_status");
    means("zzz", "nothing");
    means("", "nothing");
    means("x8", "x7");
}

static void the_beginning_of_a_name_is_enough(void **state)
{
    (void)state;
    means("check", "checking_status");
    means("capital", "capital-gain");
    means("EDU", "education"); /* the shorter of the two that begin so */
    assert_int_equal(ow_name_nearest("anything", names, 0), 0);
}

/* The same distance by the plain recursion, for all words of six letters over {a, b}. */
static size_t edits_by_recursion(const char *a, size_t n, const char *b, size_t m)
{
    if (n == 0 || m == 0) return n + m;
    size_t best = edits_by_recursion(a, n - 1, b, m) + 1;
    size_t other = edits_by_recursion(a, n, b, m - 1) + 1;
    if (other < best) best = other;
    other = edits_by_recursion(a, n - 1, b, m - 1) + (a[n - 1] != b[m - 1]);
    if (other < best) best = other;
    if (n > 1 && m > 1 && a[n - 1] == b[m - 2] && a[n - 2] == b[m - 1]) {
        other = edits_by_recursion(a, n - 2, b, m - 2) + 1;
        if (other < best) best = other;
    }
    return best;
}

static void edits_agree_with_the_recursion(void **state)
{
    (void)state;
    enum { n = 6 };
    char word[n + 1] = "", name[n + 1] = "";
    for (unsigned code = 0; code < 1u << 2 * n; code++) {
        for (unsigned i = 0; i < n; i++) {
            word[i] = code >> i & 1 ? 'a' : 'b';
            name[i] = code >> (n + i) & 1 ? 'a' : 'b';
        }
        const size_t want = edits_by_recursion(word, n, name, n);
        owi_spelling spelling;
        owi_spelling_begin(&spelling, word);
        owi_spelling_offer(&spelling, name, 0);
        if (want <= 2) assert_int_equal(spelling.best_score, want);
        if (want > 2) assert_true(spelling.best == NULL);
    }
}

static void names_longer_than_anybody_types_are_passed_over(void **state)
{
    (void)state;
    char word[400], name[400];
    memset(word, 'x', sizeof word);
    word[sizeof word - 1] = '\0';
    memcpy(name, word, sizeof name);
    const char *const offered[] = {name};
    assert_int_equal(ow_name_nearest(word, offered, 1), 1);
    assert_int_equal(ow_name_nearest("xxx", offered, 1), 1);
}

static void the_hint_is_ready_to_be_put_behind_a_sentence(void **state)
{
    (void)state;
    char hint[owi_hint_size];
    owi_spelling spelling;
    owi_spelling_begin(&spelling, "agee");
    owi_spelling_hint(&spelling, hint);
    assert_string_equal(hint, "");
    for (size_t i = 0; i < n_names; i++) owi_spelling_offer(&spelling, names[i], i);
    owi_spelling_hint(&spelling, hint);
    assert_string_equal(hint, "; did you mean \"age\"?");
}

static const char *name_of(const void *user, size_t i)
{
    assert_ptr_equal(user, names);
    return names[i];
}

static void an_unknown_word_fails_with_what_was_meant(void **state)
{
    (void)state;
    assert_fails(owi_fail_unknown(OW_ERR_ARGUMENT, "t.csv", "column", "agee", n_names,
                                  name_of, names),
                 OW_ERR_ARGUMENT,
                 "t.csv: there is no column \"agee\"; did you mean \"age\"?");
    assert_int_equal(owi_fail_unknown(OW_ERR_SCHEMA, NULL, "field", "zzz", n_names, name_of,
                                      names),
                     OW_ERR_SCHEMA);
    assert_string_equal(ow_error_message(), "there is no field \"zzz\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_slip_is_one_edit),
        cmocka_unit_test(case_does_not_matter_and_the_fewest_edits_win),
        cmocka_unit_test(a_third_of_the_letters_may_be_wrong),
        cmocka_unit_test(the_beginning_of_a_name_is_enough),
        cmocka_unit_test(edits_agree_with_the_recursion),
        cmocka_unit_test(names_longer_than_anybody_types_are_passed_over),
        cmocka_unit_test(the_hint_is_ready_to_be_put_behind_a_sentence),
        cmocka_unit_test(an_unknown_word_fails_with_what_was_meant),
    };
    return cmocka_run_group_tests_name("base/spelling", tests, NULL, NULL);
}
