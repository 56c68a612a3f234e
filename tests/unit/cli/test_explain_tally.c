/* SPDX-License-Identifier: MIT */
/* Figures over rows: who counts for what. */
#include <jansson.h>

#include "explaining/explain_format.h"
#include "support/ow_test.h"

static double figure(json_t *json, const char *name)
{
    const json_t *value = json_object_get(json, name);
    return json_is_null(value) ? NAN : json_number_value(value);
}

static void assert_figure(json_t *json, const char *name, double want)
{
    const double got = figure(json, name);
    assert_close(&got, &want, 1, 1e-12);
}

static void shares_are_of_the_rows_that_needed_an_answer(void **state)
{
    (void)state;
    const ow_counterfactual good = {.valid = true,
                                    .valid_before_repair = false,
                                    .predicted = 1,
                                    .distance = {.l0 = 2, .gower = 0.1},
                                    .percentile = 40.0},
                            gap = {.valid = true,
                                   .valid_before_repair = true,
                                   .predicted = 1,
                                   .distance = {.l0 = 4, .gower = 0.3},
                                   .percentile = NAN},
                            other = {.valid = false, .predicted = 2, .distance = {.l0 = 9}};
    const ow_outcome outcomes[] = {
        {.kind = OW_FOUND, .target = 1, .n_answers = 1, .answers = &good},
        {.kind = OW_FOUND, .target = 1, .n_answers = 1, .answers = &gap},
        {.kind = OW_NOT_FOUND, .target = 1, .n_answers = 1, .answers = &other},
        {.kind = OW_NOT_FOUND, .target = 1},
        {.kind = OW_ALREADY_TARGET, .predicted = 1, .target = 1},
    };
    explain_tally tally = {0};
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        explain_tally_add(&tally, &outcomes[i]);
    json_t *json = explain_tally_json(&tally), *mean = json_object_get(json, "mean");
    assert_figure(json, "rows", 5.0);
    assert_figure(json, "already_target", 1.0);
    assert_figure(json, "validity_target", 0.5);
    assert_figure(json, "validity_target_raw", 0.25);
    assert_figure(json, "validity_any", 0.75);
    assert_figure(json, "coverage", 0.75);
    assert_figure(mean, "l0", 3.0);
    assert_figure(mean, "gower", 0.2);
    assert_figure(mean, "density_percentile", 40.0);
    json_decref(json);
}

static void nothing_to_divide_by_gives_null(void **state)
{
    (void)state;
    const explain_tally tally = {0};
    json_t *json = explain_tally_json(&tally);
    assert_figure(json, "coverage", NAN);
    assert_figure(json_object_get(json, "mean"), "gower", NAN);
    json_decref(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_of_the_rows_that_needed_an_answer),
        cmocka_unit_test(nothing_to_divide_by_gives_null),
    };
    return cmocka_run_group_tests_name("explain_tally", tests, NULL, NULL);
}
