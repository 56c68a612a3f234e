/* SPDX-License-Identifier: MIT */
/* The second circuit: its lower quartile is one, with and without gaps; it is another
 * circuit than the model's. */
#include "support/ow_test.h"
#include "support/trained_model.h"

#include "evaluate/judge_circuit.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static const char known_path[] = "tests/golden/neighbours/known.csv";
enum { n_known = 150, n_columns = 4 };

static void train_known(ow_context *ctx, ow_test_trained *known)
{
    const ow_train_options options = ow_test_quick_training();
    ow_test_train(ctx, NULL, known_path, "answer", &options, known);
    assert_int_equal(ow_table_n_rows(known->table), n_known);
}

typedef struct {
    double density[n_known], target[n_known];
    bool plausible[n_known];
} look;

/* What the judge says of the rows that it has learned from, as rows of their own class. */
static void judge_known(ow_context *ctx, const ow_test_trained *known, uint64_t seed,
                        const double *values, look *seen)
{
    owi_judge *judge = NULL;
    memset(seen, 0, sizeof *seen);
    assert_ok(owi_judge_new(ow_test_call(ctx, ow_test_seed(seed)), known->model, NULL,
                            n_known, ow_table_row(known->table, 0),
                            ow_table_classes(known->table), &judge));
    assert_ok(owi_judge_look(ow_test_call(ctx, &how), judge, n_known, values,
                             ow_table_classes(known->table), seen->density, seen->target,
                             seen->plausible));
    owi_judge_free(judge);
}

/* Of n rows so many lie at or above the lower quartile, which is between the rows around
 * 0.25 (n - 1). */
static size_t above_quartile(size_t n)
{
    const size_t whole = (n - 1) / 4;
    return (n - 1) % 4 == 0 ? n - whole : n - whole - 1;
}

static void assert_quartile(const ow_test_trained *known, const look *seen)
{
    for (int32_t c = 0; c < 2; c++) {
        size_t n = 0, n_plausible = 0;
        for (size_t i = 0; i < n_known; i++)
            if (ow_table_classes(known->table)[i] == c) {
                n++;
                n_plausible += seen->plausible[i];
            }
        assert_true(n > 20);
        assert_int_equal(n_plausible, above_quartile(n));
    }
}

/* The known rows without their gaps: all of one pattern. */
static double *fill_gaps(const ow_test_trained *known)
{
    double *values = malloc(n_known * n_columns * sizeof *values);
    for (size_t i = 0; i < n_known * n_columns; i++) {
        const double x = ow_table_row(known->table, 0)[i];
        values[i] = isnan(x) ? 0.0 : x;
    }
    return values;
}

/* A judge that learned from whole rows, asked about rows without their second column:
 * marginals against marginals. */
static void
three_quarters_of_the_known_rows_reach_the_lower_quartile_whatever_they_lack(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_trained known;
    owi_judge *judge = NULL;
    look seen, whole;
    train_known(ctx, &known);
    double *values = fill_gaps(&known);
    assert_ok(owi_judge_new(ow_test_call(ctx, ow_test_seed(1)), known.model, NULL, n_known,
                            values, ow_table_classes(known.table), &judge));
    assert_ok(owi_judge_look(ow_test_call(ctx, &how), judge, n_known, values,
                             ow_table_classes(known.table), whole.density, whole.target,
                             whole.plausible));
    assert_quartile(&known, &whole);
    for (size_t i = 0; i < n_known; i++) values[i * n_columns + 1] = NAN;
    assert_ok(owi_judge_look(ow_test_call(ctx, &how), judge, n_known, values,
                             ow_table_classes(known.table), seen.density, seen.target,
                             seen.plausible));
    assert_quartile(&known, &seen);
    for (size_t i = 0; i < n_known; i++) assert_true(seen.density[i] != whole.density[i]);
    owi_judge_free(judge);
    free(values);
    ow_test_trained_clear(&known);
}

static void
the_judge_is_another_circuit_than_the_models_and_depends_on_its_seed(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_trained known;
    ow_predictor *predictor = NULL;
    double own[n_known];
    const ow_predictions wanted = {.size = sizeof wanted, .log_density = own};
    look one, two;
    train_known(ctx, &known);
    judge_known(ctx, &known, 1, ow_table_row(known.table, 0), &one);
    judge_known(ctx, &known, 2, ow_table_row(known.table, 0), &two);
    assert_ok(ow_predictor_new(known.model, NULL, &predictor));
    assert_ok(ow_predictor_predict(predictor, n_known, ow_table_row(known.table, 0), &how,
                                   &wanted));
    size_t n_equal = 0;
    double gap = 0.0;
    for (size_t i = 0; i < n_known; i++) {
        n_equal += one.density[i] == two.density[i] || one.density[i] == own[i];
        gap += (one.density[i] - own[i]) / n_known;
    }
    assert_int_equal(n_equal, 0);
    assert_true(fabs(gap) < 2.0); /* nats, of the same rows under the same leaves */
    ow_predictor_free(predictor);
    ow_test_trained_clear(&known);
}

static void any_number_of_threads_judges_alike(void **state)
{
    ow_context *ctx = ow_test_context(state);
    const size_t threads[] = {1, 2, 5};
    ow_test_trained known;
    look seen[3];
    train_known(ctx, &known);
    for (size_t t = 0; t < 3; t++) {
        how.threads = threads[t];
        judge_known(ctx, &known, 7, ow_table_row(known.table, 0), &seen[t]);
        assert_memory_equal(&seen[t], &seen[0], sizeof seen[0]);
    }
    ow_test_trained_clear(&known);
}

static void without_rows_of_a_class_there_is_no_judge_and_the_log_says_so(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_trained known;
    ow_test_log log;
    owi_judge *judge = NULL;
    const int32_t only[3] = {1, 1, 1};
    train_known(ctx, &known);
    ow_test_log_attach(&log, ctx, OW_LOG_WARN);
    assert_ok(owi_judge_new(ow_test_call(ctx, ow_test_seed(1)), known.model, NULL, 3,
                            ow_table_row(known.table, 0), only, &judge));
    assert_null(judge);
    assert_non_null(strstr(log.text, "class no has no known row"));
    ow_test_trained_clear(&known);
}

/* ---- Memory ---- */

static ow_status make_and_look(ow_context *ctx, void *user)
{
    const ow_test_trained *known = user;
    owi_judge *judge = NULL;
    look seen;
    ow_status status = owi_judge_new(ow_test_call(ctx, ow_test_seed(1)), known->model,
                                     "ref", 20, ow_table_row(known->table, 0),
                                     ow_table_classes(known->table), &judge);
    if (status == OW_OK)
        status =
            owi_judge_look(ow_test_call(ctx, &how), judge, 3, ow_table_row(known->table, 0),
                           ow_table_classes(known->table), seen.density, seen.target,
                           seen.plausible);
    owi_judge_free(judge);
    return status;
}

static void failing_allocations_leave_nothing_behind(void **state)
{
    ow_test_trained known;
    train_known(ow_test_context(state), &known);
    ow_test_sweep(make_and_look, &known);
    ow_test_trained_clear(&known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(
            three_quarters_of_the_known_rows_reach_the_lower_quartile_whatever_they_lack),
        ow_test_on_heap(
            the_judge_is_another_circuit_than_the_models_and_depends_on_its_seed),
        ow_test_on_heap(any_number_of_threads_judges_alike),
        ow_test_on_heap(without_rows_of_a_class_there_is_no_judge_and_the_log_says_so),
        ow_test_on_heap(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("evaluate/judge_circuit", tests, NULL, NULL);
}
