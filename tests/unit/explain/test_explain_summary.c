/* SPDX-License-Identifier: MIT */
/* Figures over rows: who counts for what. */
#include "explain/answers/explain_summary.h"
#include "support/ow_test.h"

static void rows_count_for_their_first_answer_unless_they_need_none(void **state)
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
    const ow_counterfactual *const lists[] = {&good, &gap, &other};
    const ow_outcome outcomes[] = {
        {.kind = OW_OUTCOME_FOUND, .target = 1, .n_answers = 1, .answers = &lists[0]},
        {.kind = OW_OUTCOME_FOUND, .target = 1, .n_answers = 1, .answers = &lists[1]},
        {.kind = OW_OUTCOME_NOT_FOUND, .target = 1, .n_answers = 1, .answers = &lists[2]},
        {.kind = OW_OUTCOME_NOT_FOUND, .target = 1},
        {.kind = OW_OUTCOME_ALREADY_TARGET, .predicted = 1, .target = 1},
    };
    ow_explain_summary summary = {0};
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        owi_explain_summary_add(&summary, &outcomes[i]);
    assert_int_equal(summary.n_rows, 5);
    assert_int_equal(summary.n_found, 2);
    assert_int_equal(summary.n_not_found, 2);
    assert_int_equal(summary.n_already, 1);
    assert_int_equal(summary.n_answered, 3);
    assert_int_equal(summary.n_target, 2);
    assert_int_equal(summary.n_target_raw, 1);
    assert_int_equal(summary.n_other, 3);
    assert_int_equal(summary.n_percentile, 1);
    assert_true(summary.l0 == 6.0 && summary.gower == 0.1 + 0.3);
    assert_true(summary.percentile == 40.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_count_for_their_first_answer_unless_they_need_none),
    };
    return cmocka_run_group_tests_name("explain/explain_summary", tests, NULL, NULL);
}
