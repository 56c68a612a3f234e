/* SPDX-License-Identifier: MIT */
/* Exit codes: numbers that scripts rely on. */
#include "support/ow_test.h"

#include "terminal/exit_codes.h"

static void every_status_has_its_code(void **state)
{
    (void)state;
    assert_int_equal(exit_code_for(OW_OK, false), 0);
    assert_int_equal(exit_code_for(OW_ERR_ARGUMENT, false), 2);
    assert_int_equal(exit_code_for(OW_ERR_FORMAT, false), 3);
    assert_int_equal(exit_code_for(OW_ERR_SCHEMA, false), 3);
    assert_int_equal(exit_code_for(OW_ERR_NUMERIC, false), 3);
    assert_int_equal(exit_code_for(OW_ERR_UNSUPPORTED, false), 3);
    assert_int_equal(exit_code_for(OW_ERR_MEMORY, false), 4);
    assert_int_equal(exit_code_for(OW_ERR_CANCELLED, false), 130);
    assert_int_equal(exit_code_for((ow_status)1000, false), 70);
}

static void
a_file_that_cannot_be_read_is_bad_data_and_one_that_cannot_be_written_no_room(void **state)
{
    (void)state;
    assert_int_equal(exit_code_for(OW_ERR_IO, false), 3);
    assert_int_equal(exit_code_for(OW_ERR_IO, true), 4);
}

static void every_code_is_explained_once_in_rising_order(void **state)
{
    (void)state;
    static const int want[] = {0, 1, 2, 3, 4, 70, 130};
    size_t n = 0;
    int code;
    for (; exit_code_meaning(n, &code) != NULL; n++) assert_int_equal(code, want[n]);
    assert_int_equal(n, sizeof want / sizeof *want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_code),
        cmocka_unit_test(
            a_file_that_cannot_be_read_is_bad_data_and_one_that_cannot_be_written_no_room),
        cmocka_unit_test(every_code_is_explained_once_in_rising_order),
    };
    return cmocka_run_group_tests_name("cli/exit_codes", tests, NULL, NULL);
}
