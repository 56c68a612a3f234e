/* SPDX-License-Identifier: MIT */
#include "support/ow_test.h"
#include "support/test_call.h"

#include "explain/descent/entry_means.h"

static void gaps_count_for_nothing(void **state)
{
    const owi_call *call = ow_test_call(ow_test_context(state), NULL);
    const float rows[] = {1.0f, NAN, NAN, 3.0f, 5.0f, NAN};
    float means[3];
    assert_ok(owi_entry_means(call, 2, 3, rows, means));
    assert_true(means[0] == 2.0f && means[1] == 5.0f && means[2] == 0.0f);
}

/* More entries than are summed together, with the rest of a line. */
static void wide_rows_have_the_mean_of_every_entry(void **state)
{
    enum { width = 41, n_rows = 3 };
    const owi_call *call = ow_test_call(ow_test_context(state), NULL);
    float rows[n_rows * width], means[width];
    for (size_t i = 0; i < n_rows; i++)
        for (size_t j = 0; j < width; j++) rows[i * width + j] = (float)(j + 10 * i * i);
    assert_ok(owi_entry_means(call, n_rows, width, rows, means));
    for (size_t j = 0; j < width; j++) {
        const double got = (double)means[j], want = (double)j + 50.0 / 3.0;
        assert_close(&got, &want, 1, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(gaps_count_for_nothing),
        ow_test_on_heap(wide_rows_have_the_mean_of_every_entry),
    };
    return cmocka_run_group_tests_name("explain/entry_means", tests, NULL, NULL);
}
