/* SPDX-License-Identifier: MIT */
/* Figures of whole pictures. */
#include "support/ow_test.h"

#include "data/infer/pixel_stats.h"

static void add(owi_pixel_stats *stats, const double *numbers)
{
    owi_cell cells[4];
    for (size_t j = 0; j < 4; j++) cells[j] = (owi_cell){.number = numbers[j]};
    owi_pixel_stats_add(stats, cells);
}

static void the_figures_are_those_of_all_cells_together(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_pixel_stats stats;
    ow_test_heap_begin(&heap);
    assert_ok(owi_pixel_stats_begin(&stats, heap.ctx, 4));
    assert_true(stats.low > stats.high);
    add(&stats, (const double[]){0, 3, NAN, 1});
    add(&stats, (const double[]){2, 2, 5, NAN});
    add(&stats, (const double[]){NAN, NAN, NAN, NAN});
    assert_true(stats.low == 0 && stats.high == 5 && stats.all_whole);
    assert_memory_equal(stats.n_missing, ((const size_t[]){1, 1, 2, 2}),
                        4 * sizeof(size_t));

    static const double all[] = {0, 3, 1, 2, 2, 5};
    double mean = 0, square = 0, log_mean = 0;
    for (size_t i = 0; i < 6; i++) mean += all[i] / 6, log_mean += log(1 + all[i]) / 6;
    for (size_t i = 0; i < 6; i++) square += (all[i] - mean) * (all[i] - mean) / 6;
    const double got[] = {stats.moments.mean, owi_moments_deviation(&stats.moments),
                          stats.log_moments.mean};
    const double want[] = {mean, sqrt(square), log_mean};
    assert_close(got, want, 3, 1e-14);
    owi_pixel_stats_clear(&stats);
    ow_test_heap_end(&heap);
}

static void fractions_and_negative_numbers_are_noticed(void **state)
{
    (void)state;
    ow_test_heap heap;
    owi_pixel_stats stats;
    ow_test_heap_begin(&heap);
    assert_ok(owi_pixel_stats_begin(&stats, heap.ctx, 4));
    add(&stats, (const double[]){0, -3, 0.5, 1});
    assert_true(stats.low == -3 && !stats.all_whole && stats.log_moments.n == 0);
    owi_pixel_stats_clear(&stats);
    ow_test_heap_end(&heap);
}

static ow_status begin_and_clear(ow_context *ctx, void *user)
{
    (void)user;
    owi_pixel_stats stats;
    const ow_status status = owi_pixel_stats_begin(&stats, ctx, 4);
    owi_pixel_stats_clear(&stats);
    return status;
}

static void running_out_of_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    ow_test_sweep(begin_and_clear, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_figures_are_those_of_all_cells_together),
        cmocka_unit_test(fractions_and_negative_numbers_are_noticed),
        cmocka_unit_test(running_out_of_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests_name("data/pixel_stats", tests, NULL, NULL);
}
