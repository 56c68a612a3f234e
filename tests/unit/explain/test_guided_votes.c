/* SPDX-License-Identifier: MIT */
/* --prefer robust: what circuits of other samples say of answers, worked out beside guided
 * from the model's replicas. */
#include <math.h>

#include "explain/guided/guided_votes.h"
#include "model/model_private.h"
#include "support/explain_fixture.h"

static ow_call how = {.size = sizeof how};

enum { n_asked = 32 };

static ow_explanation *explain(const ow_test_model *m, const char *rules, ow_prefer prefer)
{
    ow_constraints *constraints = ow_test_rules(m, rules);
    ow_explain_options options = ow_test_explain_defaults();
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    options.prefer = prefer;
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = m->model},
                               "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, constraints, &options, n_asked, m->values,
                                   &how, &explanation));
    ow_explainer_free(explainer);
    ow_constraints_free(constraints);
    return explanation;
}

/* How many of the replicas give the row its class. */
static size_t count_votes(const ow_test_model *m, const double *values, int32_t target)
{
    const owi_replicas *replicas = &m->model->replicas;
    float *row = malloc(m->model->plan.width * sizeof *row);
    size_t n = 0;
    ow_model_encode(m->model, 1, values, row);
    for (size_t k = 0; k < replicas->n; k++) {
        ow_circuit *replica = NULL;
        ow_evaluator *evaluator = NULL;
        double log_class[2];
        const double *log_prior = ow_circuit_log_prior(m->model->circuit);
        assert_ok(owi_replica_new(m->model, k, &replica));
        assert_ok(ow_evaluator_new(replica, NULL, &evaluator));
        assert_ok(ow_evaluator_evaluate(evaluator, 1, row, &how, log_class));
        n += log_class[target] + log_prior[target] >
             log_class[1 - target] + log_prior[1 - target];
        ow_evaluator_free(evaluator);
        ow_circuit_free(replica);
    }
    free(row);
    return n;
}

/* The share of votes that answers get, and their mean number of changes. */
static double share_of_votes(const ow_test_model *m, ow_prefer prefer, double *changes)
{
    ow_explanation *explanation = explain(m, "", prefer);
    size_t n = 0, n_votes = 0, l0 = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        if (outcome->kind != OW_OUTCOME_FOUND) continue;
        n_votes += count_votes(m, outcome->answers[0]->values, outcome->target);
        l0 += outcome->answers[0]->distance.l0;
        n++;
    }
    assert_true(n > n_asked / 2);
    *changes = (double)l0 / (double)n;
    ow_explanation_free(explanation);
    return (double)n_votes / (double)(n * m->model->replicas.n);
}

static void robust_answers_are_voted_for(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    double least_changes, robust_changes;
    assert_true(m.model->replicas.n > 1);
    const double least = share_of_votes(&m, OW_PREFER_LEAST, &least_changes);
    const double robust = share_of_votes(&m, OW_PREFER_ROBUST, &robust_changes);
    assert_true(robust > least);
    assert_true(robust > 0.9);
    assert_true(robust_changes >= least_changes);
    ow_test_model_free(&m);
}

/* Where nothing that may change is enough for the voters, the least answer of the model is
 * given and says so. */
static void without_a_robust_answer_there_is_a_plain_one(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explanation *least = explain(&m, "vary age", OW_PREFER_LEAST);
    ow_explanation *robust = explain(&m, "vary age", OW_PREFER_ROBUST);
    size_t n_plain = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *a = ow_explanation_outcome(least, i);
        const ow_outcome *b = ow_explanation_outcome(robust, i);
        assert_int_equal(a->kind, b->kind);
        if (a->kind != OW_OUTCOME_FOUND) continue;
        assert_false(a->answers[0]->not_robust);
        if (!b->answers[0]->not_robust) continue;
        assert_memory_equal(a->answers[0]->values, b->answers[0]->values,
                            ow_schema_n_columns(m.model->schema) * sizeof(double));
        n_plain++;
    }
    assert_true(n_plain > 0);
    ow_explanation_free(least);
    ow_explanation_free(robust);
    ow_test_model_free(&m);
}

static void a_vote_is_the_mean_less_what_it_varies_by(void **state)
{
    (void)state;
    owi_vote alike = {0}, apart = {0};
    for (int k = 0; k < 4; k++) {
        owi_vote_add(&alike, 1.0);
        owi_vote_add(&apart, k % 2 == 0 ? 2.0 : 0.0);
    }
    assert_float_equal(owi_vote_result(&alike, 4, 9.0), 1.0, 1e-9);
    assert_true(owi_vote_result(&apart, 4, 9.0) < 0.0);
    /* The model's own margin, where that is less, or where nobody votes. */
    assert_float_equal(owi_vote_result(&alike, 4, 0.5), 0.5, 0.0);
    assert_float_equal(owi_vote_result(&apart, 0, 9.0), 9.0, 0.0);
    assert_true(isnan(owi_vote_result(&alike, 4, NAN)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(robust_answers_are_voted_for),
        ow_test_on_heap(without_a_robust_answer_there_is_a_plain_one),
        cmocka_unit_test(a_vote_is_the_mean_less_what_it_varies_by),
    };
    return cmocka_run_group_tests_name("explain/guided_votes", tests, NULL, NULL);
}
