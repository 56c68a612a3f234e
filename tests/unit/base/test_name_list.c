/* SPDX-License-Identifier: MIT */
/* Names in a sentence. */
#include "support/ow_test.h"

#include "base/text/name_list.h"

static void names_stand_between_commas(void **state)
{
    (void)state;
    owi_name_list list = {0};
    assert_string_equal(list.text, "");
    owi_name_list_add(&list, "age");
    assert_string_equal(list.text, "age");
    owi_name_list_add(&list, "");
    owi_name_list_add(&list, "job");
    assert_string_equal(list.text, "age, , job");
}

/* Names of every length, until long after the list is full. */
static void a_long_list_is_cut_between_names(void **state)
{
    (void)state;
    for (size_t length = 1; length < 2 * (size_t)owi_name_list_size; length++) {
        char name[2 * owi_name_list_size] = "";
        memset(name, 'x', length);
        owi_name_list list = {0};
        for (int i = 0; i < 300; i++) owi_name_list_add(&list, name);

        assert_true(list.is_cut);
        assert_int_equal(list.length, strlen(list.text));
        assert_in_range(list.length, 3, owi_name_list_size - 1);
        const size_t n_names = (list.length - 3) / (length + 2);
        assert_int_equal(list.length, n_names * (length + 2) + 3);
        assert_string_equal(list.text + n_names * (length + 2), "...");
        /* One more name would not have fitted. */
        assert_true((n_names + 1) * (length + 2) + 4 > owi_name_list_size);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_stand_between_commas),
        cmocka_unit_test(a_long_list_is_cut_between_names),
    };
    return cmocka_run_group_tests_name("base/name_list", tests, NULL, NULL);
}
