/* SPDX-License-Identifier: MIT */
/* Numbers and intervals as people type them. */
#include "options/decimal.h"
#include "support/ow_test.h"

static void a_number_is_the_whole_text_or_nothing(void **state)
{
    static const char *const good[] = {"0", "-1.5", "+2", ".5", "1e3", "007"};
    static const double want[] = {0.0, -1.5, 2.0, 0.5, 1000.0, 7.0};
    static const char *const bad[] = {"",    " 1", "1 ", "inf", "nan", "0x10",  "1.2.3",
                                      "ten", "1e", "e",  "-",   ".",   "1e999", "1,5"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double number;
        assert_true(decimal_read(good[i], &number));
        assert_close(&number, &want[i], 1, 0.0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double number = 42.0;
        assert_false(decimal_read(bad[i], &number));
        assert_true(number == 42.0);
    }
}

static void an_interval_keeps_the_end_that_is_left_out(void **state)
{
    static const struct {
        const char *text;
        double low, high;
    } good[] = {{"1:2", 1.0, 2.0},
                {"1:", 1.0, INFINITY},
                {":2", -INFINITY, 2.0},
                {"0.7", 0.7, INFINITY},
                {"-3:-1.5", -3.0, -1.5}};
    static const char *const bad[] = {"", ":", "a:b", "1:b", "1:2:3", "1-2"};
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double low = -INFINITY, high = INFINITY;
        assert_true(decimal_read_interval(good[i].text, &low, &high));
        assert_close(&low, &good[i].low, 1, 0.0);
        assert_close(&high, &good[i].high, 1, 0.0);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double low = 0.0, high = 0.0;
        assert_false(decimal_read_interval(bad[i], &low, &high));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_the_whole_text_or_nothing),
        cmocka_unit_test(an_interval_keeps_the_end_that_is_left_out),
    };
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
