/* SPDX-License-Identifier: MIT */
/* Numbers and dates as people write them: the format is found, every text is read and
 * printed as it came, cut off or not. */
#include "support/ow_test.h"

#include "data/format/format_guess.h"

enum { most_texts = 6 };

typedef struct {
    const char *pattern; /* NULL: there is no format                */
    bool decimal_comma;
    const char *texts[most_texts];
    double values[most_texts];
} format_case;

static const format_case cases[] = {
    {"€ 1,234.5", false, {"€ 35,340.75", "€ 7.10"}, {35340.75, 7.1}},
    {"1,234.5", false, {"10,113", "6,459", "999"}, {10113, 6459, 999}},
    {"1,234.5", false, {"1,234,567.25", "-12.50"}, {1234567.25, -12.5}},
    {"12,34,567.5", false, {"1,23,456", "12,34,56,789", "999"}, {123456, 123456789, 999}},
    {"₹12,34,567.5", false, {"₹7,216.50", "-₹2,10,000"}, {7216.5, -210000}},
    {"1234.5%", false, {"6.9%", "12.0%", "-4.5%"}, {6.9, 12, -4.5}},
    {"1234.5 %", false, {"6.9 %", "12.0 %"}, {6.9, 12}},
    {"1.234,5", true, {"35.340,75", "7,10", "-0,50"}, {35340.75, 7.1, -0.5}},
    {"1.234,5", true, {"1.141", "12.345", "9"}, {1141, 12345, 9}},
    {"1.234,5", false, {"12.345.678", "1.200"}, {12345678, 1200}},
    {"1234,5", false, {"12,5", "13,2", "0,0"}, {12.5, 13.2, 0}},
    {"1234,5", false, {"0,125", "0,250"}, {0.125, 0.25}},
    {"(1,234.5)", false, {"(1,234.50)", "1,234.00"}, {-1234.5, 1234}},
    {"1,234.5-", false, {"1,234.50-", "2.00"}, {-1234.5, 2}},
    {"$-1,234.5", false, {"$-5.00", "$1,200.00"}, {-5, 1200}},
    {"$1,234.5", false, {"-$5.00", "$1,200.00"}, {-5, 1200}},
    {"($1,234.5)", false, {"($5.00)", "$1,200.00"}, {-5, 1200}},
    {"1 234,5 €", false, {"1 234,50 €", "-12,00 €"}, {1234.5, -12}},
    {"CHF 1'234.5", false, {"CHF 12.50", "CHF 1'200.00"}, {12.5, 1200}},
    {"EUR1,234.5", false, {"EUR10", "EUR1,000"}, {10, 1000}},
    {"1234.5 EUR", false, {"10 EUR", "7 EUR"}, {10, 7}},
    {"dd.mm.yyyy", false, {"28.11.2024", "07.04.2023"}, {20055, 19454}},
    {"d.m.yyyy", false, {"1.2.2024", "12.11.2024"}, {19754, 20039}},
    {"mm/dd/yyyy", false, {"11/28/2024", "01/02/2024"}, {20055, 19724}},
    {"dd/mm/yyyy", false, {"28/11/2024", "01/02/2024"}, {20055, 19754}},
    {"m/d/yyyy", false, {"1/2/2024", "11/28/2024"}, {19724, 20055}},
    {"dd.mm.yy", false, {"28.11.24", "01.01.70", "01.01.69"}, {20055, 0, -365}},
    {"d.m.yy HH:MM", false, {"1.2.24 12:00", "12.11.24 00:00"}, {19754.5, 20039}},
    {"mm/dd/yy", false, {"11/28/24", "01/02/24"}, {20055, 19724}},
    {"1234.5 months", false, {"36 months", "1 month"}, {36, 1}},
    {"1234.5kg", false, {"62.5kg", "80.0kg"}, {62.5, 80}},
    {"1\u2019234.5", false, {"1\u2019200", "-12\u2019200"}, {1200, -12200}},
    {"yyyy-mm-dd", false, {"1970-01-01", "2000-02-29", "1969-12-31"}, {0, 11016, -1}},
    {"yyyy/mm/dd", false, {"1970/01/02", "2000/03/01"}, {1, 11017}},
    {"yyyy-mm-dd HH:MM:SS", false, {"1970-01-02 12:00:00", "2024-02-03 04:41:57"}, {1.5}},
    {"yyyy-mm-dd HH:MM", false, {"1969-12-31 18:00", "2024-02-03 23:59"}, {-0.25}},
    {"yyyy-mm-ddTHH:MM:SS.fffZ", false, {"1970-01-01T06:00:00.000Z"}, {0.25}},
    {"yyyy-mm-ddTHH:MM:SS+01:00", false, {"1970-01-01T06:00:00+01:00"}, {0.25}},
    {"dd-Mon-yyyy", false, {"21-Feb-2024", "01-May-2024"}, {19774, 19844}},
    {"dd-MON-yy", false, {"21-FEB-24", "01-MAY-24"}, {19774, 19844}},
    {"d Month yyyy", false, {"19 March 2024", "1 May 2024"}, {19801, 19844}},
    {"d. Monat yyyy", false, {"19. März 2024", "1. Mai 2024"}, {19801, 19844}},
    {"Mon d, yyyy", false, {"Mar 19, 2024", "May 1, 2024"}, {19801, 19844}},
    {"Mon-yy", false, {"Dec-11", "May-13"}, {15309, 15826}},
    {"yyyy-mm", false, {"2024-03", "1999-12"}, {19783, 10926}},
    {"mm/yyyy", false, {"03/2024", "12/1999"}, {19783, 10926}},
    {"m/d/yyyy H:MM AM", false, {"1/2/1970 6:00 PM", "1/31/1970 12:00 AM"}, {1.75, 30}},
    {"yyyy-mm-dd HH:MM:SS am", false, {"1970-01-02 12:00:00 pm"}, {1.5}},
    {"yyyy-mm-dd HH:MM:SS UTC", false, {"1970-01-02 12:00:00 UTC"}, {1.5}},
    {"1234.5/10", false, {"6/10", "7.5/10", "10/10"}, {6, 7.5, 10}},
    {"<5 or 1234.5", false, {"7.2", "<5", "5.0", "12.5"}, {7.2, 4, 5, 12.5}},
    {"1234.5 or > 500", false, {"500", "> 500", "-3"}, {500, 501, -3}},
    {"<0.05 or 1,234.5 mg", false, {"1,200.0 mg", "<0.05", "0.25 mg"}, {1200, 0.04, 0.25}},
    {"<5 or 1234.5 or >90", false, {"12", "<5", "90", ">90"}, {12, 4, 90, 91}},
    {"<0,5 or 1234,5", true, {"0,75", "<0,5", "12,00"}, {0.75, 0.4, 12}},
    {NULL, false, {"<5", ">10"}, {0}}, /* levels */
    {NULL, false, {"21-Fex-2024", "01-Maj-2024"}, {0}},
    {NULL, false, {"1024-03", "8999-12"}, {0}}, /* numbers of parts */
    {NULL, false, {"1/2/2024 13:00 PM", "1/31/2024 0:30 AM"}, {0}},
    {NULL, false, {"01/02/2024 10:00:00.5", "03/04/2024 10:00:00.5"}, {0}},
    {NULL, false, {"01/02/2024", "03/04/2024"}, {0}}, /* which is the month? */
    {NULL, false, {"A11", "A12", "A34"}, {0}},
    {NULL, false, {"C000441", "C001564"}, {0}},
    {NULL, false, {"+49 1011017900", "+49 6734866948"}, {0}},
    {NULL, false, {"1,0,000", "2,5,1"}, {0}},
    {NULL, false, {"2024-02-30", "2023-13-01"}, {0}},
    {NULL, false, {"24:00", "12:30"}, {0}},
    {NULL, false, {"1.2.3", "2.10.4"}, {0}},
    {NULL, false, {"EURO 5", "USDA 7"}, {0}},
    {NULL, false, {"kg 5", "kg 7"}, {0}},
    {NULL, false, {"12-01-24", "13-01-24"}, {0}}, /* days or years first */
};
enum { n_cases = sizeof cases / sizeof *cases };

static size_t list(const format_case *c, owi_written *texts)
{
    size_t n = 0;
    for (; n < most_texts && c->texts[n] != NULL; n++)
        texts[n] = (owi_written){c->texts[n], strlen(c->texts[n]), 1};
    return n;
}

static void a_column_has_one_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_cases; i++) {
        owi_written texts[most_texts];
        owi_value_format format;
        char pattern[owi_pattern_size] = "none";
        const size_t n = list(&cases[i], texts);
        const size_t n_read = owi_guess_format(n, texts, cases[i].decimal_comma, &format);
        if (n_read > 0) owi_pattern_print(&format, pattern);
        assert_string_equal(pattern, cases[i].pattern != NULL ? cases[i].pattern : "none");
        assert_int_equal(n_read, cases[i].pattern != NULL ? n : 0);
    }
}

static void dates_that_can_be_read_either_way_are_told(void **state)
{
    (void)state;
    const owi_written texts[] = {{"01/02/2024", 10, 3}, {"03/04/2024", 10, 1}};
    owi_value_format format;
    assert_int_equal(owi_guess_format(2, texts, false, &format), 0);
    assert_int_equal(format.writing, OWI_DATE);
}

/* Where "<5" is not the only one below, or a number is, it cannot be printed as it came. */
static void limits_that_are_not_alone_are_no_numbers(void **state)
{
    (void)state;
    static const char *const mixed[][4] = {{"<5", "<3", "7", "8"},
                                           {"<5", "4", "7", "8"},
                                           {">5", "4", "7", "3"},
                                           {"<5", "<x", "7", "8"},
                                           {"<2024-01-01", "2024-02-03", "2024-02-04"}};
    for (size_t i = 0; i < sizeof mixed / sizeof *mixed; i++) {
        owi_written texts[4];
        owi_value_format format;
        double value;
        size_t n = 0;
        for (; n < 4 && mixed[i][n] != NULL; n++)
            texts[n] = (owi_written){mixed[i][n], strlen(mixed[i][n]), 1};
        owi_guess_format(n, texts, false, &format);
        assert_false(owi_value_read(&format, texts[0].text, texts[0].length, &value, NULL));
    }
}

static void what_is_read_prints_as_it_came(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_cases; i++) {
        owi_value_format format;
        if (cases[i].pattern == NULL) continue;
        assert_true(owi_pattern_read(cases[i].pattern, &format));
        for (size_t k = 0; k < most_texts && cases[i].texts[k] != NULL; k++) {
            const char *text = cases[i].texts[k];
            char printed[owi_value_size];
            double value;
            int decimals;
            assert_true(owi_value_read(&format, text, strlen(text), &value, &decimals));
            if (k == 0 || cases[i].values[k] != 0.0)
                assert_true(fabs(value - cases[i].values[k]) < 1e-9);
            const size_t length = owi_value_print(&format, value, decimals, printed);
            assert_int_equal(length, strlen(printed));
            assert_string_equal(printed, text);
        }
    }
}

/* A prefix of a text is another number, or none; it never reads past its end, and what it
 * reads prints as a text that reads as the same. */
static void texts_may_be_cut_off_anywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_cases; i++) {
        owi_value_format format;
        if (cases[i].pattern == NULL) continue;
        assert_true(owi_pattern_read(cases[i].pattern, &format));
        for (size_t k = 0; k < most_texts && cases[i].texts[k] != NULL; k++)
            for (size_t n = 0; n < strlen(cases[i].texts[k]); n++) {
                char *cut = malloc(n + 1), printed[owi_value_size];
                double value, again;
                int decimals;
                memcpy(cut, cases[i].texts[k], n);
                if (owi_value_read(&format, cut, n, &value, &decimals)) {
                    owi_value_print(&format, value, decimals, printed);
                    assert_true(
                        owi_value_read(&format, printed, strlen(printed), &again, NULL));
                    assert_true(again == value || owi_limit_text(&format, value) != NULL);
                }
                free(cut);
            }
    }
}

static void units_and_marks_may_be_left_out(void **state)
{
    (void)state;
    owi_value_format format;
    double value;
    assert_true(owi_pattern_read("EUR 1,234.5", &format));
    const char *const same[] = {"EUR 1,200", "EUR1200", "1200.00", "1,200", " 1200 "};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(owi_value_read(&format, same[i], strlen(same[i]), &value, NULL));
        assert_true(value == 1200.0);
    }
    const char *const none[] = {"USD 1,200", "EUR", "", "1,20", "12,00", "1,2000", "1.2.3"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(owi_value_read(&format, none[i], strlen(none[i]), &value, NULL));
}

static void patterns_are_read_strictly(void **state)
{
    (void)state;
    owi_value_format format;
    const char *const none[] = {"",
                                "1234",
                                "12345",
                                "XYZ 1234.5",
                                "yyyy-dd",
                                "yyyy-mm.dd",
                                "dd.mm.yyyyx",
                                "dd.mm.yyy",
                                "yy.mm.dd",
                                "months 1234.5",
                                "<5 or",
                                "5 or 1234.5",
                                "1234.5 or <5",
                                "<5 or 1234.5 or <3",
                                ">5 or 1234.5",
                                "1;234.5",
                                "EUR 1234.5 EUR",
                                "(1234.5",
                                "yyyy-mm-dd HH",
                                "1.234.5"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(owi_pattern_read(none[i], &format));
}

static void words_for_missing_values_among_numbers(void **state)
{
    (void)state;
    bool rare_only;
    const char *const words[] = {"n/a", "N/A", "Unknown", "-", ".", "inf", "-Inf"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        assert_true(owi_is_missing_word(words[i], strlen(words[i]), &rare_only));
        assert_false(rare_only);
    }
    assert_true(owi_is_missing_word("None", 4, &rare_only));
    assert_true(rare_only);
    assert_false(owi_is_missing_word("forty", 5, &rare_only));
    assert_false(owi_is_missing_word("", 0, &rare_only));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_column_has_one_format),
        cmocka_unit_test(dates_that_can_be_read_either_way_are_told),
        cmocka_unit_test(limits_that_are_not_alone_are_no_numbers),
        cmocka_unit_test(what_is_read_prints_as_it_came),
        cmocka_unit_test(texts_may_be_cut_off_anywhere),
        cmocka_unit_test(units_and_marks_may_be_left_out),
        cmocka_unit_test(patterns_are_read_strictly),
        cmocka_unit_test(words_for_missing_values_among_numbers),
    };
    return cmocka_run_group_tests_name("data/value_format", tests, NULL, NULL);
}
