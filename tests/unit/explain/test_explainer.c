/* SPDX-License-Identifier: MIT */
/* Explainers: what is refused, and with which sentence; classifiers that fail; cancelling;
 * time limits. */
#include "explain/constraints/constraints.h"
#include "support/explain_fixture.h"

/* How everything here is called. */
static ow_call call = {.size = sizeof call};

static ow_test_model m;
static ow_test_heap heap;

static int set_up(void **state)
{
    *state = &heap;
    ow_test_heap_begin(&heap);
    m = ow_test_applicants(heap.ctx, OW_LEAVES_AUTO);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ow_test_model_free(&m);
    ow_test_heap_end(&heap);
    return 0;
}

/* ---- What is refused ---- */

static ow_status explain_with(ow_explain_options options, const ow_constraints *rules,
                              size_t n, const double *values)
{
    ow_explainer *explainer = ow_test_explainer(&m, "two-step");
    ow_explanation *explanation = NULL;
    const ow_status status =
        ow_explainer_explain(explainer, rules, &options, n, values, &call, &explanation);
    assert_true((status == OW_OK) == (explanation != NULL));
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    return status;
}

static void options_that_cannot_be(void **state)
{
    (void)state;
    ow_explain_options options = ow_test_explain_defaults();
    const int32_t targets[2] = {0, 7};
    options.target = 2;
    assert_fails(explain_with(options, NULL, 1, m.values), OW_ERR_ARGUMENT,
                 "there is no class 2; they go from 0 to 1");
    options.target = 0;
    options.targets = targets;
    assert_ok(explain_with(options, NULL, 1, m.values));
    assert_fails(explain_with(options, NULL, 2, m.values), OW_ERR_ARGUMENT,
                 "there is no class 7");
    options = ow_test_explain_defaults();
    options.least_proba = 1.5;
    assert_fails(explain_with(options, NULL, 1, m.values), OW_ERR_ARGUMENT,
                 "the least probability: expected a number from 0 to 1, got 1.5");
    options.least_proba = 0.9;
    options.most_proba = 0.8;
    assert_fails(explain_with(options, NULL, 1, m.values), OW_ERR_ARGUMENT,
                 "the least probability is above the largest one");
    options = ow_test_explain_defaults();
    options.density_quantile = NAN;
    assert_fails(explain_with(options, NULL, 1, m.values), OW_ERR_ARGUMENT,
                 "the density quantile: expected a number from 0 to 1");
    options = ow_test_explain_defaults();
    options.n_answers = 0;
    assert_fails(explain_with(options, NULL, 1, m.values), OW_ERR_ARGUMENT,
                 "expected at least 1");
    options.n_answers = SIZE_MAX / 2;
    assert_fails(explain_with(options, NULL, 1, m.values), OW_ERR_ARGUMENT,
                 "answers asked for; expected at most 1000000");
    options = ow_test_explain_defaults();
    call.time_limit = -1.0;
    assert_fails(explain_with(options, NULL, 1, m.values), OW_ERR_ARGUMENT,
                 "a time limit of -1 seconds");
    call.time_limit = 0.0;
}

static void no_rows_are_explained_in_no_time(void **state)
{
    (void)state;
    assert_ok(explain_with(ow_test_explain_defaults(), NULL, 0, NULL));
}

static void rows_of_another_table(void **state)
{
    (void)state;
    double row[16];
    size_t town, age;
    const ow_schema *schema = ow_model_schema(m.model);
    assert_ok(ow_schema_find_column(schema, "town", &town));
    assert_ok(ow_schema_find_column(schema, "age", &age));
    memcpy(row, m.values, m.n_columns * sizeof *row);
    row[town] = 4.0;
    assert_fails(explain_with(ow_test_explain_defaults(), NULL, 1, row), OW_ERR_ARGUMENT,
                 "row 1, column \"town\": expected the number of one of its 4 levels, from "
                 "0 on, got 4");
    row[town] = 0.5;
    assert_fails(explain_with(ow_test_explain_defaults(), NULL, 1, row), OW_ERR_ARGUMENT,
                 "got 0.5");
    row[town] = 1.0;
    row[age] = INFINITY;
    assert_fails(explain_with(ow_test_explain_defaults(), NULL, 1, row), OW_ERR_ARGUMENT,
                 "column \"age\": expected a finite number, got inf");
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    assert_fails(ow_explainer_set_background(explainer, 1, row), OW_ERR_ARGUMENT,
                 "background row 1, column \"age\"");
    ow_explainer_free(explainer);
}

static void constraints_of_another_table(void **state)
{
    ow_test_model credit = ow_test_credit_model(ow_test_context(state), OW_LEAVES_AUTO);
    ow_constraints *rules = ow_test_rules(&credit, "immutable age");
    assert_fails(explain_with(ow_test_explain_defaults(), rules, 1, m.values),
                 OW_ERR_SCHEMA,
                 "the constraints are for rows of 20 columns, the model's have 8");
    ow_constraints_free(rules);
    ow_test_model_free(&credit);
}

static void unknown_methods_parameters_and_presets(void **state)
{
    (void)state;
    ow_explainer *explainer = NULL;
    assert_fails(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = m.model},
                                  "two-stp", &explainer),
                 OW_ERR_ARGUMENT,
                 "there is no method \"two-stp\"; did you mean \"two-step\"?");
    assert_null(explainer);
    assert_fails(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = m.model,
                                                      .backend = "gpu"},
                                  "two-step", &explainer),
                 OW_ERR_UNSUPPORTED, "gpu");
    explainer = ow_test_explainer(&m, "two-step");
    assert_fails(ow_explainer_set(explainer, "class-stp", "1"), OW_ERR_ARGUMENT,
                 "did you mean \"class-step\"?");
    assert_fails(ow_explainer_preset(explainer, "papper"), OW_ERR_ARGUMENT,
                 "there is no preset \"papper\"; there are \"paper\" and \"reference\"");
    const char *value;
    assert_ok(ow_explainer_get(explainer, "class-step", &value));
    assert_string_equal(value, "auto");
    assert_ok(ow_explainer_preset(explainer, "paper"));
    assert_ok(ow_explainer_get(explainer, "class-step", &value));
    assert_string_equal(value, "10");
    assert_fails(ow_explainer_get(explainer, "class-stp", &value), OW_ERR_ARGUMENT,
                 "did you mean \"class-step\"?");
    assert_null(value);
    ow_explainer_free(explainer);
}

/* ---- Classifiers ---- */

typedef enum { works, fails, gives_nan } behaviour;

static bool decide(void *user, size_t n_rows, const float *rows, double *log_proba)
{
    const behaviour how = *(const behaviour *)user;
    const size_t width = ow_model_soft_width(m.model);
    for (size_t i = 0; i < n_rows; i++) {
        const double odds = 2.0 * (double)rows[i * width]; /* the income */
        log_proba[2 * i] = how == gives_nan ? NAN : -log1p(exp(odds));
        log_proba[2 * i + 1] = -log1p(exp(-odds));
    }
    return how != fails;
}

static ow_status explain_foreign(const char *method, behaviour *how, size_t width,
                                 size_t *n_found)
{
    ow_classifier *classifier = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    const ow_explain_options options = ow_test_explain_defaults();
    assert_ok(ow_classifier_from_callbacks(heap.ctx,
                                           &(ow_callbacks){.size = sizeof(ow_callbacks),
                                                           .user = how,
                                                           .n_classes = 2,
                                                           .width = width,
                                                           .log_proba = decide},
                                           &classifier));
    ow_status status =
        ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                             .model = m.model,
                                             .classifier = classifier},
                         method, &explainer);
    if (status == OW_OK) ow_test_make_quick(explainer);
    if (status == OW_OK)
        status = ow_explainer_set_background(explainer, m.n_rows, m.values);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, 20, m.values, &call,
                                      &explanation);
    for (size_t i = 0; status == OW_OK && i < 20; i++)
        *n_found += ow_explanation_outcome(explanation, i)->kind == OW_OUTCOME_FOUND;
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_classifier_free(classifier);
    return status;
}

static void every_method_explains_somebody_elses_decisions(void **state)
{
    (void)state;
    const size_t width = ow_model_soft_width(m.model);
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        behaviour how = works;
        size_t n_found = 0;
        assert_ok(explain_foreign(ow_method_get(k)->name, &how, width, &n_found));
        assert_true(n_found >= 5);
    }
}

static void a_classifier_that_fails_or_gives_nan_ends_the_call(void **state)
{
    (void)state;
    const size_t width = ow_model_soft_width(m.model);
    size_t n_found = 0;
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        behaviour how = fails;
        assert_status(explain_foreign(ow_method_get(k)->name, &how, width, &n_found),
                      OW_ERR_NUMERIC);
        how = gives_nan;
        assert_status(explain_foreign(ow_method_get(k)->name, &how, width, &n_found),
                      OW_ERR_NUMERIC);
    }
    behaviour how = works;
    assert_fails(explain_foreign("two-step", &how, width + 1, &n_found), OW_ERR_ARGUMENT,
                 "the classifier takes rows of");
}

/* A model with a network of its own: that decides, and the circuit is the density. */
static void a_models_network_is_explained_where_it_has_one(void **state)
{
    (void)state;
    ow_train_options train = ow_test_train_defaults();
    train.decider = OW_DECIDES_MLP;
    train.repetitions = train.inputs = 2;
    train.passes = 3;
    train.towards_rows = 50;
    char *csv = ow_test_applicants_csv(300);
    ow_test_model n = ow_test_model_from_csv(heap.ctx, csv, "granted", NULL, &train);
    ow_classifier *network = NULL;
    assert_ok(ow_model_classifier_new(n.model, NULL, &network));
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = ow_test_explainer(&n, ow_method_get(k)->name);
        ow_explanation *explanation = NULL;
        const ow_explain_options options = ow_test_explain_defaults();
        size_t n_found = 0;
        assert_ok(ow_explainer_explain(explainer, NULL, &options, 20, n.values, &call,
                                       &explanation));
        for (size_t i = 0; i < 20; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            n_found += outcome->kind == OW_OUTCOME_FOUND;
            if (outcome->n_answers == 0) continue;
            float soft[128];
            double log_proba[2];
            ow_model_soften(n.model, 1, outcome->answers[0]->values, soft);
            assert_ok(ow_classifier_classify(network, 1, soft, &call, log_proba));
            for (size_t c = 0; c < 2; c++) log_proba[c] = exp(log_proba[c]);
            assert_close(outcome->answers[0]->proba, log_proba, 2, 1e-4);
        }
        assert_true(n_found >= 5);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    ow_classifier_free(network);
    ow_test_model_free(&n);
    free(csv);
}

/* ---- Stopping ---- */

static bool stop(void *user, const ow_progress *progress)
{
    size_t *n_calls = user;
    ++*n_calls;
    assert_string_equal(progress->stage, "explaining rows");
    return false;
}

static void cancelling_leaves_nothing(void **state)
{
    (void)state;
    size_t n_calls = 0;
    call.progress = stop;
    call.progress_user = &n_calls;
    assert_status(explain_with(ow_test_explain_defaults(), NULL, 20, m.values),
                  OW_ERR_CANCELLED);
    call.progress = NULL;
    call.progress_user = NULL;
    assert_int_equal(n_calls, 1);
}

static void rows_that_time_does_not_reach_say_so(void **state)
{
    (void)state;
    ow_explain_options options = ow_test_explain_defaults();
    call.time_limit = 1e-9;
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = ow_test_explainer(&m, ow_method_get(k)->name);
        ow_explanation *explanation = NULL;
        assert_ok(ow_explainer_explain(explainer, NULL, &options, 20, m.values, &call,
                                       &explanation));
        for (size_t i = 0; i < 20; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            assert_int_equal(outcome->kind, OW_OUTCOME_NOT_FOUND);
            assert_int_equal(outcome->reason, OW_REASON_TIME_LIMIT);
            assert_null(outcome->blocking);
            assert_non_null(outcome->proba);
        }
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    call.time_limit = 0.0;
}

/* ---- Outcomes ---- */

static void rows_of_the_target_class_are_left_alone(void **state)
{
    (void)state;
    ow_explainer *explainer = ow_test_explainer(&m, "two-step");
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    size_t n_already = 0, n_below = 0;
    options.target = 1;
    assert_ok(ow_explainer_explain(explainer, NULL, &options, 100, m.values, &call,
                                   &explanation));
    for (size_t i = 0; i < 100; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        assert_int_equal(outcome->kind == OW_OUTCOME_ALREADY_TARGET,
                         outcome->predicted == 1);
        assert_int_equal(outcome->target, 1);
        if (outcome->kind != OW_OUTCOME_ALREADY_TARGET) continue;
        n_already++;
        n_below += outcome->proba[1] < 0.9;
        assert_int_equal(outcome->n_answers, 0);
        assert_int_equal(outcome->reason, OW_REASON_NONE);
    }
    assert_true(n_already > 10 && n_below > 0);
    ow_explanation_free(explanation);

    /* With a probability asked for, rows of the class may still have some way to go. */
    options.least_proba = 0.9;
    assert_ok(ow_explainer_explain(explainer, NULL, &options, 100, m.values, &call,
                                   &explanation));
    for (size_t i = 0; i < 100; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        assert_int_equal(outcome->kind == OW_OUTCOME_ALREADY_TARGET,
                         outcome->proba[1] >= 0.9);
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
}

static void methods_that_need_known_rows_say_so(void **state)
{
    (void)state;
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = NULL;
        ow_explanation *explanation = NULL;
        const ow_explain_options options = ow_test_explain_defaults();
        const ow_method *method = ow_method_get(k);
        assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                       .model = m.model},
                                   method->name, &explainer));
        const ow_status status = ow_explainer_explain(explainer, NULL, &options, 5,
                                                      m.values, &call, &explanation);
        if (method->needs_background)
            assert_fails(status, OW_ERR_ARGUMENT, "no background rows were given");
        else
            assert_ok(status);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
}

/* Numbers that no row has, and no float holds. */
static void numbers_beyond_all_measure_are_answered_all_the_same(void **state)
{
    (void)state;
    double rows[4][16];
    for (size_t i = 0; i < 4; i++)
        memcpy(rows[i], m.values + i * m.n_columns, m.n_columns * sizeof(double));
    rows[0][0] = 1e300;
    rows[1][0] = -1e300;
    rows[2][1] = 1e12;
    for (size_t j = 0; j < m.n_columns; j++) rows[3][j] = NAN;
    double *values = calloc(4 * m.n_columns, sizeof *values);
    for (size_t i = 0; i < 4; i++)
        memcpy(values + i * m.n_columns, rows[i], m.n_columns * sizeof(double));
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = ow_test_explainer(&m, ow_method_get(k)->name);
        ow_explanation *explanation = NULL;
        const ow_explain_options options = ow_test_explain_defaults();
        assert_ok(ow_explainer_explain(explainer, NULL, &options, 4, values, &call,
                                       &explanation));
        for (size_t i = 0; i < 4; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            for (size_t a = 0; a < outcome->n_answers; a++)
                assert_int_equal(outcome->answers[a]->violations, 0);
        }
        assert_int_equal(ow_explanation_outcome(explanation, 3)->kind,
                         OW_OUTCOME_NOT_FOUND);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    free(values);
}

/* Three classes: the second most probable one is the target, unless an answer ends in the
 * third. */
static void any_other_class_is_a_class_in_the_end(void **state)
{
    (void)state;
    ow_model *model = NULL;
    assert_ok(
        ow_model_import(heap.ctx, "tests/golden/circuits/b_d8_D2.json", &call, &model));
    for (size_t k = 0; ow_method_get(k) != NULL; k++) {
        ow_explainer *explainer = NULL;
        ow_explanation *explanation = NULL;
        const ow_explain_options options = ow_test_explain_defaults();
        size_t n;
        const float *samples = ow_model_samples(model, 0, &n);
        double values[20 * 8];
        for (size_t i = 0; i < 20 * 8; i++) values[i] = samples[i];
        if (ow_method_get(k)->needs_background) continue;
        assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                       .model = model},
                                   ow_method_get(k)->name, &explainer));
        assert_ok(ow_explainer_explain(explainer, NULL, &options, 20, values, &call,
                                       &explanation));
        size_t n_found = 0;
        for (size_t i = 0; i < 20; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            assert_true(outcome->target >= 0 && outcome->target != outcome->predicted);
            n_found += outcome->kind == OW_OUTCOME_FOUND;
            if (outcome->kind == OW_OUTCOME_FOUND)
                assert_int_equal(outcome->answers[0]->predicted, outcome->target);
        }
        assert_true(n_found >= 10);
        ow_explanation_free(explanation);
        ow_explainer_free(explainer);
    }
    ow_model_free(model);
}

/* What is prepared for one call is not taken for another. */
static void parameters_constraints_and_background_count_from_the_next_call_on(void **state)
{
    (void)state;
    ow_explainer *explainer = ow_test_explainer(&m, "nearest");
    const ow_explain_options options = ow_test_explain_defaults();
    ow_constraints *rules = ow_test_rules(&m, NULL);
    ow_explanation *explanation[3] = {NULL};
    assert_ok(ow_explainer_explain(explainer, rules, &options, 10, m.values, &call,
                                   &explanation[0]));
    assert_ok(ow_constraints_immutable(rules, "income"));
    assert_ok(ow_explainer_explain(explainer, rules, &options, 10, m.values, &call,
                                   &explanation[1]));
    assert_ok(ow_explainer_set(explainer, "sparse", "yes"));
    assert_ok(ow_explainer_explain(explainer, rules, &options, 10, m.values, &call,
                                   &explanation[2]));
    size_t n_moved = 0, l0[3] = {0};
    for (size_t i = 0; i < 10; i++)
        for (size_t k = 0; k < 3; k++) {
            const ow_counterfactual *answer =
                ow_explanation_outcome(explanation[k], i)->answers[0];
            l0[k] += answer->distance.l0;
            n_moved += k == 0 && answer->values[0] != m.values[i * m.n_columns];
            if (k > 0) assert_true(answer->values[0] == m.values[i * m.n_columns]);
        }
    assert_true(n_moved > 0);
    assert_true(l0[2] < l0[1]);
    for (size_t k = 0; k < 3; k++) ow_explanation_free(explanation[k]);
    ow_constraints_free(rules);
    ow_explainer_free(explainer);
}

/* People ask again for a surer answer: what was prepared for the first call serves the
 * second. */
static void other_options_count_as_if_they_had_been_the_first(void **state)
{
    (void)state;
    static const char *const methods[] = {"guided", "two-step", "nearest"};
    enum { n_rows = 10 };
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        ow_explainer *used = ow_test_explainer(&m, methods[k]);
        ow_explainer *fresh = ow_test_explainer(&m, methods[k]);
        ow_explain_options options = ow_test_explain_defaults();
        ow_explanation *first, *second, *want;
        assert_ok(
            ow_explainer_explain(used, NULL, &options, n_rows, m.values, &call, &first));
        options.least_proba = 0.7;
        options.n_answers = 2;
        options.density_quantile = 0.5;
        assert_ok(
            ow_explainer_explain(used, NULL, &options, n_rows, m.values, &call, &second));
        assert_ok(
            ow_explainer_explain(fresh, NULL, &options, n_rows, m.values, &call, &want));
        for (size_t i = 0; i < n_rows; i++) {
            const ow_outcome *a = ow_explanation_outcome(second, i);
            const ow_outcome *b = ow_explanation_outcome(want, i);
            assert_int_equal(a->kind, b->kind);
            assert_int_equal(a->n_answers, b->n_answers);
            for (size_t n = 0; n < a->n_answers; n++) {
                assert_memory_equal(a->answers[n]->values, b->answers[n]->values,
                                    m.n_columns * sizeof(double));
                assert_int_equal(a->answers[n]->valid, b->answers[n]->valid);
                assert_int_equal(a->answers[n]->dense, b->answers[n]->dense);
            }
        }
        ow_explanation_free(first);
        ow_explanation_free(second);
        ow_explanation_free(want);
        ow_explainer_free(used);
        ow_explainer_free(fresh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_that_cannot_be),
        cmocka_unit_test(no_rows_are_explained_in_no_time),
        cmocka_unit_test(rows_of_another_table),
        cmocka_unit_test(constraints_of_another_table),
        cmocka_unit_test(unknown_methods_parameters_and_presets),
        cmocka_unit_test(every_method_explains_somebody_elses_decisions),
        cmocka_unit_test(a_classifier_that_fails_or_gives_nan_ends_the_call),
        cmocka_unit_test(cancelling_leaves_nothing),
        cmocka_unit_test(rows_that_time_does_not_reach_say_so),
        cmocka_unit_test(rows_of_the_target_class_are_left_alone),
        cmocka_unit_test(methods_that_need_known_rows_say_so),
        cmocka_unit_test(a_models_network_is_explained_where_it_has_one),
        cmocka_unit_test(numbers_beyond_all_measure_are_answered_all_the_same),
        cmocka_unit_test(any_other_class_is_a_class_in_the_end),
        cmocka_unit_test(parameters_constraints_and_background_count_from_the_next_call_on),
        cmocka_unit_test(other_options_count_as_if_they_had_been_the_first),
    };
    return cmocka_run_group_tests_name("explain/explainer", tests, set_up, tear_down);
}
