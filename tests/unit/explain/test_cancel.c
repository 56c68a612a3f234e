/* SPDX-License-Identifier: MIT */
/* Stopping calls: inside every method, preparation, training and evaluation; at every
 * moment, without a leak; soon, by the processor time between two ticks (of large tables in
 * test_ticks.c); and what was finished is there. */
#include "support/ow_test.h"

#include "support/model_fixture.h"
#include "support/tick_listener.h"

typedef ow_test_listener listener;

enum { n_threads = 2 };

static ow_call heard_by(listener *l)
{
    return ow_test_heard_by(l, n_threads);
}

/* ---- Explaining ---- */

static ow_test_heap heap;
static ow_test_model m;

static ow_status explain(const char *method, const ow_call *call, size_t n,
                         ow_explanation **out)
{
    ow_explainer *explainer = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = 2;
    options.surer_proba = 0.7;
    *out = NULL;
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                             .model = m.model},
                         method, &explainer);
    if (status == OW_OK)
        status = ow_explainer_set_background(explainer, m.n_rows, m.values);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, n, m.values, call, out);
    ow_explainer_free(explainer);
    return status;
}

static ow_status explain_once(const void *method, const ow_call *call)
{
    ow_explanation *explanation;
    const ow_status status = explain(method, call, 300, &explanation);
    ow_explanation_free(explanation);
    return status;
}

static void ticks_of_every_method_are_close(void **state)
{
    (void)state;
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        const char *method = ow_method_get(k)->name;
        ow_test_assert_ticks(method, n_threads, explain_once, method);
    }
}

/* Stopped at its first question, its second, ... and then less often: nothing is left
 * behind, and rows that are given are as they would have been. */
static void a_method_stops_anywhere(void **state)
{
    (void)state;
    enum { n_rows = 100 };
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        const char *method = ow_method_get(k)->name;
        ow_explanation *whole, *part;
        assert_ok(explain(method, NULL, n_rows, &whole));
        const size_t n_live = heap.n_live;
        for (size_t n = 0;; n += 1 + n) {
            listener l = ow_test_listen(n);
            const ow_call call = heard_by(&l);
            const ow_status status = explain(method, &call, n_rows, &part);
            assert_true(status == OW_OK || status == OW_ERR_CANCELLED);
            const size_t n_given = part != NULL ? ow_explanation_n_rows(part) : 0;
            assert_true(status == OW_OK ? n_given == n_rows : n_given <= n_rows);
            for (size_t i = 0; i < n_given; i++) {
                const ow_outcome *want = ow_explanation_outcome(whole, i);
                const ow_outcome *got = ow_explanation_outcome(part, i);
                assert_int_equal(got->kind, want->kind);
                assert_int_equal(got->n_answers, want->n_answers);
                for (size_t a = 0; a < got->n_answers; a++)
                    assert_memory_equal(got->answers[a]->values, want->answers[a]->values,
                                        m.n_columns * sizeof(double));
            }
            ow_explanation_free(part);
            assert_int_equal(heap.n_live, n_live);
            if (status == OW_OK) break;
        }
        ow_explanation_free(whole);
    }
}

static void finished_rows_are_there(void **state)
{
    (void)state;
    bool some = false;
    for (size_t n = 1; !some; n += 1 + n / 2) {
        listener l = ow_test_listen(n);
        const ow_call call = heard_by(&l);
        ow_explanation *part;
        const ow_status status = explain("guided", &call, 600, &part);
        if (status == OW_OK) {
            ow_explanation_free(part);
            break;
        }
        assert_int_equal(status, OW_ERR_CANCELLED);
        some = part != NULL;
        if (some) assert_in_range(ow_explanation_n_rows(part), 1, 599);
        ow_explanation_free(part);
    }
    assert_true(some);
}

static void a_flag_that_is_set_before_stops_at_once(void **state)
{
    (void)state;
    ow_cancel *cancel;
    ow_explanation *explanation;
    assert_ok(ow_cancel_new(heap.ctx, &cancel));
    ow_cancel_request(cancel);
    const ow_call call = {.size = sizeof call, .cancel = cancel};
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        assert_status(explain(ow_method_get(k)->name, &call, 20, &explanation),
                      OW_ERR_CANCELLED);
        assert_null(explanation);
    }
    ow_cancel_reset(cancel);
    assert_ok(explain("nearest", &call, 20, &explanation));
    ow_explanation_free(explanation);
    ow_cancel_free(cancel);
}

/* ---- Training ---- */

static ow_status train(ow_decider decider, const ow_call *call, ow_model **out)
{
    ow_reader *reader = NULL;
    ow_schema *schema = NULL;
    ow_train_options options = ow_test_train_defaults();
    options.decider = decider;
    options.passes = 8;
    *out = NULL;
    ow_status status = ow_reader_open(heap.ctx, "data/credit.csv", NULL, call, &reader);
    if (status == OW_OK)
        status = ow_schema_infer(
            reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "risk"},
            call, &schema);
    if (status == OW_OK) status = ow_model_train(reader, schema, &options, call, out);
    ow_schema_free(schema);
    ow_reader_free(reader);
    return status;
}

static ow_status train_once(const void *decider, const ow_call *call)
{
    ow_model *model;
    const ow_status status = train(*(const ow_decider *)decider, call, &model);
    ow_model_free(model);
    return status;
}

static void ticks_of_training_are_close(void **state)
{
    (void)state;
    const ow_decider deciders[] = {OW_DECIDES_CIRCUIT, OW_DECIDES_MLP};
    for (size_t k = 0; k < 2; k++)
        ow_test_assert_ticks("training", n_threads, train_once, &deciders[k]);
}

/* A model that is given is whole: it can be written and predicts. */
static void training_stops_anywhere(void **state)
{
    (void)state;
    bool none = false, some = false;
    const size_t n_live = heap.n_live;
    for (size_t n = 0;; n += 1 + n) {
        listener l = ow_test_listen(n);
        const ow_call call = heard_by(&l);
        ow_model *model;
        const ow_status status = train(OW_DECIDES_CIRCUIT, &call, &model);
        assert_true(status == OW_OK || status == OW_ERR_CANCELLED);
        none |= model == NULL;
        some |= status == OW_ERR_CANCELLED && model != NULL;
        if (model != NULL) {
            ow_predictor *predictor = NULL;
            double log_density;
            const ow_predictions wanted = {.size = sizeof wanted,
                                           .log_density = &log_density};
            assert_ok(ow_predictor_new(model, NULL, &predictor));
            assert_ok(ow_predictor_predict(predictor, 1, m.values, NULL, &wanted));
            assert_true(isfinite(log_density));
            ow_predictor_free(predictor);
        }
        ow_model_free(model);
        assert_int_equal(heap.n_live, n_live);
        if (status == OW_OK) break;
    }
    assert_true(none && some);
}

/* ---- Evaluating ---- */

static ow_status evaluate(const ow_call *call, ow_evaluation **out)
{
    static const ow_contestant methods[] = {{.method = "guided"}, {.method = "two-step"},
                                            {.method = "face"},   {.method = "wachter"},
                                            {.method = "cem"},    {.method = "nearest"}};
    ow_experiment experiment = ow_test_experiment_defaults();
    experiment.model = m.model;
    experiment.methods = methods;
    experiment.n_methods = sizeof methods / sizeof *methods;
    experiment.n_queries = 30;
    experiment.queries = m.values;
    experiment.n_known = m.n_rows;
    experiment.known = m.values;
    return ow_experiment_run(&experiment, call, out);
}

static ow_status evaluate_once(const void *user, const ow_call *call)
{
    (void)user;
    ow_evaluation *evaluation;
    const ow_status status = evaluate(call, &evaluation);
    ow_evaluation_free(evaluation);
    return status;
}

static void ticks_of_evaluation_are_close(void **state)
{
    (void)state;
    ow_test_assert_ticks("evaluation", n_threads, evaluate_once, NULL);
}

static void evaluation_stops_anywhere(void **state)
{
    (void)state;
    const size_t n_live = heap.n_live;
    for (size_t n = 0;; n += 1 + n) {
        listener l = ow_test_listen(n);
        const ow_call call = heard_by(&l);
        ow_evaluation *evaluation;
        const ow_status status = evaluate(&call, &evaluation);
        assert_true(status == OW_OK || status == OW_ERR_CANCELLED);
        ow_evaluation_free(evaluation);
        assert_int_equal(heap.n_live, n_live);
        if (status == OW_OK) break;
    }
}

static int set_up(void **state)
{
    (void)state;
    ow_test_heap_begin(&heap);
    m = ow_test_credit_model(heap.ctx, OW_LEAVES_AUTO);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ow_test_model_free(&m);
    ow_test_heap_end(&heap);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ticks_of_every_method_are_close),
        cmocka_unit_test(a_method_stops_anywhere),
        cmocka_unit_test(finished_rows_are_there),
        cmocka_unit_test(a_flag_that_is_set_before_stops_at_once),
        cmocka_unit_test(ticks_of_training_are_close),
        cmocka_unit_test(training_stops_anywhere),
        cmocka_unit_test(ticks_of_evaluation_are_close),
        cmocka_unit_test(evaluation_stops_anywhere),
    };
    return cmocka_run_group_tests_name("explain/cancel", tests, set_up, tear_down);
}
