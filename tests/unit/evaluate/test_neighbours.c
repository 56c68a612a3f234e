/* SPDX-License-Identifier: MIT */
/* Neighbours among known rows: against scikit-learn (tests/golden/neighbours), against sums
 * written out, on any number of threads. */
#include "support/ow_test.h"
#include "support/trained_model.h"

#include "evaluate/neighbours.h"
#include "evaluate/scaled_rows.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static const char known_path[] = "tests/golden/neighbours/known.csv";

static void read_figures(size_t n, double *ynn, double *lof)
{
    FILE *file = fopen("tests/golden/neighbours/figures.txt", "r");
    assert_non_null(file);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(fscanf(file, "%lf %lf", &ynn[i], &lof[i]), 2);
    fclose(file);
}

/* The golden answers, looked at. */
typedef struct {
    size_t n;
    double ynn[64], lof[64];
} look;

static void look_at_golden(ow_context *ctx, look *seen)
{
    const ow_train_options options = ow_test_quick_training();
    ow_test_trained known;
    owi_neighbours *neighbours = NULL;
    ow_test_train(ctx, NULL, known_path, "answer", &options, &known);
    ow_table *answers = ow_test_read_rows(ctx, "tests/golden/neighbours/answers.csv",
                                          ow_model_schema(known.model));
    seen->n = ow_table_n_rows(answers);
    assert_true(seen->n <= 64);
    assert_ok(owi_neighbours_new(ctx, known.model, ow_table_n_rows(known.table),
                                 ow_table_row(known.table, 0),
                                 ow_table_classes(known.table), &neighbours));
    /* In two parts: what was found for the first serves the second. */
    const size_t half = seen->n / 2;
    assert_ok(owi_neighbours_look(ow_test_call(ctx, &how), neighbours, half,
                                  ow_table_row(answers, 0), ow_table_classes(answers),
                                  seen->ynn, seen->lof));
    assert_ok(owi_neighbours_look(ow_test_call(ctx, &how), neighbours, seen->n - half,
                                  ow_table_row(answers, half),
                                  ow_table_classes(answers) + half, seen->ynn + half,
                                  seen->lof + half));
    owi_neighbours_free(neighbours);
    ow_table_free(answers);
    ow_test_trained_clear(&known);
}

static void ynn_and_lof_are_those_of_scikit_learn(void **state)
{
    look seen;
    double ynn[64], lof[64];
    look_at_golden(ow_test_context(state), &seen);
    assert_int_equal(seen.n, 40);
    read_figures(seen.n, ynn, lof);
    assert_close(seen.ynn, ynn, seen.n, 1e-12);
    assert_close(seen.lof, lof, seen.n, 1e-5);
}

static void any_number_of_threads_finds_the_same(void **state)
{
    const size_t threads[] = {1, 2, 5};
    look seen[3];
    memset(seen, 0, sizeof seen);
    for (size_t t = 0; t < 3; t++) {
        how.threads = threads[t];
        look_at_golden(ow_test_context(state), &seen[t]);
        assert_memory_equal(&seen[t], &seen[0], sizeof seen[0]);
    }
}

/* Twelve points on a line and a twin of the first; the range is 11. */
static const char line_csv[] =
    "x,c\n0,a\n1,a\n2,a\n3,a\n4,b\n5,b\n6,b\n7,b\n8,b\n9,b\n10,b\n11,b\n0,a\n";

static void
of_equally_near_rows_the_first_counts_and_a_row_is_no_neighbour_of_itself(void **state)
{
    const ow_train_options options = ow_test_quick_training();
    ow_test_trained line;
    owi_scaled_rows rows;
    owi_neighbour found[3];
    float scaled;
    const size_t own = 0;
    const double five_and_a_half = 5.5;
    ow_test_train(ow_test_context(state), line_csv, "line.csv", "c", &options, &line);
    assert_ok(owi_scaled_rows_init(&rows, ow_test_context(state), line.model, 13, 1,
                                   ow_table_row(line.table, 0)));
    owi_scaled_row(&rows, 0, &scaled);
    assert_ok(owi_find_neighbours(ow_test_call(ow_test_context(state), &how), &rows, 1,
                                  &scaled, &own, 3, found));
    assert_int_equal(found[0].row, 12);
    assert_true(found[0].distance == 0.0f);
    assert_int_equal(found[1].row, 1);
    assert_int_equal(found[2].row, 2);
    assert_true(fabsf(found[2].distance - 2.0f / 11.0f) < 1e-6f);

    owi_scale_row(&rows, &five_and_a_half, &scaled);
    assert_ok(owi_find_neighbours(ow_test_call(ow_test_context(state), &how), &rows, 1,
                                  &scaled, NULL, 2, found));
    assert_int_equal(found[0].row, 5);
    assert_int_equal(found[1].row, 6);
    owi_scaled_rows_clear(&rows);
    ow_test_trained_clear(&line);
}

static void with_few_known_rows_all_of_them_are_neighbours(void **state)
{
    const ow_train_options options = ow_test_quick_training();
    ow_test_trained line;
    const double x = 2.4;
    const int32_t target = 1;
    const struct {
        size_t n_known;
        double ynn; /* of class b, which begins with row 4 */
        bool has_lof;
    } cases[] = {{0, NAN, false}, {1, 0.0, false}, {3, 0.0, true}, {5, 0.2, true}};
    ow_test_train(ow_test_context(state), line_csv, "line.csv", "c", &options, &line);
    for (size_t i = 0; i < 4; i++) {
        owi_neighbours *few = NULL;
        double ynn = -1.0, lof = -1.0;
        assert_ok(owi_neighbours_new(ow_test_context(state), line.model, cases[i].n_known,
                                     ow_table_row(line.table, 0),
                                     ow_table_classes(line.table), &few));
        assert_int_equal(owi_neighbours_n_rows(few), cases[i].n_known);
        assert_ok(owi_neighbours_look(ow_test_call(ow_test_context(state), &how), few, 1,
                                      &x, &target, &ynn, &lof));
        assert_close(&ynn, &cases[i].ynn, 1, 1e-12);
        assert_int_equal(!isnan(lof), cases[i].has_lof);
        owi_neighbours_free(few);
    }
    ow_test_trained_clear(&line);
}

static void many_known_rows_are_thinned_evenly(void **state)
{
    enum { n = 25000 };
    const ow_train_options options = ow_test_quick_training();
    ow_test_trained line;
    owi_neighbours *many = NULL;
    double *values = calloc(n, sizeof *values);
    int32_t *classes = calloc(n, sizeof *classes);
    ow_test_train(ow_test_context(state), line_csv, "line.csv", "c", &options, &line);
    for (size_t i = 0; i < n; i++) {
        values[i] = (double)i;
        classes[i] = i % 3 == 0; /* every third is kept */
    }
    const double x = 100.0;
    const int32_t target = 1;
    double ynn, lof;
    assert_ok(
        owi_neighbours_new(ow_test_context(state), line.model, n, values, classes, &many));
    assert_int_equal(owi_neighbours_n_rows(many), 8334);
    assert_ok(owi_neighbours_look(ow_test_call(ow_test_context(state), &how), many, 1, &x,
                                  &target, &ynn, &lof));
    assert_close(&ynn, &(double){1.0}, 1, 0.0);
    owi_neighbours_free(many);
    free(values);
    free(classes);
    ow_test_trained_clear(&line);
}

/* ---- Memory ---- */

static ow_status make_and_look(ow_context *ctx, void *user)
{
    const ow_test_trained *line = user;
    owi_neighbours *neighbours = NULL;
    double ynn[2], lof[2];
    ow_status status =
        owi_neighbours_new(ctx, line->model, 13, ow_table_row(line->table, 0),
                           ow_table_classes(line->table), &neighbours);
    if (status == OW_OK)
        status = owi_neighbours_look(ow_test_call(ctx, &how), neighbours, 2,
                                     ow_table_row(line->table, 3),
                                     ow_table_classes(line->table), ynn, lof);
    owi_neighbours_free(neighbours);
    return status;
}

static void failing_allocations_leave_nothing_behind(void **state)
{
    const ow_train_options options = ow_test_quick_training();
    ow_test_trained line;
    ow_test_train(ow_test_context(state), line_csv, "line.csv", "c", &options, &line);
    ow_test_sweep(make_and_look, &line);
    ow_test_trained_clear(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(ynn_and_lof_are_those_of_scikit_learn),
        ow_test_on_heap(any_number_of_threads_finds_the_same),
        ow_test_on_heap(
            of_equally_near_rows_the_first_counts_and_a_row_is_no_neighbour_of_itself),
        ow_test_on_heap(with_few_known_rows_all_of_them_are_neighbours),
        ow_test_on_heap(many_known_rows_are_thinned_evenly),
        ow_test_on_heap(failing_allocations_leave_nothing_behind),
    };
    return cmocka_run_group_tests_name("evaluate/neighbours", tests, NULL, NULL);
}
