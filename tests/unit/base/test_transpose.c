/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "base/numeric/transpose.h"

enum { most = 21, from_step = 23, to_step = 25, untouched = -1 };

static void
every_entry_changes_its_row_for_its_column_and_nothing_else_is_written(void **state)
{
    (void)state;
    for (size_t n_rows = 0; n_rows <= most; n_rows++)
        for (size_t n_columns = 0; n_columns <= most; n_columns++) {
            float from[most * from_step], to[most * to_step];
            for (size_t i = 0; i < most * from_step; i++) from[i] = (float)i;
            for (size_t i = 0; i < most * to_step; i++) to[i] = untouched;

            owi_transpose(n_rows, n_columns, from, from_step, to, to_step);

            for (size_t j = 0; j < most; j++)
                for (size_t i = 0; i < to_step; i++) {
                    const bool inside = j < n_columns && i < n_rows;
                    const float want = inside ? from[i * from_step + j] : untouched;
                    assert_true(to[j * to_step + i] == want);
                }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            every_entry_changes_its_row_for_its_column_and_nothing_else_is_written),
    };
    return cmocka_run_group_tests_name("base/transpose", tests, NULL, NULL);
}
