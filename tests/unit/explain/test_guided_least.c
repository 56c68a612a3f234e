/* SPDX-License-Identifier: MIT */
/* guided on tables: what can be checked of every answer by evaluating rows beside it: no
 * change can be taken back, numbers go as far as they have to, and what forbids nothing
 * changes nothing. */
#include "explain/core/density_reference.h"
#include "model/class_limits.h"
#include "support/explain_fixture.h"
#include "support/test_call.h"

static ow_call how = {.size = sizeof how};

enum { n_asked = 48 };

typedef struct {
    ow_test_model m;
    ow_predictor *predictor;
    owi_density_reference *reference;
} fixture;

static fixture make_fixture(void **state)
{
    fixture f = {.m = ow_test_applicants(ow_test_context(state), OW_LEAVES_AUTO)};
    bool *frozen = calloc(f.m.n_columns, sizeof *frozen);
    assert_ok(ow_predictor_new(f.m.model, NULL, &f.predictor));
    assert_ok(
        owi_density_reference_new(f.m.model, NULL, frozen, 0, NULL, NULL, &f.reference));
    free(frozen);
    return f;
}

static void free_fixture(fixture *f)
{
    owi_density_reference_free(f->reference);
    ow_predictor_free(f->predictor);
    ow_test_model_free(&f->m);
}

/* Whether a row is of the class and, for this query, as dense as asked by default. */
static bool passes(const fixture *f, const double *query, const double *values,
                   int32_t target)
{
    int32_t predicted;
    double log_class[2], threshold;
    const ow_predictions wanted = {.size = sizeof wanted,
                                   .classes = &predicted,
                                   .log_class = log_class};
    assert_ok(ow_predictor_predict(f->predictor, 1, values, &how, &wanted));
    assert_ok(owi_density_thresholds(ow_test_call(f->m.ctx, &how), f->reference, 1, query,
                                     &target, 0.25, &threshold));
    return predicted == target && log_class[target] >= threshold;
}

static bool is_of_class(const fixture *f, const double *values, int32_t target)
{
    int32_t predicted;
    const ow_predictions wanted = {.size = sizeof wanted, .classes = &predicted};
    assert_ok(ow_predictor_predict(f->predictor, 1, values, &how, &wanted));
    return predicted == target;
}

/* Whether a row is as dense as asked by default in some class. */
static bool is_plausible(const fixture *f, const double *query, const double *values)
{
    double log_class[2];
    const ow_predictions wanted = {.size = sizeof wanted, .log_class = log_class};
    bool any = false;
    assert_ok(ow_predictor_predict(f->predictor, 1, values, &how, &wanted));
    for (int32_t c = 0; c < 2; c++) {
        double threshold;
        assert_ok(owi_density_thresholds(ow_test_call(f->m.ctx, &how), f->reference, 1,
                                         query, &c, 0.25, &threshold));
        any |= log_class[c] >= threshold - 1e-4;
    }
    return any;
}

static ow_explanation *explain(const fixture *f, const char *rules, ow_prefer prefer)
{
    ow_constraints *constraints = ow_test_rules(&f->m, rules);
    ow_explain_options options = ow_test_explain_defaults();
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    options.prefer = prefer;
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = f->m.model},
                               "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, constraints, &options, n_asked, f->m.values,
                                   &how, &explanation));
    ow_explainer_free(explainer);
    ow_constraints_free(constraints);
    return explanation;
}

/* The answer of a row that is all that was asked, or NULL. */
static const ow_counterfactual *dense_answer(const ow_explanation *explanation, size_t row)
{
    const ow_outcome *outcome = ow_explanation_outcome(explanation, row);
    if (outcome->kind != OW_OUTCOME_FOUND || !outcome->answers[0]->dense) return NULL;
    return outcome->answers[0];
}

static void no_change_can_be_taken_back(void **state)
{
    fixture f = make_fixture(state);
    const size_t n = f.m.n_columns;
    ow_explanation *explanation = explain(&f, "", OW_PREFER_LEAST);
    double *without = malloc(n * sizeof *without);
    size_t n_tried = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *answer = dense_answer(explanation, i);
        const double *query = f.m.values + i * n;
        if (answer == NULL) continue;
        for (size_t j = 0; j < n; j++) {
            if (answer->values[j] == query[j] || isnan(query[j]) ||
                ow_schema_column(ow_model_schema(f.m.model), j)->link != 0)
                continue;
            memcpy(without, answer->values, n * sizeof *without);
            without[j] = query[j];
            assert_false(
                passes(&f, query, without, ow_explanation_outcome(explanation, i)->target));
            n_tried++;
        }
    }
    assert_true(n_tried > n_asked / 2);
    free(without);
    ow_explanation_free(explanation);
    free_fixture(&f);
}

/* `enough` lies between the query and the answer, is enough, and one step of the printed
 * precision (or a hundredth of the way) nearer is not.  `enough_for_class` lies nearer to
 * the query, or is its value: the row is of the class and not as dense as asked; one step
 * nearer it is of the other class.  Without it, one step nearer than `enough` is. */
static void numbers_go_as_far_as_they_have_to(void **state)
{
    fixture f = make_fixture(state);
    const ow_schema *schema = ow_model_schema(f.m.model);
    const size_t n = f.m.n_columns;
    ow_explanation *explanation = explain(&f, "", OW_PREFER_LEAST);
    double *trial = malloc(n * sizeof *trial);
    size_t n_numbers = 0, n_tight = 0, n_typical = 0, n_tips = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *answer = dense_answer(explanation, i);
        const double *query = f.m.values + i * n;
        const int32_t target = ow_explanation_outcome(explanation, i)->target;
        for (size_t j = 0; j < n && answer != NULL; j++) {
            const ow_column *column = ow_schema_column(schema, j);
            const bool is_number = column->n_levels == 0 && column->link == 0;
            if (!is_number || answer->values[j] == query[j] || isnan(query[j])) {
                assert_true(isnan(answer->enough[j]));
                assert_true(isnan(answer->enough_for_class[j]));
                continue;
            }
            if (isnan(answer->enough[j])) continue; /* its values are levels */
            const double way = answer->values[j] - query[j];
            const double needed = answer->enough[j] - query[j];
            assert_true(needed / way > 0.0 && needed / way <= 1.0);
            memcpy(trial, answer->values, n * sizeof *trial);
            trial[j] = answer->enough[j];
            assert_true(passes(&f, query, trial, target));
            /* Beyond the slack of the search, which is 1e-4 nats. */
            const double step = fmax(pow(10.0, -column->decimals), 0.01 * fabs(way));
            trial[j] = answer->enough[j] - copysign(step, way);
            n_tight += !passes(&f, query, trial, target);
            n_numbers++;
            const double of_class = answer->enough_for_class[j];
            const bool is_typical = !isnan(of_class);
            if (is_typical) {
                const double way_to_class = (of_class - query[j]) / way;
                assert_true(way_to_class >= 0.0 && way_to_class < needed / way);
                trial[j] = of_class;
                assert_true(is_of_class(&f, trial, target));
                n_typical++;
            }
            trial[j] = (is_typical ? of_class : answer->enough[j]) - copysign(step, way);
            n_tips +=
                (is_typical && of_class == query[j]) || !is_of_class(&f, trial, target);
        }
    }
    assert_true(n_numbers > 8 && n_typical > 1 && n_typical < n_numbers);
    assert_true(n_tight >= n_numbers - n_numbers / 20);
    assert_true(n_tips >= n_numbers - n_numbers / 20);
    free(trial);
    ow_explanation_free(explanation);
    free_fixture(&f);
}

/* The training range itself, stated for every number. */
static void a_range_that_forbids_nothing_changes_nothing(void **state)
{
    fixture f = make_fixture(state);
    const ow_schema *schema = ow_model_schema(f.m.model);
    char rules[1024] = "";
    for (size_t j = 0; j < f.m.n_columns; j++) {
        const ow_column *column = ow_schema_column(schema, j);
        if (column->n_levels > 0) continue;
        const size_t at = strlen(rules);
        snprintf(rules + at, sizeof rules - at, "%srange %s=%.17g:%.17g",
                 at > 0 ? "; " : "", column->name, column->low, column->high);
    }
    ow_explanation *free_one = explain(&f, "", OW_PREFER_LEAST);
    ow_explanation *ranged = explain(&f, rules, OW_PREFER_LEAST);
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *a = ow_explanation_outcome(free_one, i);
        const ow_outcome *b = ow_explanation_outcome(ranged, i);
        assert_int_equal(a->n_answers, b->n_answers);
        assert_memory_equal(a->answers[0]->values, b->answers[0]->values,
                            f.m.n_columns * sizeof(double));
        assert_int_equal(a->answers[0]->least, b->answers[0]->least);
    }
    ow_explanation_free(free_one);
    ow_explanation_free(ranged);
    free_fixture(&f);
}

/* Typical answers change at least as much, and are denser in the mean. */
static void who_prefers_typical_answers_gets_denser_ones(void **state)
{
    fixture f = make_fixture(state);
    ow_explanation *least = explain(&f, "", OW_PREFER_LEAST);
    ow_explanation *typical = explain(&f, "", OW_PREFER_TYPICAL);
    double gain = 0.0;
    size_t n = 0, n_further = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *a = dense_answer(least, i), *b = dense_answer(typical, i);
        if (a == NULL) continue;
        assert_non_null(b);
        assert_true(b->valid && b->dense);
        assert_true(b->distance.l0 >= a->distance.l0);
        n_further += b->distance.l0 > a->distance.l0;
        gain += b->log_density_target - a->log_density_target;
        n++;
    }
    assert_true(n_further > 0);
    assert_true(gain / (double)n > 0.25);
    ow_explanation_free(least);
    ow_explanation_free(typical);
    free_fixture(&f);
}

/* Whether a row of the table has a number, as a change of the query, that is usual. */
static bool take_number(const fixture *f, size_t row, size_t column, int32_t target,
                        const double *query, double *values, double *cost)
{
    const double value = f->m.values[row * f->m.n_columns + column];
    const ow_column_figures figures = ow_model_figures(f->m.model, column);
    if (isnan(value) || isnan(query[column]) ||
        !owi_model_is_usual(f->m.model, (size_t)target, column, value))
        return false;
    values[column] = value;
    *cost += fabs(value - query[column]) / (figures.high - figures.low);
    return true;
}

/* Against all pairs of an income and an age that rows have, and against the least answers:
 * these may have numbers between those that rows have, and be cheaper by as much. */
static void nothing_is_cheaper_than_the_cheapest(void **state)
{
    fixture f = make_fixture(state);
    const size_t n = f.m.n_columns;
    ow_explanation *least = explain(&f, "", OW_PREFER_LEAST);
    ow_explanation *cheapest = explain(&f, "", OW_PREFER_CHEAPEST);
    double *trial = malloc(n * sizeof *trial), sums[2] = {0.0, 0.0};
    size_t n_more = 0, n_tried = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *a = dense_answer(least, i), *b = dense_answer(cheapest, i);
        const double *query = f.m.values + i * n;
        const int32_t target = ow_explanation_outcome(cheapest, i)->target;
        if (a == NULL) continue;
        assert_non_null(b);
        assert_true(passes(&f, query, b->values, target));
        assert_true(b->distance.l1 <= a->distance.l1 + 0.01);
        sums[0] += a->distance.l1, sums[1] += b->distance.l1;
        n_more += b->distance.l0 > a->distance.l0;
        for (size_t r = 0; r < f.m.n_rows; r += 5)
            for (size_t s = 0; s < f.m.n_rows; s += 11) {
                double cost = 0.0;
                memcpy(trial, query, n * sizeof *trial);
                if (!take_number(&f, r, 0, target, query, trial, &cost) ||
                    !take_number(&f, s, 1, target, query, trial, &cost) ||
                    !(cost < b->distance.l1 - 1e-3)) /* the search's slack */
                    continue;
                assert_false(passes(&f, query, trial, target));
                n_tried++;
            }
    }
    assert_true(n_more > 2 && n_tried > 500);
    assert_true(sums[1] < 0.95 * sums[0]);
    free(trial);
    ow_explanation_free(least);
    ow_explanation_free(cheapest);
    free_fixture(&f);
}

/* A column that follows others gets no value that rows of the class do not have, either:
 * incomes reach 50, debts of those who were granted do not. */
static void what_follows_is_usual_too(void **state)
{
    fixture f = make_fixture(state);
    const size_t n = f.m.n_columns, debt = 7;
    ow_explanation *explanation = explain(&f, "derive debt = income", OW_PREFER_LEAST);
    size_t n_moved = 0;
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *answer = dense_answer(explanation, i);
        if (answer == NULL || answer->values[debt] == f.m.values[i * n + debt]) continue;
        const int32_t target = ow_explanation_outcome(explanation, i)->target;
        assert_true(
            owi_model_is_usual(f.m.model, (size_t)target, debt, answer->values[debt]));
        n_moved++;
    }
    assert_true(n_moved > 4);
    ow_explanation_free(explanation);
    free_fixture(&f);
}

/* Columns of one link count once. */
static size_t n_changes(const fixture *f, const double *a, const double *b)
{
    return ow_model_distance(f->m.model, a, b).l0;
}

/* What guided says to the first n_asked rows; the caller frees it. */
static ow_explanation *ask_guided(const fixture *f, const ow_explain_options *options)
{
    ow_explainer *explainer = NULL;
    ow_explanation *explanation = NULL;
    assert_ok(ow_explainer_new(&(ow_explain_model){.size = sizeof(ow_explain_model),
                                                   .model = f->m.model},
                               "guided", &explainer));
    assert_ok(ow_explainer_explain(explainer, NULL, options, n_asked, f->m.values, &how,
                                   &explanation));
    ow_explainer_free(explainer);
    return explanation;
}

/* A path goes from the query to its answer, one change at a time, and is called dense
 * exactly where no row on the way fails to be as dense as asked in every class. */
static void steps_lead_from_the_query_to_the_answer(void **state)
{
    fixture f = make_fixture(state);
    const size_t n = f.m.n_columns;
    ow_explain_options options = ow_test_explain_defaults();
    size_t n_steps = 0, n_thin = 0;
    options.steps = true;
    ow_explanation *explanation = ask_guided(&f, &options);
    for (size_t i = 0; i < n_asked; i++) {
        const ow_counterfactual *answer =
            ow_explanation_outcome(explanation, i)->answers[0];
        const double *query = f.m.values + i * n;
        if (!answer->valid) continue;
        assert_int_equal(answer->n_path, answer->distance.l0 + 1);
        assert_memory_equal(answer->path, query, n * sizeof *query);
        assert_memory_equal(answer->path + (answer->n_path - 1) * n, answer->values,
                            n * sizeof *query);
        bool is_dense = true;
        for (size_t k = 1; k < answer->n_path; k++, n_steps++) {
            const double *row = answer->path + k * n;
            assert_int_equal(n_changes(&f, row - n, row), 1);
            is_dense &= is_plausible(&f, query, row);
        }
        assert_true(is_dense == answer->path_dense);
        n_thin += !is_dense;
    }
    assert_true(n_steps > n_asked);
    assert_true(n_thin < n_asked / 2);
    ow_explanation_free(explanation);
    free_fixture(&f);
}

/* Whether a makes every change that b makes, to the same values. */
static bool holds_all_of(const fixture *f, const double *query, const double *a,
                         const double *b)
{
    for (size_t j = 0; j < f->m.n_columns; j++)
        if (!isnan(query[j]) && b[j] != query[j] && a[j] != b[j]) return false;
    return true;
}

/* An answer that makes all changes of another one and more says nothing new. */
static void no_answer_of_several_holds_another(void **state)
{
    enum { most_answers = 4 };
    fixture f = make_fixture(state);
    const size_t n = f.m.n_columns;
    ow_explain_options options = ow_test_explain_defaults();
    size_t n_pairs = 0;
    options.n_answers = most_answers;
    ow_explanation *explanation = ask_guided(&f, &options);
    for (size_t i = 0; i < n_asked; i++) {
        const ow_outcome *outcome = ow_explanation_outcome(explanation, i);
        for (size_t a = 0; a < outcome->n_answers; a++)
            for (size_t b = 0; b < outcome->n_answers; b++) {
                if (a == b || !outcome->answers[b]->valid) continue;
                assert_false(holds_all_of(&f, f.m.values + i * n,
                                          outcome->answers[a]->values,
                                          outcome->answers[b]->values));
                n_pairs++;
            }
    }
    assert_true(n_pairs > 4 * n_asked);
    ow_explanation_free(explanation);
    free_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(no_change_can_be_taken_back),
        ow_test_on_heap(numbers_go_as_far_as_they_have_to),
        ow_test_on_heap(a_range_that_forbids_nothing_changes_nothing),
        ow_test_on_heap(nothing_is_cheaper_than_the_cheapest),
        ow_test_on_heap(who_prefers_typical_answers_gets_denser_ones),
        ow_test_on_heap(what_follows_is_usual_too),
        ow_test_on_heap(steps_lead_from_the_query_to_the_answer),
        ow_test_on_heap(no_answer_of_several_holds_another),
    };
    return cmocka_run_group_tests_name("explain/guided_least", tests, NULL, NULL);
}
