/* SPDX-License-Identifier: MIT */
/* What becomes of a method's answers, whatever the method: a method that gives what the
 * test wants stands in. */
#include "support/explain_fixture.h"

#include "explain/core/explainer_private.h"

typedef enum {
    GIVES_NOTHING,
    GIVES_THE_QUERY_THEN_A_ROW_TWICE,
    GIVES_A_ROW,
    GIVES_INFINITY
} what;

static what wanted;

/* The first known row of the target class that has no gap. */
static const double *known_row(const owi_problem *problem, int32_t target)
{
    const owi_background *known = problem->background;
    for (size_t i = 0; i < known->n_rows; i++) {
        const double *values = known->values + i * problem->n_columns;
        bool whole = known->predicted[i] == target;
        for (size_t j = 0; j < problem->n_columns; j++) whole &= !isnan(values[j]);
        if (whole) return values;
    }
    fail();
    return NULL;
}

static void give(const owi_problem *problem, const double *values, owi_answer *answer)
{
    memcpy(answer->values, values, problem->n_columns * sizeof *values);
    ow_model_soften(problem->model, 1, values, answer->soft);
    answer->given = answer->has_values = true;
}

static ow_status explain_block(const owi_problem *problem, const void *settings,
                               void *state, const owi_queries *queries, owi_answer *answers)
{
    (void)settings, (void)state;
    const size_t k = problem->options->n_answers;
    for (size_t i = 0; i < queries->n_rows; i++) {
        owi_answer *mine = answers + i * k;
        const double *query = queries->values + i * problem->n_columns;
        const double *row = known_row(problem, queries->target[i]);
        switch (wanted) {
        case GIVES_NOTHING:
            mine->reason = OW_REASON_NO_PATH;
            break;
        case GIVES_THE_QUERY_THEN_A_ROW_TWICE:
            give(problem, query, &mine[0]);
            give(problem, row, &mine[1]);
            give(problem, row, &mine[2]);
            break;
        case GIVES_A_ROW:
            give(problem, row, &mine[0]);
            break;
        case GIVES_INFINITY:
            for (size_t j = 0; j < problem->soft_width; j++) mine->soft[j] = INFINITY;
            mine->given = true;
            break;
        }
    }
    return OW_OK;
}

typedef struct {
    ow_test_model m;
    ow_explainer *explainer;
    ow_explanation *explanation;
    const double *query;
    const ow_outcome *outcome;
} fixture;

static owi_explainer_impl stand_in;

/* The answer to the first whole row of the applicants. */
static fixture explain(void **state, what gives, const char *rules, size_t n_answers)
{
    fixture f = {.m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO)};
    ow_constraints *constraints = ow_test_rules(&f.m, rules);
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = n_answers;
    options.explain_failure = false;
    f.explainer = ow_test_explainer(&f.m, "nearest");
    stand_in = *f.explainer->impl;
    stand_in.prepare = NULL;
    stand_in.explain_block = explain_block;
    f.explainer->impl = &stand_in;
    wanted = gives;
    size_t i = 0;
    for (bool whole = false; !whole; i += !whole) {
        whole = true;
        for (size_t j = 0; j < f.m.n_columns; j++)
            whole &= !isnan(f.m.values[i * f.m.n_columns + j]);
    }
    f.query = f.m.values + i * f.m.n_columns;
    assert_ok(ow_explainer_explain(f.explainer, constraints, &options, 1, f.query, NULL,
                                   &f.explanation));
    f.outcome = ow_explanation_outcome(f.explanation, 0);
    ow_constraints_free(constraints);
    return f;
}

static void end(fixture *f)
{
    ow_explanation_free(f->explanation);
    ow_explainer_free(f->explainer);
    ow_test_model_free(&f->m);
}

static void a_method_without_an_answer_says_why(void **state)
{
    fixture f = explain(state, GIVES_NOTHING, "", 1);
    assert_int_equal(f.outcome->kind, OW_OUTCOME_NOT_FOUND);
    assert_int_equal(f.outcome->reason, OW_REASON_NO_PATH);
    assert_int_equal(f.outcome->n_answers, 0);
    end(&f);
}

static void the_better_answers_come_first_and_each_once(void **state)
{
    fixture f = explain(state, GIVES_THE_QUERY_THEN_A_ROW_TWICE, "", 3);
    assert_int_equal(f.outcome->kind, OW_OUTCOME_FOUND);
    assert_int_equal(f.outcome->n_answers, 2);
    const ow_counterfactual *first = f.outcome->answers[0], *last = f.outcome->answers[1];
    assert_true(first->valid && first->predicted == f.outcome->target);
    assert_true(!last->valid && last->predicted == f.outcome->predicted);
    assert_memory_equal(last->values, f.query, f.m.n_columns * sizeof *f.query);
    assert_true(last->distance.l0 == 0 && last->distance.l1 == 0.0);
    assert_true(first->distance.l0 > 0);
    end(&f);
}

static void values_that_keep_the_constraints_stay_as_they_were_given(void **state)
{
    fixture f = explain(state, GIVES_A_ROW, "", 1);
    const ow_counterfactual *answer = f.outcome->answers[0];
    assert_int_equal(answer->violations, 0);
    assert_true(answer->valid && answer->valid_before_repair);
    bool is_known = false;
    for (size_t i = 0; i < f.m.n_rows && !is_known; i++)
        is_known = memcmp(answer->values, f.m.values + i * f.m.n_columns,
                          f.m.n_columns * sizeof *f.query) == 0;
    assert_true(is_known);
    end(&f);
}

static void values_that_break_one_are_repaired(void **state)
{
    fixture f = explain(state, GIVES_A_ROW, "immutable income; immutable age", 1);
    const ow_counterfactual *answer = f.outcome->answers[0];
    size_t income, age;
    assert_ok(ow_schema_find_column(ow_model_schema(f.m.model), "income", &income));
    assert_ok(ow_schema_find_column(ow_model_schema(f.m.model), "age", &age));
    assert_int_equal(answer->violations, 0);
    assert_true(answer->values[income] == f.query[income]);
    assert_true(answer->values[age] == f.query[age]);
    assert_true(answer->valid_before_repair); /* the row itself was of the class */
    end(&f);
}

static void a_row_that_ran_away_is_judged_without_its_infinities(void **state)
{
    fixture f = explain(state, GIVES_INFINITY, "", 1);
    assert_int_equal(f.outcome->kind, OW_OUTCOME_NOT_FOUND);
    assert_int_equal(f.outcome->reason, OW_REASON_NOT_FLIPPED);
    assert_int_equal(f.outcome->n_answers, 1);
    const ow_counterfactual *answer = f.outcome->answers[0];
    assert_false(answer->valid_before_repair);
    assert_memory_equal(answer->values, f.query, f.m.n_columns * sizeof *f.query);
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_method_without_an_answer_says_why),
        ow_test_on_heap(the_better_answers_come_first_and_each_once),
        ow_test_on_heap(values_that_keep_the_constraints_stay_as_they_were_given),
        ow_test_on_heap(values_that_break_one_are_repaired),
        ow_test_on_heap(a_row_that_ran_away_is_judged_without_its_infinities),
    };
    return cmocka_run_group_tests_name("explain/verdict", tests, NULL, NULL);
}
