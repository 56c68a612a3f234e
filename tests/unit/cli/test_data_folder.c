/* SPDX-License-Identifier: MIT */
/* Where the data sets are looked for. */
#include "support/ow_test.h"

#include "datasets/data_folder.h"

static void assert_folder(const char *given, const char *want, const char *want_found_by)
{
    const char *found_by = NULL;
    char *folder = data_folder(given, &found_by);
    assert_non_null(folder);
    assert_string_equal(folder, want);
    assert_string_equal(found_by, want_found_by);
    free(folder);
}

static void the_option_goes_before_the_variable_before_the_cache(void **state)
{
    (void)state;
    const char *cache = "the user's cache folder";
    setenv("OTHERWISE_DATA", "/sets", 1);
    setenv("XDG_CACHE_HOME", "/cache", 1);
    setenv("HOME", "/home/user", 1);
    assert_folder("given", "given", "--data");
    assert_folder(NULL, "/sets", "$OTHERWISE_DATA");
    setenv("OTHERWISE_DATA", "", 1); /* set to nothing is not set */
    assert_folder(NULL, "/cache/otherwise", cache);
    setenv("XDG_CACHE_HOME", "relative", 1); /* to be ignored */
    assert_folder(NULL, "/home/user/.cache/otherwise", cache);
    unsetenv("XDG_CACHE_HOME");
    assert_folder(NULL, "/home/user/.cache/otherwise", cache);
}

static void without_a_home_there_is_no_folder(void **state)
{
    (void)state;
    const char *found_by;
    unsetenv("OTHERWISE_DATA");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("HOME");
    assert_null(data_folder(NULL, &found_by));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_option_goes_before_the_variable_before_the_cache),
        cmocka_unit_test(without_a_home_there_is_no_folder),
    };
    return cmocka_run_group_tests_name("cli/data_folder", tests, NULL, NULL);
}
