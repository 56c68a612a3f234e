/* SPDX-License-Identifier: MIT */
#include "options/row_numbers.h"
#include "support/ow_test.h"

static void numbers_come_in_order_and_once(void **state)
{
    text_list texts = {0};
    static const char *const items[] = {"17", "3", "17", "000000000000000004", "3"};
    const size_t want[] = {3, 4, 17};
    size_t *numbers, n;
    (void)state;
    for (size_t i = 0; i < 5; i++) args_add_item(&texts, items[i], strlen(items[i]));
    assert_true(row_numbers_read(&texts, &numbers, &n));
    args_clear_list(&texts);
    assert_int_equal(n, 3);
    assert_memory_equal(numbers, want, sizeof want);
    free(numbers);
    assert_true(row_numbers_read(&(text_list){0}, &numbers, &n));
    assert_null(numbers);
    assert_int_equal(n, 0);
}

static void a_range_stands_for_its_rows(void **state)
{
    text_list texts = {0};
    static const char *const items[] = {"8-10", "3", "9-11", "2-2"};
    const size_t want[] = {2, 3, 8, 9, 10, 11};
    size_t *numbers, n;
    (void)state;
    for (size_t i = 0; i < 4; i++) args_add_item(&texts, items[i], strlen(items[i]));
    assert_true(row_numbers_read(&texts, &numbers, &n));
    args_clear_list(&texts);
    assert_int_equal(n, 6);
    assert_memory_equal(numbers, want, sizeof want);
    free(numbers);
}

static void what_is_no_row_is_refused(void **state)
{
    static const char *const bad[] = {
        "0",  "-1", "1.5",   "",     "x",    "99999999999999999999", "5-3", "0-3",
        "3-", "-",  "3-5-7", "3-5x", "3--5", "1-999999999999999999"};
    size_t *numbers, n;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        text_list texts = {0};
        args_add_item(&texts, "2", 1);
        args_add_item(&texts, bad[i], strlen(bad[i]));
        assert_false(row_numbers_read(&texts, &numbers, &n));
        args_clear_list(&texts);
        assert_null(numbers);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_in_order_and_once),
        cmocka_unit_test(a_range_stands_for_its_rows),
        cmocka_unit_test(what_is_no_row_is_refused),
    };
    return cmocka_run_group_tests_name("row_numbers", tests, NULL, NULL);
}
