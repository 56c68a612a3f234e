/* SPDX-License-Identifier: MIT */
/* guided where a function decides that is only known by asking it: in large batches, and
 * with the least number of changes. */
#include "support/explain_fixture.h"

#include "model/class_limits.h"

typedef struct {
    ow_test_model m;
    size_t income, debt, school;
    double at_school; /* the code of "university" */
    int32_t yes;
    bool is_hard; /* decides by debt alone, with probabilities of 0 and 1 */
    size_t n_calls, largest;
} fixture;

static double odds_of(const fixture *f, const double *values)
{
    if (f->is_hard) return values[f->debt] < 9.5 ? INFINITY : -INFINITY;
    return (values[f->income] - 40.0) / 8.0 - (values[f->debt] - 10.0) / 6.0 +
           (values[f->school] == f->at_school ? 1.5 : -1.0);
}

static bool predict(void *user, size_t n_rows, const double *values, double *proba)
{
    fixture *f = user;
    f->n_calls++;
    if (n_rows > f->largest) f->largest = n_rows;
    for (size_t i = 0; i < n_rows; i++) {
        const double p = 1.0 / (1.0 + exp(-odds_of(f, values + i * f->m.n_columns)));
        proba[2 * i + (size_t)f->yes] = p;
        proba[2 * i + 1 - (size_t)f->yes] = 1.0 - p;
    }
    return true;
}

static void begin(fixture *f, ow_context *ctx, bool is_hard)
{
    *f = (fixture){.m = ow_test_applicants(ctx, OW_LEAVES_AUTO), .is_hard = is_hard};
    const ow_schema *schema = ow_model_schema(f->m.model);
    int32_t level;
    assert_ok(ow_schema_find_column(schema, "income", &f->income));
    assert_ok(ow_schema_find_column(schema, "debt", &f->debt));
    assert_ok(ow_schema_find_column(schema, "school", &f->school));
    assert_ok(ow_schema_find_level(schema, f->school, "university", &level));
    f->at_school = (double)level;
    assert_ok(ow_schema_find_class(schema, "yes", &f->yes));
}

/* All rows as far as 120, without density; counts of answers by their changes. */
static void explain(fixture *f, size_t n_of[8])
{
    const ow_value_callbacks callbacks = {
        .size = sizeof callbacks, .user = f, .log_proba = predict, .is_proba = true};
    ow_classifier *classifier = NULL;
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    ow_explain_options options = ow_test_explain_defaults();
    assert_ok(ow_model_classifier_from_values(f->m.model, &callbacks, &classifier));
    const ow_explain_model parts = {.size = sizeof parts,
                                    .model = f->m.model,
                                    .classifier = classifier};
    assert_ok(ow_explainer_new(&parts, "guided", &explainer));
    options.target = f->yes;
    options.density_quantile = 0.0;
    const size_t n = f->m.n_rows < 120 ? f->m.n_rows : 120;
    assert_ok(ow_explainer_explain(explainer, NULL, &options, n, f->m.values, NULL,
                                   &explanation));
    memset(n_of, 0, 8 * sizeof *n_of);
    for (size_t i = 0; i < n; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        if (outcome->kind == OW_OUTCOME_ALREADY_TARGET) continue;
        assert_int_equal(outcome->kind, OW_OUTCOME_FOUND);
        assert_true(odds_of(f, outcome->answers[0]->values) > 0.0);
        assert_true(outcome->answers[0]->distance.l0 < 8);
        n_of[outcome->answers[0]->distance.l0]++;
    }
    ow_explanation_free(explanation);
    ow_explainer_free(explainer);
    ow_classifier_free(classifier);
}

/* The largest odds that a row can have with one other value, of those that rows have and
 * that an answer may have. */
static double best_single(const fixture *f, const double *query)
{
    double best = -INFINITY, row[16];
    assert_true(f->m.n_columns <= 16);
    for (size_t j = 0; j < f->m.n_columns; j++)
        for (size_t k = 0; k < f->m.n_rows; k++) {
            memcpy(row, query, f->m.n_columns * sizeof *row);
            row[j] = f->m.values[k * f->m.n_columns + j];
            if (owi_model_is_usual(f->m.model, (size_t)f->yes, j, row[j]))
                best = fmax(best, odds_of(f, row));
        }
    return best;
}

static void a_column_that_decides_alone_is_the_only_change(void **state)
{
    fixture f;
    size_t n_of[8];
    begin(&f, ow_test_context(state), true);
    explain(&f, n_of);
    assert_true(n_of[1] > 30);
    assert_int_equal(n_of[2] + n_of[3] + n_of[4], 0);
    assert_int_equal(f.largest, 4096);
    ow_test_model_free(&f.m);
}

static void two_changes_are_only_made_where_one_does_not_do(void **state)
{
    fixture f;
    size_t n_of[8], n_hard = 0;
    begin(&f, ow_test_context(state), false);
    explain(&f, n_of);
    for (size_t i = 0; i < f.m.n_rows && i < 120; i++) {
        const double *query = f.m.values + i * f.m.n_columns;
        n_hard += odds_of(&f, query) <= 0.0 && best_single(&f, query) <= 0.0;
    }
    assert_true(n_of[1] > 0);
    /* The single changes of three rows are less dense than any row of the class. */
    assert_true(n_hard > 10 && n_of[2] + n_of[3] <= n_hard + 3);
    assert_int_equal(n_of[4] + n_of[5] + n_of[6] + n_of[7], 0);
    ow_test_model_free(&f.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_column_that_decides_alone_is_the_only_change),
        ow_test_on_heap(two_changes_are_only_made_where_one_does_not_do),
    };
    return cmocka_run_group_tests_name("explain/guided_asked", tests, NULL, NULL);
}
