/* SPDX-License-Identifier: MIT */
/* Some of the background rows. */
#include "support/ow_test.h"

#include "explain/core/background_thin.h"

enum { n_rows = 23, n_columns = 2, n_classes = 2 };

/* Row i holds i in all of its forms. */
typedef struct {
    double values[n_rows * n_columns], log_proba[n_rows * n_classes];
    int32_t predicted[n_rows];
    owi_background background;
    owi_problem problem;
} numbered;

static void number(numbered *all, ow_context *ctx)
{
    for (size_t i = 0; i < n_rows; i++) {
        for (size_t j = 0; j < n_columns; j++) all->values[i * n_columns + j] = (double)i;
        for (size_t j = 0; j < n_classes; j++)
            all->log_proba[i * n_classes + j] = -(double)i;
        all->predicted[i] = (int32_t)i;
    }
    all->background = (owi_background){.n_rows = n_rows,
                                       .values = all->values,
                                       .log_proba = all->log_proba,
                                       .predicted = all->predicted};
    all->problem = (owi_problem){.ctx = ctx,
                                 .n_columns = n_columns,
                                 .n_classes = n_classes,
                                 .background = &all->background};
}

/* Rows 0, stride, 2 stride, ... in all of their forms. */
static void check(const owi_background *rows, size_t want_n, size_t stride)
{
    assert_int_equal(rows->n_rows, want_n);
    for (size_t i = 0; i < want_n; i++) {
        const size_t from = i * stride;
        for (size_t j = 0; j < n_columns; j++)
            assert_true(rows->values[i * n_columns + j] == (double)from);
        for (size_t j = 0; j < n_classes; j++)
            assert_true(rows->log_proba[i * n_classes + j] == -(double)from);
        assert_int_equal(rows->predicted[i], from);
    }
}

static void few_enough_rows_are_lent_as_they_are(void **state)
{
    numbered all;
    owi_thin_background thin;
    number(&all, ow_test_context(state));
    static const size_t cases[][3] = {
        {0, 0, n_rows}, {0, n_rows, n_rows}, {9, 0, 9}, {9, 9, 9}, {100, 0, n_rows}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_ok(owi_thin_background_init(&thin, &all.problem, cases[c][0], cases[c][1]));
        assert_ptr_equal(thin.rows.values, all.values);
        check(&thin.rows, cases[c][2], 1);
        owi_thin_background_clear(&thin);
    }
}

static void of_more_rows_at_most_so_many_are_taken_evenly(void **state)
{
    numbered all;
    owi_thin_background thin;
    number(&all, ow_test_context(state));
    static const size_t cases[][4] = {/* first, most, how many, stride */
                                      {0, 22, 12, 2},
                                      {0, 12, 12, 2},
                                      {0, 11, 8, 3},
                                      {0, 1, 1, 23},
                                      {10, 5, 5, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        assert_ok(owi_thin_background_init(&thin, &all.problem, cases[c][0], cases[c][1]));
        check(&thin.rows, cases[c][2], cases[c][3]);
        owi_thin_background_clear(&thin);
        assert_null(thin.rows.predicted);
    }
}

static ow_status thin_out(ow_context *ctx, void *user)
{
    (void)user;
    numbered all;
    owi_thin_background thin;
    number(&all, ctx);
    const ow_status status = owi_thin_background_init(&thin, &all.problem, 0, 5);
    owi_thin_background_clear(&thin);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(thin_out, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(few_enough_rows_are_lent_as_they_are),
        ow_test_on_heap(of_more_rows_at_most_so_many_are_taken_evenly),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/background_thin", tests, NULL, NULL);
}
