/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "backend/backend.h"

static void every_backend_is_found_by_its_own_name(void **state)
{
    (void)state;
    for (size_t i = 0; owi_backend_get(i) != NULL; i++)
        assert_ptr_equal(owi_backend_find(owi_backend_get(i)->name), owi_backend_get(i));
}

static void ref_and_plain_c_are_always_there_and_cpu_is_the_first(void **state)
{
    (void)state;
    assert_non_null(owi_backend_find("ref"));
    assert_non_null(owi_backend_find("cpu-plain"));
    assert_ptr_equal(owi_backend_find("cpu"), owi_backend_get(0));
}

static void an_unknown_name_finds_nothing(void **state)
{
    (void)state;
    assert_null(owi_backend_find("cpu-"));
    assert_null(owi_backend_find(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_backend_is_found_by_its_own_name),
        cmocka_unit_test(ref_and_plain_c_are_always_there_and_cpu_is_the_first),
        cmocka_unit_test(an_unknown_name_finds_nothing),
    };
    return cmocka_run_group_tests_name("backend/backend_registry", tests, NULL, NULL);
}
