/* SPDX-License-Identifier: MIT */
/* guided on tables: answers that enumeration cannot better, whatever the leaves, the
 * classifier, the threads and the blocks. */
#include "explain/constraints/constraints.h"
#include "explain/core/density_reference.h"
#include "support/explain_fixture.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_levels = 3, n_tiny = 4, n_tiny_rows = 81 /* n_levels to the n_tiny */ };

/* ---- A model small enough to enumerate ---- */

/* Four columns of three levels; the class is a vote of the first three, the fourth follows
 * the first. */
static ow_test_model tiny_model(ow_context *ctx)
{
    enum { n_rows = 400 };
    static const char letters[] = "xyz";
    char *csv = malloc(32 + n_rows * 32);
    size_t at = (size_t)sprintf(csv, "a,b,c,d,class\n");
    uint32_t seed = 7;
    for (size_t i = 0; i < n_rows; i++) {
        size_t level[n_tiny];
        for (size_t j = 0; j < n_tiny; j++) {
            seed = seed * 1664525u + 1013904223u;
            level[j] = (seed >> 24) % n_levels;
        }
        if ((seed >> 10) % 4 != 0) level[3] = level[0];
        const bool yes = level[0] + 2 * level[1] + level[2] + (seed >> 16) % 2 > 4;
        at += (size_t)sprintf(csv + at, "%c,%c,%c,%c,%s\n", letters[level[0]],
                              letters[level[1]], letters[level[2]], letters[level[3]],
                              yes ? "yes" : "no");
    }
    ow_test_model m = ow_test_model_from_csv(ctx, csv, "class", NULL, NULL);
    free(csv);
    return m;
}

static void tiny_row(size_t code, double *values)
{
    for (size_t j = 0; j < n_tiny; j++, code /= n_levels)
        values[j] = (double)(code % n_levels);
}

/* Which of all rows are of the target class and dense enough: one call of the engine. */
static void enumerate(const ow_test_model *m, int32_t target, double threshold,
                      bool *feasible)
{
    ow_predictor *predictor = NULL;
    int32_t classes[n_tiny_rows];
    double values[n_tiny_rows * n_tiny], log_class[n_tiny_rows * 2];
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = classes,
                                   .log_class = log_class};
    for (size_t i = 0; i < n_tiny_rows; i++) tiny_row(i, values + i * n_tiny);
    assert_ok(ow_predictor_new(m->model, NULL, &predictor));
    assert_ok(ow_predictor_predict(predictor, n_tiny_rows, values, &how, &wanted));
    for (size_t i = 0; i < n_tiny_rows; i++)
        feasible[i] =
            classes[i] == target && log_class[2 * i + (size_t)target] >= threshold;
    ow_predictor_free(predictor);
}

static size_t n_different(const double *a, const double *b)
{
    size_t n = 0;
    for (size_t j = 0; j < n_tiny; j++) n += a[j] != b[j];
    return n;
}

static double threshold_of(const ow_test_model *m, const double *query, int32_t target,
                           const bool *frozen)
{
    owi_density_reference *reference = NULL;
    double threshold;
    assert_ok(owi_density_reference_new(m->model, NULL, frozen, 0, NULL, NULL, &reference));
    assert_ok(owi_density_thresholds(ow_test_call(m->ctx, &how), reference, 1, query,
                                     &target, 0.25, &threshold));
    owi_density_reference_free(reference);
    return threshold;
}

/* What is asked of the small model, under constraints. */
typedef struct {
    const char *rules;
    size_t most; /* changes        */
    bool required;
} question;

static bool may_be(const question *q, const double *query, const double *values)
{
    /* Only the last question has a rule for a single column. */
    if (strcmp(q->rules, "vary b; vary c") == 0 &&
        (query[0] != values[0] || query[3] != values[3]))
        return false;
    return n_different(query, values) <= q->most;
}

/* Every answer of every row against all 81 rows: fewest changes, what is said of it, and
 * "impossible" exactly where nothing is possible. */
static void check_question(const ow_test_model *m, const question *q, size_t *n_proved,
                           size_t *n_impossible)
{
    ow_explainer *explainer = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    ow_constraints *constraints = ow_test_rules(m, q->rules);
    double values[n_tiny_rows * n_tiny];
    ow_explanation *explanation = NULL;
    options.density_required = q->required;
    options.explain_failure = false;
    for (size_t i = 0; i < n_tiny_rows; i++) tiny_row(i, values + i * n_tiny);
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = m->model},
                               "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, constraints, &options, n_tiny_rows, values,
                                   &how, &explanation));
    for (size_t i = 0; i < n_tiny_rows; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        const double *query = values + i * n_tiny;
        const bool frozen[n_tiny] = {strstr(q->rules, "vary") != NULL, false, false,
                                     strstr(q->rules, "vary") != NULL};
        const double threshold = threshold_of(m, query, outcome->target, frozen);
        bool feasible[n_tiny_rows], nearly[n_tiny_rows];
        size_t fewest = n_tiny + 1;
        bool is_doubtful = false; /* a density that is the threshold itself */
        enumerate(m, outcome->target, threshold + 2e-4, feasible);
        enumerate(m, outcome->target, threshold - 2e-4, nearly);
        for (size_t k = 0; k < n_tiny_rows; k++) {
            const size_t n = n_different(query, values + k * n_tiny);
            is_doubtful |= feasible[k] != nearly[k];
            if (feasible[k] && may_be(q, query, values + k * n_tiny) && n < fewest)
                fewest = n;
        }
        if (is_doubtful) continue;
        if (fewest > n_tiny) {
            if (!q->required) continue;
            assert_int_equal(outcome->kind, OW_OUTCOME_NOT_FOUND);
            assert_true(outcome->impossible);
            ++*n_impossible;
            continue;
        }
        assert_int_equal(outcome->kind, OW_OUTCOME_FOUND);
        assert_true(outcome->answers[0]->valid && outcome->answers[0]->dense);
        /* The space is small enough to be enumerated. */
        assert_int_equal(outcome->answers[0]->least, OW_LEAST_PROVED);
        assert_int_equal(outcome->answers[0]->distance.l0, fewest);
        ++*n_proved;
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_constraints_free(constraints);
}

static void answers_of_a_small_space_are_the_least_and_refusals_are_true(void **state)
{
    ow_test_model m = tiny_model(ow_test_context(state));
    const question questions[] = {
        {"", n_tiny, false},        {"", n_tiny, true},
        {"max-changes 1", 1, true}, {"max-changes 2", 2, true},
        {"max-changes 3", 3, true}, {"vary b; vary c", n_tiny, true}};
    size_t n_proved = 0, n_impossible = 0;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        check_question(&m, &questions[i], &n_proved, &n_impossible);
    assert_true(n_proved > 2 * n_tiny_rows);
    assert_true(n_impossible > 8);
    ow_test_model_free(&m);
}

/* ---- Applicants: numbers, ordinals, linked columns, gaps ---- */

enum { n_asked = 48 };

static ow_explanation *explain(const ow_test_model *m, const char *rules,
                               const ow_explain_options *options, size_t n_rows,
                               const double *values)
{
    ow_constraints *constraints = ow_test_rules(m, rules);
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = m->model},
                               "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, constraints, options, n_rows, values, &how,
                                   &explanation));
    ow_explainer_free(explainer);
    ow_constraints_free(constraints);
    return explanation;
}

static void answers_are_valid_dense_and_of_few_changes(void **state)
{
    const ow_leaf_choice leaves[] = {OW_LEAVES_AUTO, OW_LEAVES_GAUSSIAN};
    for (size_t k = 0; k < 2; k++) {
        ow_test_model m = ow_test_applicants(ow_test_context(state), leaves[k]);
        const ow_explain_options options = ow_test_explain_defaults();
        ow_explanation *explanation = explain(&m, "", &options, n_asked, m.values);
        size_t n_valid = 0, n_dense = 0, l0 = 0;
        for (size_t i = 0; i < n_asked; i++) {
            const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
            assert_int_equal(outcome->n_answers, 1);
            n_valid += outcome->answers[0]->valid;
            n_dense += outcome->answers[0]->dense;
            l0 += outcome->answers[0]->distance.l0;
            assert_int_equal(outcome->answers[0]->violations, 0);
            assert_true(outcome->answers[0]->n_gradient > 0);
        }
        assert_int_equal(n_valid, n_asked);
        assert_true(n_dense >= n_asked - 2);
        assert_true(l0 < 3 * n_asked);
        ow_explanation_free(explanation);
        ow_test_model_free(&m);
    }
}

/* What may not change is the query's own double, and gaps stay gaps. */
static void what_is_locked_is_untouched_bit_for_bit(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const ow_explain_options options = ow_test_explain_defaults();
    const char *const locked[] = {"income", "town"};
    size_t column[2], n_gaps = 0;
    ow_explanation *explanation =
        explain(&m, "immutable income; immutable town; max-changes 2", &options, n_asked,
                m.values);
    for (size_t k = 0; k < 2; k++)
        assert_ok(ow_schema_find_column(ow_model_schema(m.model), locked[k], &column[k]));
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        const double *query = m.values + i * m.n_columns;
        if (outcome->n_answers == 0) continue;
        const double *values = outcome->answers[0]->values;
        assert_true(outcome->answers[0]->distance.l0 <= 2);
        for (size_t k = 0; k < 2; k++)
            assert_memory_equal(&values[column[k]], &query[column[k]], sizeof(double));
        for (size_t j = 0; j < m.n_columns; j++) {
            n_gaps += isnan(query[j]) ? 1 : 0;
            assert_true((isnan(values[j]) != 0) == (isnan(query[j]) != 0));
        }
    }
    assert_true(n_gaps > 0);
    ow_explanation_free(explanation);
    ow_test_model_free(&m);
}

/* A number that only allowed values, none of them ever seen, are left for. */
static void numbers_may_go_to_values_that_only_the_rules_name(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    const ow_explain_options options = ow_test_explain_defaults();
    size_t income, n_there = 0;
    assert_ok(ow_schema_find_column(ow_model_schema(m.model), "income", &income));
    const double low = ow_schema_column(ow_model_schema(m.model), income)->low;
    const double high = ow_schema_column(ow_model_schema(m.model), income)->high;
    const double to = round(low + 0.8 * (high - low)) + 0.37;
    char rules[80];
    snprintf(rules, sizeof rules, "vary income; range income=%.2f:%.2f", to, to);
    ow_explanation *explanation = explain(&m, rules, &options, n_asked, m.values);
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        n_there +=
            outcome->kind == OW_OUTCOME_FOUND && outcome->answers[0]->values[income] == to;
    }
    assert_true(n_there > 0);
    ow_explanation_free(explanation);
    ow_test_model_free(&m);
}

/* ---- Several answers ---- */

static bool includes(const ow_test_model *m, const double *query, const double *a,
                     const double *b)
{
    for (size_t j = 0; j < m->n_columns; j++)
        if (!(b[j] == query[j] || isnan(b[j])) && (a[j] == query[j] || isnan(a[j])))
            return false;
    return true;
}

static void no_answer_changes_all_that_an_earlier_one_changed(void **state)
{
    ow_test_model m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO);
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = 3;
    size_t n_second = 0;
    ow_explanation *explanation = explain(&m, "", &options, n_asked, m.values);
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        const double *query = m.values + i * m.n_columns;
        n_second += outcome->n_answers > 1;
        for (size_t a = 0; a < outcome->n_answers; a++)
            for (size_t b = 0; b < a; b++)
                assert_false(includes(&m, query, outcome->answers[a]->values,
                                      outcome->answers[b]->values));
    }
    assert_true(n_second > n_asked / 2);
    ow_explanation_free(explanation);
    ow_test_model_free(&m);
}

/* ---- Determinism ---- */

static void assert_same_answers(const ow_explanation *a, size_t row_a,
                                const ow_explanation *b, size_t row_b, size_t n_columns)
{
    const ow_outcome *x = ow_explanation_outcome(a, row_a);
    const ow_outcome *y = ow_explanation_outcome(b, row_b);
    assert_int_equal(x->kind, y->kind);
    assert_int_equal(x->n_answers, y->n_answers);
    for (size_t k = 0; k < x->n_answers; k++) {
        assert_memory_equal(x->answers[k]->values, y->answers[k]->values,
                            n_columns * sizeof(double));
        assert_int_equal(x->answers[k]->n_gradient, y->answers[k]->n_gradient);
        assert_int_equal(x->answers[k]->n_forward, y->answers[k]->n_forward);
    }
}

static void answers_do_not_depend_on_threads_or_company(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = 2;
    ow_explanation *one = explain(&m, "", &options, n_asked, m.values);
    const size_t n_threads[] = {2, 5};
    for (size_t k = 0; k < 2; k++) {
        how.threads = n_threads[k];
        ow_explanation *other = explain(&m, "", &options, n_asked, m.values);
        for (size_t i = 0; i < n_asked; i++)
            assert_same_answers(one, i, other, i, m.n_columns);
        ow_explanation_free(other);
    }
    how.threads = 1;
    for (size_t i = 0; i < n_asked; i += 7) {
        ow_explanation *alone = explain(&m, "", &options, 1, m.values + i * m.n_columns);
        assert_same_answers(one, i, alone, 0, m.n_columns);
        ow_explanation_free(alone);
    }
    ow_explanation_free(one);
    ow_test_model_free(&m);
}

/* ---- Somebody else decides ---- */

/* log P(yes) grows with the first entry of a row, and with nothing else. */
static bool by_first_entry(void *user, size_t n_rows, const float *rows, double *log_proba)
{
    const size_t width = *(const size_t *)user;
    for (size_t i = 0; i < n_rows; i++) {
        const double x = isnan(rows[i * width]) ? -1.0 : (double)rows[i * width];
        log_proba[2 * i] = -log1p(exp(2.0 * x));
        log_proba[2 * i + 1] = -log1p(exp(-2.0 * x));
    }
    return true;
}

static void a_foreign_classifier_is_followed(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    ow_classifier *classifier = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    size_t width = ow_model_soft_width(m.model), n_found = 0, n_asked_for = 0;
    const ow_explain_options options = ow_test_explain_defaults();
    assert_ok(ow_classifier_from_callbacks(ctx,
                                           &(ow_callbacks){.size = sizeof(ow_callbacks),
                                                           .user = &width,
                                                           .n_classes = 2,
                                                           .width = width,
                                                           .log_proba = by_first_entry},
                                           &classifier));
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = m.model,
                                                   .classifier = classifier},
                               "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, NULL, &options, n_asked, m.values, &how,
                                   &explanation));
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        if (isnan(m.values[i * m.n_columns])) continue; /* cannot change */
        n_asked_for++;
        n_found += outcome->kind == OW_OUTCOME_FOUND;
        assert_true(outcome->n_answers == 1);
    }
    assert_int_equal(n_found, n_asked_for);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_classifier_free(classifier);
    ow_test_model_free(&m);
}

/* ---- Failing ---- */

static void parameters_out_of_range_are_refused(void **state)
{
    ow_test_model m = tiny_model(ow_test_context(state));
    ow_explainer *explainer = NULL;
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = m.model},
                               "guided", &explainer));
    assert_fails(ow_explainer_set(explainer, "beam-width", "0"), OW_ERR_ARGUMENT,
                 "beam-width");
    assert_fails(ow_explainer_set(explainer, "seeds", "33"), OW_ERR_ARGUMENT, "seeds");
    assert_fails(ow_explainer_set(explainer, "reserve", "-1"), OW_ERR_ARGUMENT, "reserve");
    assert_fails(ow_explainer_set(explainer, "beam-wdth", "3"), OW_ERR_ARGUMENT,
                 "beam-width");
    ow_explainer_free(explainer);
    ow_test_model_free(&m);
}

static ow_status explain_bytes(ow_context *ctx, void *user)
{
    const ow_test_model *m = user;
    char *bytes = NULL;
    size_t size;
    ow_model *model = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    options.n_answers = 2;
    how.threads = 1;
    assert_ok(ow_model_format(m->model, &bytes, &size));
    ow_status status = ow_model_parse(ctx, bytes, size, "model", &model);
    if (status == OW_OK)
        status = ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                      .model = model},
                                  "guided", &explainer);
    if (status == OW_OK)
        status = ow_explainer_explain(explainer, NULL, &options, 3, m->values, &how,
                                      &explanation);
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_model_free(model);
    ow_bytes_free(bytes);
    return status;
}

static void running_out_of_memory_anywhere_leaks_nothing(void **state)
{
    ow_test_model m = tiny_model(ow_test_context(state));
    ow_test_sweep(explain_bytes, &m);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(answers_of_a_small_space_are_the_least_and_refusals_are_true),
        ow_test_on_heap(answers_are_valid_dense_and_of_few_changes),
        ow_test_on_heap(what_is_locked_is_untouched_bit_for_bit),
        ow_test_on_heap(numbers_may_go_to_values_that_only_the_rules_name),
        ow_test_on_heap(no_answer_changes_all_that_an_earlier_one_changed),
        ow_test_on_heap(answers_do_not_depend_on_threads_or_company),
        ow_test_on_heap(a_foreign_classifier_is_followed),
        ow_test_on_heap(parameters_out_of_range_are_refused),
        ow_test_on_heap(running_out_of_memory_anywhere_leaks_nothing),
    };
    return cmocka_run_group_tests_name("explain/guided", tests, NULL, NULL);
}
