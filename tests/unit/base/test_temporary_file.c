/* SPDX-License-Identifier: MIT */
#include "base/io/temporary_file.h"
#include "support/ow_test.h"

#include <errno.h>

static void a_file_that_ends_too_early_is_no_success(void **state)
{
    char bytes[8];
    FILE *file = owi_temporary_open(ow_test_context(state));
    assert_non_null(file);
    assert_int_equal(fwrite("1234", 1, 4, file), 4);
    rewind(file);
    errno = 0;
    assert_int_equal(fread(bytes, 1, sizeof bytes, file), 4);
    assert_string_equal(owi_temporary_reason(file),
                        "it is shorter than what was written to it");
    rewind(file);
    errno = ENOSPC;
    assert_string_equal(owi_temporary_reason(file), "No space left on device");
    fclose(file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_file_that_ends_too_early_is_no_success),
    };
    return cmocka_run_group_tests_name("base/temporary_file", tests, NULL, NULL);
}
