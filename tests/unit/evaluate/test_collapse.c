/* SPDX-License-Identifier: MIT */
/* Collapse and diversity, by hand. */
#include "support/made_answers.h"

/* Three solved queries that differ in x: 1, 3, 9, of a range of 11 and five columns. */
static void solve_three(ow_made_answers *made, double a, double b, double c)
{
    const double queries[3] = {1.0, 3.0, 9.0}, answers[3] = {a, b, c};
    for (size_t i = 0; i < 3; i++) {
        made->queries[i][OW_MADE_X] = queries[i];
        made->values[i][OW_MADE_X] = answers[i];
        made->answers[i].valid = true;
        made->outcomes[i].kind = OW_OUTCOME_FOUND;
        made->outcomes[i].n_answers = 1;
        made->outcomes[i].answers = &made->lists[i];
    }
}

static double collapse(ow_made_answers *made)
{
    double got;
    assert_ok(owi_collapse(&made->all, &got));
    return got;
}

static void
one_answer_for_all_is_0_and_answers_as_different_as_the_queries_are_1(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    solve_three(&made, 5.0, 5.0, 5.0);
    assert_close(&(double){collapse(&made)}, &(double){0.0}, 1, 0.0);
    solve_three(&made, 2.0, 4.0, 10.0);
    assert_close(&(double){collapse(&made)}, &(double){1.0}, 1, 1e-12);
    /* Pairs of answers: 1, 4, 5 apart; of queries: 2, 6, 8. */
    solve_three(&made, 3.0, 4.0, 8.0);
    assert_close(&(double){collapse(&made)}, &(double){10.0 / 16.0}, 1, 1e-12);
    ow_made_answers_end(&made);
}

static void only_solved_queries_between_the_same_classes_are_compared(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    solve_three(&made, 3.0, 4.0, 8.0);
    made.outcomes[2].predicted = 1; /* from yes to no, among those from no to yes */
    made.outcomes[2].target = 0;
    assert_close(&(double){collapse(&made)}, &(double){0.5}, 1, 1e-12);
    made.answers[1].valid = false;
    assert_true(isnan(collapse(&made)));
    ow_made_answers_end(&made);
}

/* 6000 queries from no to yes with one answer for all, then 3000 from yes to no with
 * answers as different as they are. */
static void of_many_queries_those_of_every_kind_are_looked_at(void **state)
{
    enum { n_first = 6000, n = 9000 };
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    solve_three(&made, 1.0, 3.0, 9.0);
    double(*queries)[ow_made_columns] = calloc(n, sizeof *queries);
    ow_outcome *outcomes = calloc(n, sizeof *outcomes);
    assert_non_null(queries);
    assert_non_null(outcomes);
    for (size_t i = 0; i < n; i++) {
        memcpy(queries[i], made.queries[i % 3], sizeof queries[i]);
        outcomes[i] = made.outcomes[i < n_first ? 0 : i % 3];
        outcomes[i].predicted = i < n_first ? 0 : 1;
        outcomes[i].target = i < n_first ? 1 : 0;
    }
    made.all.n_rows = n;
    made.all.queries = queries[0];
    made.all.outcomes = outcomes;
    /* Of the pairs that are looked at four fifths are of the first kind: 2 : 1 queries,
     * squared. */
    const double got = collapse(&made);
    assert_true(got > 0.19 && got < 0.21);
    free(queries);
    free(outcomes);
    ow_made_answers_end(&made);
}

static void diversity_is_the_mean_distance_between_pairs_of_valid_answers(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    solve_three(&made, 3.0, 4.0, 8.0);
    made.outcomes[0].n_answers = 3; /* the three answers are all to the first query */
    owi_diversity_figures(&made.all, made.figures);
    /* 1, 4 and 5 of 11, over five columns. */
    double got = ow_made_figure(&made, 0, OWI_DIVERSITY);
    assert_close(&got, &(double){10.0 / 3.0 / 11.0 / 5.0}, 1, 1e-12);
    assert_true(isnan(ow_made_figure(&made, 1, OWI_DIVERSITY)));

    made.answers[1].valid = false;
    owi_diversity_figures(&made.all, made.figures);
    got = ow_made_figure(&made, 0, OWI_DIVERSITY);
    assert_close(&got, &(double){5.0 / 11.0 / 5.0}, 1, 1e-12);
    ow_made_answers_end(&made);
}

static ow_status measure(ow_context *ctx, void *user)
{
    ow_made_answers *made = user;
    double got;
    made->all.ctx = ctx;
    return owi_collapse(&made->all, &got);
}

static void failing_allocations_leave_nothing_behind(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    solve_three(&made, 1.0, 2.0, 3.0);
    ow_test_sweep(measure, &made);
    ow_made_answers_end(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(
            one_answer_for_all_is_0_and_answers_as_different_as_the_queries_are_1),
        ow_test_on_heap(only_solved_queries_between_the_same_classes_are_compared),
        ow_test_on_heap(of_many_queries_those_of_every_kind_are_looked_at),
        ow_test_on_heap(diversity_is_the_mean_distance_between_pairs_of_valid_answers),
        ow_test_on_heap(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("evaluate/collapse", tests, NULL, NULL);
}
