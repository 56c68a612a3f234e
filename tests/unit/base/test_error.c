/* SPDX-License-Identifier: MIT */
/* Status codes and the sentence that goes with them. */
#include "support/ow_test.h"

#include "base/error.h"

static void the_sentence_is_that_of_the_last_failure(void **state)
{
    (void)state;
    assert_int_equal(owi_fail(OW_ERR_FORMAT, "%s:%d: odd", "a.csv", 3), OW_ERR_FORMAT);
    assert_string_equal(ow_error_message(), "a.csv:3: odd");
    (void)owi_fail(OW_ERR_IO, "then: %s", ow_error_message());
    assert_string_equal(ow_error_message(), "then: a.csv:3: odd");
}

static void a_sentence_too_long_is_cut_not_overrun(void **state)
{
    (void)state;
    char long_text[5000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    (void)owi_fail(OW_ERR_IO, "%s", long_text);
    assert_in_range(strlen(ow_error_message()), 500, 1023);
}

static void every_status_has_words(void **state)
{
    (void)state;
    for (int status = OW_OK; status <= OW_ERR_CANCELLED; status++)
        assert_string_not_equal(ow_status_text((ow_status)status), "unknown status");
    assert_string_equal(ow_status_text((ow_status)99), "unknown status");
}

static void errno_is_put_into_words(void **state)
{
    (void)state;
    assert_int_equal(owi_fail_errno("open", "nowhere.csv", 2), OW_ERR_IO);
    assert_string_equal(ow_error_message(),
                        "cannot open nowhere.csv: No such file or directory");
}

static void a_file_to_blame_goes_before_the_sentence(void **state)
{
    (void)state;
    assert_fails(owi_blame_file(owi_fail(OW_ERR_NUMERIC, "a sum is 2"), "a.json"),
                 OW_ERR_FORMAT, "a.json: a sum is 2");
    assert_ok(owi_blame_file(OW_OK, "a.json"));
    assert_status(owi_blame_file(OW_ERR_MEMORY, "a.json"), OW_ERR_MEMORY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_sentence_is_that_of_the_last_failure),
        cmocka_unit_test(a_sentence_too_long_is_cut_not_overrun),
        cmocka_unit_test(every_status_has_words),
        cmocka_unit_test(errno_is_put_into_words),
        cmocka_unit_test(a_file_to_blame_goes_before_the_sentence),
    };
    return cmocka_run_group_tests_name("base/error", tests, NULL, NULL);
}
