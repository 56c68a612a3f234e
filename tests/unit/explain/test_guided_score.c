/* SPDX-License-Identifier: MIT */
/* What a state of guided's search is worth, by hand. */
#include "support/ow_test.h"

#include "explain/guided/guided_score.h"

static const owi_aims aims = {.threshold = -10.0,
                              .typical = -7.0,
                              .margin_worth = 1.5,
                              .change_price = 1.0,
                              .nearness = 2.0,
                              .reserve = 0.5};
static const double slack = 1e-4;

static void assert_near(double got, double want)
{
    assert_close(&got, &want, 1, 1e-12);
}

static void potential_is_what_is_missing_of_class_and_density(void **state)
{
    (void)state;
    const struct {
        double log_t, margin, want;
    } cases[] = {
        {-9.0, 1.0, 0.0},                  /* both reached                  */
        {-9.0, -2.0, -2.0 - slack},        /* the class is not              */
        {-12.5, 3.0, -2.5},                /* the density is not            */
        {-12.5, -2.0, -2.0 - 2.5 - slack}, /* neither is                    */
        {-9.0, 0.0, -slack},               /* a tie is not enough           */
        {-10.0, 1.0, 0.0},                 /* just the threshold is         */
        {-10.0 - 1e-6, slack, 0.0},        /* within rounding               */
        {-9.0, -INFINITY, -INFINITY},      /* the class is impossible       */
        {NAN, 1.0, -INFINITY},             /* not known                     */
        {-9.0, NAN, -INFINITY},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(owi_potential(&aims, cases[i].log_t, cases[i].margin), cases[i].want);
}

static void without_a_threshold_density_does_not_matter(void **state)
{
    (void)state;
    const owi_aims any = {.threshold = -INFINITY};
    assert_near(owi_potential(&any, -1e6, 1.0), 0.0);
    assert_near(owi_potential(&any, -INFINITY, 1.0), 0.0);
    assert_near(owi_potential(&any, -1e6, -3.0), -3.0 - slack);
}

static void a_state_is_of_the_class_beyond_rounding(void **state)
{
    (void)state;
    assert_true(owi_is_of_class(&aims, &(owi_score){.margin = slack}));
    assert_false(owi_is_of_class(&aims, &(owi_score){.margin = 0.5 * slack}));
    assert_false(owi_is_of_class(&aims, &(owi_score){.margin = NAN}));
}

/* change_price l0 + nearness l1 + reserve (typical - log_t + margin_worth (2 - margin)), of
 * what is lacking. */
static void price_adds_changes_distance_and_what_is_lacking(void **state)
{
    (void)state;
    const struct {
        owi_score score;
        double want;
    } cases[] = {
        {{.log_t = -6.0, .margin = 3.0, .l1 = 0.0, .l0 = 0}, 0.0},
        {{.log_t = -6.0, .margin = 3.0, .l1 = 0.0, .l0 = 3}, 3.0},
        {{.log_t = -6.0, .margin = 3.0, .l1 = 0.25, .l0 = 1}, 1.5},
        {{.log_t = -9.0, .margin = 3.0, .l1 = 0.0, .l0 = 0}, 0.5 * 2.0},
        {{.log_t = -6.0, .margin = 0.5, .l1 = 0.0, .l0 = 0}, 0.5 * 1.5 * 1.5},
        {{.log_t = -9.0, .margin = 0.5, .l1 = 0.25, .l0 = 2},
         2.0 + 0.5 + 0.5 * (2.0 + 1.5 * 1.5)},
        {{.log_t = -6.0, .margin = 50.0, .l1 = 0.0, .l0 = 1}, 1.0}, /* more is not better */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(owi_price(&aims, &cases[i].score), cases[i].want);
}

/* Changes count first, then the distance; what differs by rounding alone is equal. */
static void fewer_changes_are_less_than_a_smaller_distance(void **state)
{
    (void)state;
    const owi_score one = {.l0 = 1, .l1 = 0.9}, near_two = {.l0 = 2, .l1 = 0.1};
    const owi_score two = {.l0 = 2, .l1 = 0.2}, same_two = {.l0 = 2, .l1 = 0.2 + 1e-12};
    const owi_aims plain = {.sure_density = -INFINITY, .sure_margin = -INFINITY};
    assert_true(owi_is_lesser(&plain, &one, &near_two));
    assert_false(owi_is_lesser(&plain, &near_two, &one));
    assert_true(owi_is_lesser(&plain, &near_two, &two));
    assert_false(owi_is_lesser(&plain, &two, &near_two));
    assert_false(owi_is_lesser(&plain, &two, &same_two));
    assert_false(owi_is_lesser(&plain, &same_two, &two));
}

/* Of as many changes the surer ones, up to what is sure, whatever the distance. */
static void robust_answers_are_sure_first_and_near_second(void **state)
{
    (void)state;
    const owi_aims robust = {.threshold = -20.0, .sure_density = -10.0, .sure_margin = 2.0};
    const owi_score near = {.l0 = 1, .l1 = 0.1, .log_t = -9.0, .margin = 1.0};
    const owi_score sure = {.l0 = 1, .l1 = 0.5, .log_t = -9.0, .margin = 2.5};
    const owi_score surer = {.l0 = 1, .l1 = 0.9, .log_t = -5.0, .margin = 7.0};
    const owi_score thin = {.l0 = 1, .l1 = 0.1, .log_t = -15.0, .margin = 2.5};
    const owi_score two = {.l0 = 2, .l1 = 0.1, .log_t = -5.0, .margin = 9.0};
    assert_true(owi_is_lesser(&robust, &sure, &near));
    assert_true(owi_is_lesser(&robust, &sure, &thin));
    assert_true(owi_is_lesser(&robust, &sure, &surer));
    assert_false(owi_is_lesser(&robust, &surer, &sure));
    assert_true(owi_is_lesser(&robust, &near, &two));
    /* Nearer values are then looked for only among those that are as sure. */
    const owi_aims of_near = owi_as_sure(&robust, &near),
                   of_surer = owi_as_sure(&robust, &surer);
    assert_true(owi_potential(&of_near, near.log_t, near.margin) == 0.0);
    assert_true(owi_potential(&of_near, near.log_t, 0.9) < 0.0);
    assert_true(owi_potential(&of_surer, sure.log_t, sure.margin) == 0.0);
    assert_true(owi_potential(&of_surer, thin.log_t, thin.margin) < 0.0);
}

static void a_margin_that_is_asked_for_is_part_of_the_potential(void **state)
{
    (void)state;
    const owi_aims sure = {.threshold = -10.0, .least_margin = 0.5};
    assert_near(owi_potential(&sure, -9.0, 0.5), -slack);
    assert_near(owi_potential(&sure, -9.0, 0.75), 0.0);
    assert_near(owi_potential(&sure, -9.0, 0.0), -0.5 - slack);
    assert_near(owi_surplus(&sure, -9.0, 0.75), 0.25);
    assert_near(owi_surplus(&sure, -9.9, 2.0), 0.1);
}

static void who_asks_for_a_probability_pays_twice_for_the_margin(void **state)
{
    (void)state;
    assert_near(owi_margin_worth(true), 2.0 * owi_margin_worth(false));
    assert_near(owi_margin_worth(false), 1.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(potential_is_what_is_missing_of_class_and_density),
        cmocka_unit_test(without_a_threshold_density_does_not_matter),
        cmocka_unit_test(a_state_is_of_the_class_beyond_rounding),
        cmocka_unit_test(price_adds_changes_distance_and_what_is_lacking),
        cmocka_unit_test(fewer_changes_are_less_than_a_smaller_distance),
        cmocka_unit_test(robust_answers_are_sure_first_and_near_second),
        cmocka_unit_test(a_margin_that_is_asked_for_is_part_of_the_potential),
        cmocka_unit_test(who_asks_for_a_probability_pays_twice_for_the_margin),
    };
    return cmocka_run_group_tests_name("explain/guided_score", tests, NULL, NULL);
}
