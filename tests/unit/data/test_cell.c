/* SPDX-License-Identifier: MIT */
/* Entries of rows: text from CSV, numbers from arrays. */
#include "support/ow_test.h"

#include "base/text/number.h"
#include "data/rows/reader.h"

static owi_cell text_cell(const char *text)
{
    return (owi_cell){.text = text, .length = strlen(text)};
}

static void words_for_missing_values_are_known_in_any_case(void **state)
{
    (void)state;
    const char *const missing[] = {"",    "?",   "NA",   "na",   "Na",  "NaN",
                                   "nan", "NAN", "null", "NULL", "Null"};
    const char *const there[] = {" ",   "0",    "??",    "N",    "NB",  "nab", "no",
                                 "nil", "none", "nulls", "nan0", "n/a", "MA",  "{a"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++) {
        const owi_cell cell = text_cell(missing[i]);
        assert_true(owi_cell_is_missing(&cell));
    }
    for (size_t i = 0; i < sizeof there / sizeof *there; i++) {
        const owi_cell cell = text_cell(there[i]);
        if (owi_cell_is_missing(&cell)) print_error("\"%s\" is there\n", there[i]);
        assert_false(owi_cell_is_missing(&cell));
    }
}

static void a_number_is_missing_if_it_is_nan(void **state)
{
    (void)state;
    const owi_cell nan_cell = {.number = NAN}, zero = {.number = 0};
    assert_true(owi_cell_is_missing(&nan_cell));
    assert_false(owi_cell_is_missing(&zero));
}

static void a_cell_reads_as_text_whatever_it_is(void **state)
{
    (void)state;
    char buffer[owi_number_size];
    size_t length;
    const owi_cell word = {.text = "warm and dry", .length = 4}, number = {.number = 0.1},
                   whole = {.number = 7};
    assert_ptr_equal(owi_cell_text(&word, buffer, &length), word.text);
    assert_int_equal(length, 4);
    assert_string_equal(owi_cell_text(&number, buffer, &length), "0.1");
    assert_int_equal(length, 3);
    assert_string_equal(owi_cell_text(&whole, buffer, &length), "7");
}

static void assert_number(owi_cell cell, double want, int want_decimals)
{
    double number = 99;
    int decimals = 99;
    assert_true(owi_cell_number(&cell, &number, &decimals));
    assert_true(number == want);
    assert_int_equal(decimals, want_decimals);
    assert_true(owi_cell_number(&cell, &number, NULL));
}

static void a_cell_reads_as_a_number_if_it_is_one(void **state)
{
    (void)state;
    assert_number(text_cell("1.50"), 1.5, 2);
    assert_number((owi_cell){.number = -3}, -3, 0);
    assert_number((owi_cell){.number = 2.5}, 2.5, -1);
    assert_number((owi_cell){.number = 1e300}, 1e300, -1);

    const owi_cell not_numbers[] = {text_cell(""),    text_cell("?"),   text_cell("nan"),
                                    text_cell("inf"), text_cell("abc"), {.number = NAN}};
    for (size_t i = 0; i < sizeof not_numbers / sizeof *not_numbers; i++) {
        double number;
        int decimals;
        assert_false(owi_cell_number(&not_numbers[i], &number, &decimals));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_for_missing_values_are_known_in_any_case),
        cmocka_unit_test(a_number_is_missing_if_it_is_nan),
        cmocka_unit_test(a_cell_reads_as_text_whatever_it_is),
        cmocka_unit_test(a_cell_reads_as_a_number_if_it_is_one),
    };
    return cmocka_run_group_tests_name("data/cell", tests, NULL, NULL);
}
