/* SPDX-License-Identifier: MIT */
/* Noise on queries, and the distance between the answers with and without it. */
#include "support/made_answers.h"

#include "evaluate/stability.h"
#include "support/explain_fixture.h"
#include "support/test_call.h"

static void noise_moves_numbers_on_their_grid_and_leaves_everything_else(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    double query[ow_made_columns] = {5.0, 11.0, 2.0, 1.0, 9.0}, noisy[ow_made_columns];
    double sum = 0.0, squares = 0.0;
    enum { n = 2000 };
    for (uint64_t row = 0; row < n; row++) {
        owi_add_noise(made.trained.model, 0.2, 7, row, query, noisy);
        assert_true(noisy[OW_MADE_X] == floor(noisy[OW_MADE_X]));
        assert_true(noisy[OW_MADE_X] >= 0.0 && noisy[OW_MADE_X] <= 11.0);
        assert_true(noisy[OW_MADE_Y] <= 11.0); /* the range's end */
        assert_memory_equal(&noisy[OW_MADE_COLOUR], &query[OW_MADE_COLOUR],
                            3 * sizeof *query); /* years are linked */
        sum += noisy[OW_MADE_X] - 5.0;
        squares += (noisy[OW_MADE_X] - 5.0) * (noisy[OW_MADE_X] - 5.0);
    }
    /* A fifth of a range of 11, rounded to whole numbers and cut off a little. */
    assert_true(fabs(sum / n) < 0.2);
    assert_true(fabs(sqrt(squares / n) - 2.2) < 0.2);
    ow_made_answers_end(&made);
}

static void a_row_has_its_own_noise_and_no_noise_is_none(void **state)
{
    ow_made_answers made;
    ow_made_answers_begin(ow_test_context(state), &made);
    double query[ow_made_columns] = {5.0, NAN, 2.0, 1.0, 9.0};
    double one[ow_made_columns], again[ow_made_columns], none[ow_made_columns];
    owi_add_noise(made.trained.model, 0.5, 1, 3, query, one);
    owi_add_noise(made.trained.model, 0.5, 1, 3, query, again);
    owi_add_noise(made.trained.model, 0.0, 1, 3, query, none);
    assert_close(again, one, ow_made_columns, 0.0);
    assert_close(none, query, ow_made_columns, 0.0);
    assert_true(isnan(one[OW_MADE_Y]));
    size_t n_different = 0;
    for (uint64_t row = 0; row < 20; row++) {
        owi_add_noise(made.trained.model, 0.5, 1, row, query, again);
        n_different += again[OW_MADE_X] != one[OW_MADE_X];
    }
    assert_true(n_different > 10);
    /* A number that lies outside the training range may stay there. */
    query[OW_MADE_X] = 50.0;
    owi_add_noise(made.trained.model, 0.0, 1, 3, query, none);
    assert_true(none[OW_MADE_X] == 50.0);
    ow_made_answers_end(&made);
}

/* `nearest` answers with the nearest known row of the class: with one such row it always
 * gives that, whatever the noise. */
static void the_same_answer_to_both_is_a_distance_of_0(void **state)
{
    ow_made_answers made;
    ow_explainer *explainer = NULL;
    ow_made_answers_begin(ow_test_context(state), &made);
    const double known[2][ow_made_columns] = {{9.0, 9.0, 0.0, 1.0, 9.0},
                                              {0.0, 0.0, 1.0, 1.0, 9.0}};
    ow_explain_options options = ow_test_explain_defaults();
    const ow_explain_model model = {.size = sizeof(ow_explain_model),
                                    .model = made.trained.model,
                                    .classifier = made.classifier};
    const owi_stability how = {.options = &options, .noise = 0.01, .seed = 3};
    owi_stability with = how;
    options.target = 1;
    assert_ok(ow_explainer_new(&model, "nearest", &explainer));
    assert_ok(ow_explainer_set_background(explainer, 2, known[0]));
    with.explainer = explainer;
    memcpy(made.values[0], known[0], sizeof known[0]);
    assert_ok(owi_stability_figures(&made.all, &with, made.figures));
    const double want[ow_made_rows] = {0.0, NAN, NAN, NAN};
    for (size_t i = 0; i < ow_made_rows; i++) {
        const double got = ow_made_figure(&made, i, OWI_STABILITY);
        assert_close(&got, &want[i], 1, 0.0);
    }
    /* Had it said another row before, the figure is the distance between both: 3 of 11 in
     * one of five columns. */
    made.values[0][OW_MADE_X] = 6.0;
    assert_ok(owi_stability_figures(&made.all, &with, made.figures));
    const double got = ow_made_figure(&made, 0, OWI_STABILITY);
    assert_close(&got, &(double){3.0 / 11.0 / 5.0}, 1, 1e-12);
    ow_explainer_free(explainer);
    ow_made_answers_end(&made);
}

/* Of several answers the dense ones come first, so that the first of three need not be the
 * only one of one: both runs ask for as many.  Without noise they then agree. */
static void several_answers_are_asked_for_again(void **state)
{
    enum { n = 40 };
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    ow_explanation *one = NULL, *three = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    static double figures[n * OWI_N_METRICS];
    static ow_outcome outcomes[n];
    size_t n_measured = 0, n_reordered = 0;
    assert_ok(ow_explainer_explain(explainer, NULL, &options, n, m.values, NULL, &one));
    options.n_answers = 3;
    assert_ok(ow_explainer_explain(explainer, NULL, &options, n, m.values, NULL, &three));
    for (size_t i = 0; i < n; i++) {
        outcomes[i] = *ow_explanation_outcome(three, i);
        n_reordered += memcmp(outcomes[i].answers[0]->values,
                              ow_explanation_outcome(one, i)->answers[0]->values,
                              m.n_columns * sizeof(double)) != 0;
    }
    assert_true(n_reordered > 0);
    for (size_t i = 0; i < n * OWI_N_METRICS; i++) figures[i] = NAN;
    const owi_answers all = {.call = ow_test_call(ctx, NULL),
                             .ctx = ctx,
                             .model = m.model,
                             .n_rows = n,
                             .n_columns = m.n_columns,
                             .queries = m.values,
                             .outcomes = outcomes};
    const owi_stability how = {.explainer = explainer, .options = &options, .seed = 3};
    assert_ok(owi_stability_figures(&all, &how, figures));
    for (size_t i = 0; i < n; i++) {
        const double figure = figures[i * OWI_N_METRICS + OWI_STABILITY];
        if (isnan(figure)) continue;
        assert_true(figure == 0.0);
        n_measured++;
    }
    assert_true(n_measured > n / 2);
    ow_explanation_free(one);
    ow_explanation_free(three);
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(noise_moves_numbers_on_their_grid_and_leaves_everything_else),
        ow_test_on_heap(a_row_has_its_own_noise_and_no_noise_is_none),
        ow_test_on_heap(the_same_answer_to_both_is_a_distance_of_0),
        ow_test_on_heap(several_answers_are_asked_for_again),
    };
    return cmocka_run_group_tests_name("evaluate/stability", tests, NULL, NULL);
}
