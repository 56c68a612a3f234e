/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"

#include "base/numeric/row_lanes.h"

enum { L = owi_row_lanes, most_width = 133 };

static void rows_are_lanes_and_rows_again_and_spare_lanes_repeat_the_last(void **state)
{
    (void)state;
    static float rows[L * most_width], lanes[most_width * L], again[(L + 1) * most_width];
    for (size_t width = 1; width <= most_width; width += 11)
        for (size_t n = 1; n <= L; n++) {
            for (size_t i = 0; i < n * width; i++) rows[i] = (float)i;
            for (size_t i = 0; i < (n + 1) * width; i++) again[i] = -1.0f;
            owi_rows_to_lanes(n, width, rows, lanes);
            for (size_t j = 0; j < width; j++)
                for (size_t lane = 0; lane < L; lane++) {
                    const size_t row = lane < n ? lane : n - 1;
                    assert_true(lanes[j * L + lane] == rows[row * width + j]);
                }
            owi_lanes_to_rows(n, width, lanes, again);
            assert_memory_equal(again, rows, n * width * sizeof *rows);
            assert_true(again[n * width] == -1.0f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_lanes_and_rows_again_and_spare_lanes_repeat_the_last),
    };
    return cmocka_run_group_tests_name("base/row_lanes", tests, NULL, NULL);
}
