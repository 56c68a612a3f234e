/* SPDX-License-Identifier: MIT */
/* Needless changes, by hand: the class is yes where x + y >= 10, or school is high. */
#include "support/made_answers.h"

static double redundancy(ow_context *ctx, const double values[ow_made_columns])
{
    ow_made_answers made;
    ow_made_answers_begin(ctx, &made);
    memcpy(made.values[0], values, sizeof made.values[0]);
    assert_ok(owi_redundancy_figures(&made.all, made.figures));
    for (size_t i = 1; i < ow_made_rows; i++)
        assert_true(isnan(ow_made_figure(&made, i, OWI_REDUNDANCY)));
    const double got = ow_made_figure(&made, 0, OWI_REDUNDANCY);
    ow_made_answers_end(&made);
    return got;
}

static void changes_count_that_could_be_taken_back_one_at_a_time(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const struct {
        double values[ow_made_columns];
        double want;
    } cases[] = {
        /* From (1, 2, blue, low, 9).  x alone is needed; colour is not. */
        {{8, 2, 0, 1, 9}, 0},
        {{8, 2, 2, 1, 9}, 1},
        /* Either of x and y would do: each can be taken back by itself. */
        {{8, 9, 0, 1, 9}, 2},
        /* Both are needed. */
        {{5, 6, 0, 1, 9}, 0},
        /* School and years go back together, as one change, which was needed. */
        {{1, 2, 0, 0, 16}, 0},
        /* With x they are one needless change, and x another. */
        {{8, 2, 0, 0, 16}, 2},
        /* Nothing changed, nothing to take back. */
        {{1, 2, 0, 1, 9}, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double got = redundancy(ctx, cases[i].values);
        assert_close(&got, &cases[i].want, 1, 0.0);
    }
}

static ow_status measure(ow_context *ctx, void *user)
{
    ow_made_answers *made = user;
    made->all.ctx = ctx;
    return owi_redundancy_figures(&made->all, made->figures);
}

static void failing_allocations_leave_nothing_behind(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    made.values[0][OW_MADE_X] = 9.0;
    made.values[0][OW_MADE_COLOUR] = 1.0;
    ow_test_sweep(measure, &made);
    ow_made_answers_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(changes_count_that_could_be_taken_back_one_at_a_time),
        ow_test_on_heap(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("evaluate/redundancy", tests, NULL, NULL);
}
