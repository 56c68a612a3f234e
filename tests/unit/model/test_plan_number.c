/* SPDX-License-Identifier: MIT */
/* Codes among numbers: a probability of their own, a scaling without them, and no
 * explanation that leads to them. */
#include "model/model_private.h"
#include "model/train/plan_number.h"
#include "support/ow_test.h"

#include "base/numeric/sorted.h"
#include "model/class_limits.h"

enum { n_rows = 300 };

/* A blood pressure, 0 where it was not taken; skewed amounts, a few of them 0; two codes
 * that floats cannot tell apart, and one that they cannot hold; a frequent code; counts
 * with a few zeros; two frequent numbers that floats cannot tell apart. */
enum { pressure, amount, twins, huge, frequent, counts, close, n_columns };

typedef struct {
    ow_reader *reader;
    ow_schema *schema;
    ow_model *model;
} fixture;

static double value_of(int column, int i)
{
    const bool coded = i % 25 == 3; /* 12 rows */
    const int k = i * 97 % n_rows;
    switch (column) {
    case pressure:
        return coded ? 0 : 40 + k / 3;
    case amount:
        return coded ? 0 : floor(200.0 * exp(5.0 * k * k / n_rows / n_rows));
    case twins:
        return coded ? 99999998.0 + (i % 2) : k / 3;
    case huge:
        return coded ? 1e300 : k / 3;
    case frequent:
        return i % 5 == 0 ? -999 : k / 3;
    case counts:
        return coded ? 0 : 1 + k / 10;
    default:
        return i % 3 == 0 ? 0.0 : i % 3 == 1 ? 0.0039 : 1e4 * (1 + k) - 0.5;
    }
}

static void train(fixture *f, ow_context *ctx, ow_leaf_choice leaves)
{
    static char text[128 * n_rows];
    size_t used =
        (size_t)sprintf(text, "pressure,amount,twins,huge,frequent,counts,close,y\n");
    ow_train_options options = ow_test_train_defaults();
    for (int i = 0; i < n_rows; i++) {
        for (int j = 0; j < n_columns; j++)
            used += (size_t)sprintf(text + used, "%.17g,", value_of(j, i));
        used += (size_t)sprintf(text + used, "%s\n", i % 3 == 0 ? "no" : "yes");
    }
    options.leaves = leaves;
    options.passes = 1;
    options.inputs = options.repetitions = 1;
    options.towards_rows = 10;
    options.test_share = 0.0;
    assert_ok(ow_reader_open_memory(ctx, text, used, "rows.csv", NULL, &f->reader));
    assert_ok(ow_schema_infer(
        f->reader, &(ow_infer_options){.size = sizeof(ow_infer_options), .label = "y"},
        NULL, &f->schema));
    assert_ok(ow_model_train(f->reader, f->schema, &options, NULL, &f->model));
}

static void clear(fixture *f)
{
    ow_model_free(f->model);
    ow_schema_free(f->schema);
    ow_reader_free(f->reader);
}

static void assert_mass(const fixture *f, size_t column, double value)
{
    const owi_column_plan *plan = &f->model->plan.columns[column];
    assert_int_equal(plan->kind, OWI_PLAN_MASSES);
    assert_int_equal(plan->n_values, 1);
    assert_true(plan->values[0] == value);
}

static void codes_that_stand_clear_have_a_probability_of_their_own(void **state)
{
    fixture f;
    train(&f, ow_test_context(state), OW_LEAVES_AUTO);
    assert_mass(&f, pressure, 0.0);
    assert_mass(&f, frequent, -999.0);
    assert_int_equal(f.model->plan.columns[counts].kind, OWI_PLAN_NUMBER);
    clear(&f);
}

static void the_others_are_scaled_as_if_codes_were_missing(void **state)
{
    static const int columns[] = {pressure, frequent};
    fixture f;
    train(&f, ow_test_context(state), OW_LEAVES_AUTO);
    for (size_t k = 0; k < 2; k++) {
        const size_t j = (size_t)columns[k];
        double n = 0, mean = 0, square = 0;
        for (int i = 0; i < n_rows; i++) {
            const double x = value_of(columns[k], i);
            if (x == f.model->plan.columns[j].values[0]) continue;
            n += 1;
            mean += x;
            square += x * x;
        }
        mean /= n;
        const ow_column *given = ow_schema_column(f.schema, j);
        const ow_column *learned = ow_schema_column(ow_model_schema(f.model), j);
        assert_true(fabs(learned->mean - mean) < 1e-9 * mean);
        assert_true(fabs(learned->deviation - sqrt(square / n - mean * mean)) < 1e-6);
        assert_true(given->deviation > 1.1 * learned->deviation);
        assert_true(given->high == learned->high);
    }
    clear(&f);
}

static void a_few_zeros_do_not_keep_skewed_amounts_from_their_logarithm(void **state)
{
    fixture f;
    train(&f, ow_test_context(state), OW_LEAVES_AUTO);
    const ow_column *column = ow_schema_column(ow_model_schema(f.model), amount);
    assert_int_equal(column->scaling, OW_SCALE_LOG1P);
    assert_mass(&f, amount, 0.0);
    assert_true(column->log_mean > log1p(200.0)); /* the zeros are not in it */
    clear(&f);
}

static void codes_that_floats_cannot_tell_are_left_alone(void **state)
{
    fixture f;
    train(&f, ow_test_context(state), OW_LEAVES_AUTO);
    for (size_t j = twins; j <= huge; j++) {
        const ow_column *given = ow_schema_column(f.schema, j);
        const ow_column *learned = ow_schema_column(ow_model_schema(f.model), j);
        assert_int_equal(f.model->plan.columns[j].kind, OWI_PLAN_NUMBER);
        assert_true(given->mean == learned->mean && given->deviation == learned->deviation);
        assert_true(given->low == learned->low && given->high == learned->high);
        assert_true(given->log_mean == learned->log_mean &&
                    given->log_deviation == learned->log_deviation);
    }
    clear(&f);
}

static void frequent_numbers_that_floats_cannot_tell_are_one_mass(void **state)
{
    fixture f;
    train(&f, ow_test_context(state), OW_LEAVES_AUTO);
    assert_mass(&f, close, 0.0);
    clear(&f);
}

static void explanations_do_not_lead_to_codes(void **state)
{
    fixture f;
    train(&f, ow_test_context(state), OW_LEAVES_AUTO);
    const ow_column_figures rare = ow_model_figures(f.model, pressure);
    assert_true(rare.low == 40 && rare.high == 139);
    assert_true(rare.quantiles[0] == 40 && rare.seen[0] == 40);
    assert_true(ow_schema_column(f.schema, pressure)->low == 0);
    assert_true(ow_schema_column(ow_model_schema(f.model), pressure)->low == 40);
    /* However many have it; but a 0 beside amounts is an amount. */
    assert_true(ow_model_figures(f.model, frequent).low == 0);
    assert_true(ow_schema_column(ow_model_schema(f.model), frequent)->low == 0);
    assert_true(ow_model_figures(f.model, amount).low == 0);
    assert_true(ow_model_figures(f.model, counts).low == 0);
    clear(&f);
}

/* Outside the 1 and 99 % quantiles of the class nothing is usual. */
static void numbers_beyond_those_of_the_class_are_not_usual(void **state)
{
    fixture f;
    double ascending[n_rows];
    size_t n = 0;
    train(&f, ow_test_context(state), OW_LEAVES_AUTO);
    for (int i = 0; i < n_rows; i++)
        if (i % 3 != 0 && i % 25 != 3) ascending[n++] = value_of(twins, i);
    owi_sort_numbers(ascending, n);
    const double low = owi_quantile(ascending, n, 0.01),
                 high = owi_quantile(ascending, n, 0.99);
    assert_true(low > ascending[0] && high < ascending[n - 1]);
    assert_true(owi_model_is_usual(f.model, 1, twins, low));
    assert_true(owi_model_is_usual(f.model, 1, twins, high));
    assert_false(owi_model_is_usual(f.model, 1, twins, ascending[0]));
    assert_false(owi_model_is_usual(f.model, 1, twins, ascending[n - 1]));
    assert_false(owi_model_is_usual(f.model, 1, frequent, -999.0));
    assert_true(owi_model_is_usual(f.model, 1, frequent, NAN));
    assert_true(owi_model_robust_margin(f.model, 1) >= 1.5);
    clear(&f);
}

static void the_papers_leaves_know_no_codes(void **state)
{
    fixture f;
    train(&f, ow_test_context(state), OW_LEAVES_GAUSSIAN);
    assert_int_equal(f.model->plan.columns[pressure].kind, OWI_PLAN_NUMBER);
    assert_true(ow_model_figures(f.model, pressure).low == 0);
    assert_true(ow_schema_column(ow_model_schema(f.model), pressure)->mean ==
                ow_schema_column(f.schema, pressure)->mean);
    clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(codes_that_stand_clear_have_a_probability_of_their_own),
        ow_test_on_heap(the_others_are_scaled_as_if_codes_were_missing),
        ow_test_on_heap(a_few_zeros_do_not_keep_skewed_amounts_from_their_logarithm),
        ow_test_on_heap(codes_that_floats_cannot_tell_are_left_alone),
        ow_test_on_heap(frequent_numbers_that_floats_cannot_tell_are_one_mass),
        ow_test_on_heap(explanations_do_not_lead_to_codes),
        ow_test_on_heap(numbers_beyond_those_of_the_class_are_not_usual),
        ow_test_on_heap(the_papers_leaves_know_no_codes),
    };
    return cmocka_run_group_tests_name("model/plan_number", tests, NULL, NULL);
}
