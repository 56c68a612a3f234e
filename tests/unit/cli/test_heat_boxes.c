/* SPDX-License-Identifier: MIT */
/* The share of heat inside a box, by hand. */
#include "support/ow_test.h"

#include "reproduce/birds/heat_boxes.h"

/* The right half of a photograph of 40 x 20 pixels, and of its height the middle half. */
static const photo bird = {
    .has_box = true, .box = {20.0, 5.0, 20.0, 10.0}, .width = 40.0, .height = 20.0};

static void heat_counts_by_how_much_of_its_place_the_box_covers(void **state)
{
    (void)state;
    /* 2 x 2 places: the box covers half of each of the right ones. */
    double share = heat_inside(&bird, 2, 2, (const double[]){1.0, 3.0, 0.0, 4.0});
    assert_close(&share, &(double){3.5 / 8.0}, 1, 1e-12);
    /* Heat all over alike has the box's share of the area. */
    share = heat_inside(&bird, 3, 5,
                        (const double[15]){1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1});
    assert_close(&share, &(double){0.25}, 1, 1e-12);
    assert_true(isnan(heat_inside(&bird, 1, 1, (const double[]){0.0})));
}

static void queries_with_more_heat_than_area_are_counted(void **state)
{
    (void)state;
    static const photo boxless = {.has_box = false};
    heat_tally tally = {0};
    heat_tally_add(&tally, &bird, 2, 2, (const double[]){0.0, 1.0, 0.0, 1.0});
    heat_tally_add(&tally, &bird, 2, 2, (const double[]){1.0, 0.0, 1.0, 0.0});
    heat_tally_add(&tally, &bird, 2, 2, (const double[]){0.0, 0.0, 0.0, 0.0});
    heat_tally_add(&tally, &boxless, 2, 2, (const double[]){0.0, 1.0, 0.0, 1.0});
    assert_int_equal(tally.n, 2);
    assert_int_equal(tally.n_on, 1);
    assert_close(&tally.heat, &(double){0.5}, 1, 1e-12);
    assert_close(&tally.area, &(double){0.5}, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heat_counts_by_how_much_of_its_place_the_box_covers),
        cmocka_unit_test(queries_with_more_heat_than_area_are_counted),
    };
    return cmocka_run_group_tests_name("cli/heat_boxes", tests, NULL, NULL);
}
