/* SPDX-License-Identifier: MIT */
/* Relations between columns: those that a table was made with are found, and no others. */
#include "support/ow_test.h"

#include "base/memory/alloc.h"
#include "base/numeric/rng.h"
#include "data/relations/relations.h"

enum { most_columns = 12 };

typedef struct {
    ow_context *ctx;
    size_t n_rows, n_columns;
    double *values;
    bool is_number[most_columns];
    owi_relation *found;
    size_t n_found;
} fixture;

static void set_up(fixture *f, size_t n_rows, size_t n_columns)
{
    *f = (fixture){.n_rows = n_rows, .n_columns = n_columns};
    assert_ok(ow_context_new(NULL, &f->ctx));
    f->values = calloc(n_rows * n_columns, sizeof *f->values);
    assert_non_null(f->values);
    for (size_t j = 0; j < n_columns; j++) f->is_number[j] = true;
}

static void find(fixture *f)
{
    const owi_relation_rows rows = {f->n_rows, f->n_columns, f->values, f->is_number, NULL};
    assert_ok(owi_relations_find(f->ctx, &rows, &f->found, &f->n_found));
}

static void tear_down(fixture *f)
{
    owi_free(f->ctx, f->found);
    free(f->values);
    ow_context_free(f->ctx);
}

static double to_digits(double x, double per_unit)
{
    return round(x * per_unit) / per_unit;
}

/* ---- Loans: an annuity, and a ratio that is rounded to a tenth ---- */

enum { income, amount, term, rate, payment, ratio, age, n_loan_columns };

static void fill_loans(fixture *f)
{
    for (size_t i = 0; i < f->n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 3, i);
        double *row = f->values + i * f->n_columns;
        row[income] = to_digits(exp(10.6 + 0.4 * owi_rng_normal(&rng)), 100);
        row[amount] = to_digits(exp(9.0 + 0.6 * owi_rng_normal(&rng)), 100);
        row[term] = 12.0 * (double)(1 + owi_rng_below(&rng, 6));
        row[rate] = 2.9 + (double)owi_rng_below(&rng, 9);
        row[age] = (double)(20 + owi_rng_below(&rng, 50));
        const double monthly = row[rate] / 1200.0;
        row[payment] =
            to_digits(row[amount] * monthly / (1.0 - pow(1.0 + monthly, -row[term])), 100);
        row[ratio] = to_digits(1200.0 * row[payment] / row[income], 10);
    }
}

static void a_ratio_and_an_annuity_are_found(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 2000, n_loan_columns);
    fill_loans(&f);
    find(&f);
    assert_int_equal(f.n_found, 2);
    const owi_relation *annuity = &f.found[0], *share = &f.found[1];
    assert_int_equal(annuity->column, payment);
    assert_int_equal(annuity->kind, OWI_RELATION_PRODUCT);
    assert_int_equal(annuity->n_parents, 3);
    assert_false(annuity->exact);
    size_t within_tenth = 0;
    for (size_t i = 0; i < f.n_rows; i++) {
        const double *row = f.values + i * f.n_columns;
        within_tenth += fabs(log(owi_relation_value(annuity, row) / row[payment])) < 0.1;
    }
    assert_true(within_tenth >= 98 * f.n_rows / 100);

    assert_int_equal(share->column, ratio);
    assert_true(share->exact);
    assert_int_equal(share->n_parents, 2);
    assert_int_equal(share->parents[0], income);
    assert_int_equal(share->parents[1], payment);
    assert_true(share->factor[0] == -1.0 && share->factor[1] == 1.0);
    assert_true(fabs(exp(share->constant) - 1200.0) < 1e-6);
    tear_down(&f);
}

/* A hundredth of the values is wrong and a tenth missing; the rest still says it. */
static void rows_that_stand_out_and_gaps_do_not_hide_it(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 2000, n_loan_columns);
    fill_loans(&f);
    for (size_t i = 0; i < f.n_rows; i++) {
        if (i % 131 == 0) f.values[i * f.n_columns + ratio] = 999.0;
        if (i % 10 == 3) f.values[i * f.n_columns + income] = NAN;
    }
    find(&f);
    assert_int_equal(f.n_found, 2);
    assert_int_equal(f.found[1].column, ratio);
    assert_true(f.found[1].exact);
    tear_down(&f);
}

/* ---- Sums, powers, levels ---- */

static void sums_and_differences_are_found(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 400, 6); /* a, b, c, a + b + c, a - b, and a number of its own */
    for (size_t i = 0; i < f.n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 5, i);
        double *row = f.values + i * 6;
        for (size_t j = 0; j < 3; j++) row[j] = to_digits(20.0 * owi_rng_normal(&rng), 10);
        row[3] = row[0] + row[1] + row[2];
        row[4] = row[0] - row[1];
        row[5] = owi_rng_normal(&rng);
    }
    find(&f);
    assert_int_equal(f.n_found, 2);
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(f.found[k].kind, OWI_RELATION_SUM);
        assert_true(f.found[k].exact && f.found[k].constant == 0.0);
        for (size_t i = 0; i < f.n_rows; i++) {
            const double *row = f.values + i * 6;
            assert_true(
                fabs(owi_relation_value(&f.found[k], row) - row[f.found[k].column]) < 1e-6);
        }
    }
    tear_down(&f);
}

/* Prices of a few values each, as in a shop. */
static void few_values_are_enough_where_a_sum_is_exact(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 400, 4); /* price, discount, their difference, and a number of its own */
    for (size_t i = 0; i < f.n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 6, i);
        double *row = f.values + i * 4;
        row[0] = to_digits(1.69 + 0.1 * (double)owi_rng_below(&rng, 8), 100);
        row[1] = to_digits(0.19 * (double)owi_rng_below(&rng, 5), 100);
        row[2] = to_digits(row[0] - row[1], 100);
        row[3] = owi_rng_normal(&rng);
    }
    find(&f);
    assert_int_equal(f.n_found, 1);
    assert_true(f.found[0].exact);
    assert_int_equal(f.found[0].n_parents, 2);
    tear_down(&f);
}

static void near_powers_are_found_once(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 500, 4); /* radius, perimeter, area, texture */
    for (size_t i = 0; i < f.n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 6, i);
        double *row = f.values + i * 4;
        row[0] = exp(2.6 + 0.24 * owi_rng_normal(&rng));
        row[1] = 6.5 * row[0] * exp(0.02 * owi_rng_normal(&rng));
        row[2] = 3.1 * row[0] * row[0] * exp(0.02 * owi_rng_normal(&rng));
        row[3] = exp(3.0 + 0.2 * owi_rng_normal(&rng));
    }
    find(&f);
    assert_int_equal(f.n_found, 2); /* of three columns two depend, on one another */
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(f.found[k].kind, OWI_RELATION_PRODUCT);
        assert_true(f.found[k].column < 3 && f.found[k].spread < 0.06);
        assert_false(f.found[k].exact);
    }
    tear_down(&f);
}

static void levels_that_others_determine_are_found(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 1500, 4); /* city of 40, region of 6, another category, year */
    for (size_t j = 0; j < 3; j++) f.is_number[j] = false;
    for (size_t i = 0; i < f.n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 7, i);
        double *row = f.values + i * 4;
        row[0] = (double)owi_rng_below(&rng, 40);
        row[1] = (double)((size_t)row[0] * 7 % 6);
        row[2] = (double)owi_rng_below(&rng, 5);
        row[3] = (double)(1990 + owi_rng_below(&rng, 30));
    }
    find(&f);
    assert_int_equal(f.n_found, 1);
    assert_int_equal(f.found[0].kind, OWI_RELATION_LEVELS);
    assert_int_equal(f.found[0].column, 1);
    assert_int_equal(f.found[0].parents[0], 0);
    tear_down(&f);
}

/* A discount, mostly 0, in money and as a share of the price; and a number that is 0 in the
 * same rows but otherwise its own. */
static void ratios_of_numbers_that_are_often_0_are_found(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 600, 4);
    for (size_t i = 0; i < f.n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 11, i);
        double *row = f.values + i * 4;
        const bool is_reduced = owi_rng_below(&rng, 3) == 0;
        row[0] = round(160.0 + 60.0 * owi_rng_uniform(&rng)) / 100.0;
        row[1] = is_reduced ? (double)(1 + owi_rng_below(&rng, 40)) / 100.0 : 0.0;
        row[2] = round(1e6 * row[1] / row[0]) / 1e6;
        row[3] = is_reduced ? round(100.0 * (1.0 + owi_rng_uniform(&rng))) : 0.0;
    }
    find(&f);
    assert_int_equal(f.n_found, 1);
    const owi_relation *r = &f.found[0];
    assert_int_equal(r->kind, OWI_RELATION_PRODUCT);
    assert_true(r->exact && r->n_parents == 2);
    /* Any of the three may be said to follow the others. */
    assert_int_equal(r->column + r->parents[0] + r->parents[1], 0 + 1 + 2);
    tear_down(&f);
}

/* ---- Nothing to be found ---- */

/* Strongly related columns are no relation: a third of the variance is their own.  Nor are
 * skewed ones, nor whole numbers of few values. */
static void correlated_columns_are_not_related(void **state)
{
    (void)state;
    for (size_t seed = 0; seed < 8; seed++) {
        fixture f;
        set_up(&f, 300, 10);
        for (size_t i = 0; i < f.n_rows; i++) {
            owi_rng rng;
            owi_rng_init(&rng, 100 + seed, i);
            double *row = f.values + i * 10;
            const double common = owi_rng_normal(&rng);
            for (size_t j = 0; j < 10; j++) {
                row[j] = common + 0.3 * owi_rng_normal(&rng);
                if (j >= 5) row[j] = exp(row[j]);
                if (j == 9) row[j] = round(row[j]);
            }
        }
        find(&f);
        assert_int_equal(f.n_found, 0);
        tear_down(&f);
    }
}

static void few_rows_and_constants_say_nothing(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 50, 2);
    for (size_t i = 0; i < f.n_rows; i++) f.values[2 * i] = f.values[2 * i + 1] = (double)i;
    find(&f);
    assert_int_equal(f.n_found, 0);
    tear_down(&f);
    set_up(&f, 500, 3);
    for (size_t i = 0; i < f.n_rows; i++) {
        f.values[3 * i] = 4.0;
        f.values[3 * i + 1] = i % 2 == 0 ? NAN : (double)i;
        f.values[3 * i + 2] = NAN;
    }
    find(&f);
    assert_int_equal(f.n_found, 0);
    tear_down(&f);
}

static ow_status find_in_loans(ow_context *ctx, void *user)
{
    const fixture *f = user;
    const owi_relation_rows rows = {f->n_rows, f->n_columns, f->values, f->is_number, NULL};
    owi_relation *found = NULL;
    size_t n = 0;
    const ow_status status = owi_relations_find(ctx, &rows, &found, &n);
    owi_free(ctx, found);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    fixture f;
    set_up(&f, 200, n_loan_columns);
    fill_loans(&f);
    ow_test_sweep(find_in_loans, &f);
    tear_down(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ratio_and_an_annuity_are_found),
        cmocka_unit_test(rows_that_stand_out_and_gaps_do_not_hide_it),
        cmocka_unit_test(sums_and_differences_are_found),
        cmocka_unit_test(few_values_are_enough_where_a_sum_is_exact),
        cmocka_unit_test(near_powers_are_found_once),
        cmocka_unit_test(levels_that_others_determine_are_found),
        cmocka_unit_test(ratios_of_numbers_that_are_often_0_are_found),
        cmocka_unit_test(correlated_columns_are_not_related),
        cmocka_unit_test(few_rows_and_constants_say_nothing),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("data/relations", tests, NULL, NULL);
}
