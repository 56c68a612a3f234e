/* SPDX-License-Identifier: MIT */
/* All single changes at once give what evaluating every changed row gives. */
#include "support/changes_fixture.h"
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "backend/backend.h"
#include "base/numeric/rng.h"
#include "circuit/query/query_changes.h"
#include "circuit/structure/circuit.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_values = ow_n_change_values };

/* The largest |got - want| / max(1, |want|) over all changes of a row, each evaluated by
 * itself. */
static void check_row(const ow_changes_fixture *f, const float *row, const double *got,
                      double tolerance)
{
    const size_t d = f->circuit->spec.n_columns, C = f->circuit->spec.n_classes;
    float changed[ow_tiny_columns];
    for (size_t j = 0; j < d; j++)
        for (size_t i = ow_change_start[j]; i < ow_change_start[j + 1]; i++) {
            double want[8];
            memcpy(changed, row, d * sizeof *row);
            changed[j] = ow_change_values[i];
            assert_ok(ow_evaluator_evaluate(f->oracle, 1, changed, &how, want));
            for (size_t c = 0; c < C; c++)
                assert_close(&got[c * n_values + i], &want[c], 1, tolerance);
        }
}

/* On all rows, by the product and in the log domain, and alone as in a batch. */
static void check_rows(ow_changes_fixture *f, size_t n_rows, const float *rows,
                       double tolerance)
{
    const size_t d = f->circuit->spec.n_columns, C = f->circuit->spec.n_classes;
    double *got = malloc(n_rows * C * n_values * sizeof *got);
    double *log_class = malloc(n_rows * C * sizeof *log_class);
    double single[8 * n_values], want[8];
    assert_true(got != NULL && log_class != NULL);
    const float guard = f->changes->least_sum;
    for (int exact = 0; exact < 2; exact++) {
        f->changes->least_sum = exact ? INFINITY : guard;
        assert_ok(ow_changes_singles(f->changes, n_rows, rows, &how, log_class, got));
        for (size_t i = 0; i < n_rows; i++) {
            check_row(f, rows + i * d, got + i * C * n_values, tolerance);
            assert_ok(ow_evaluator_evaluate(f->oracle, 1, rows + i * d, &how, want));
            assert_close(log_class + i * C, want, C, tolerance);
        }
        for (size_t i = 0; i < n_rows; i += 7) {
            assert_ok(ow_changes_singles(f->changes, 1, rows + i * d, &how, NULL, single));
            assert_close(single, got + i * C * n_values, C * n_values, tolerance);
        }
    }
    f->changes->least_sum = guard;
    free(log_class);
    free(got);
}

static void check_all(ow_changes_fixture *f, const float *rows)
{
    check_rows(f, f->circuit->spec.n_classes == 3 ? 70 : 40, rows, 1e-5);
    check_rows(f, 3, rows, 1e-5);
}

static void every_change_is_what_evaluating_the_changed_row_gives(void **state)
{
    (void)state;
    ow_changes_every_circuit(check_all);
}

static void numbers_that_follow_from_others_too(void **state)
{
    (void)state;
    ow_changes_sheets(check_all);
}

static void fixed_variances_too(void **state)
{
    (void)state;
    ow_changes_fixed_variances(check_all);
}

/* Rows that no component has seen the like of, and weights that are almost nothing: here
 * flows underflow, and linear sums too. */
static void tails_hold(void **state)
{
    (void)state;
    for (size_t b = 0; owi_backend_get(b) != NULL; b++)
        for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
            ow_changes_fixture f = {0};
            assert_ok(ow_context_new(NULL, &f.ctx));
            ow_tiny_rows rows = ow_tiny_rows_new(24, 2, 0.0, 8);
            const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, 2);
            f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
            owi_rng rng;
            owi_rng_init(&rng, 1, 1);
            for (size_t i = 0; i < f.circuit->n_weights; i++) {
                const size_t draw = owi_rng_below(&rng, 4);
                if (draw == 0) f.circuit->log_weight[i] = -INFINITY;
                if (draw > 1) f.circuit->log_weight[i] = -460.5f; /* 1e-200 */
            }
            owi_circuit_prepare(NULL, f.circuit);
            for (size_t i = 0; i < 24; i++) {
                float *row = rows.rows + i * ow_tiny_columns;
                row[0] = i % 3 == 0 ? 50.0f : i % 3 == 1 ? -3e3f : row[0];
                row[1] = i % 5 == 0 ? -70.0f : row[1];
                row[4] = i % 4 == 0 ? 1e4f : row[4];
                row[5] = i % 7 == 0 ? 55.0f : row[5];
            }
            ow_changes_set_up(&f, owi_backend_get(b)->name);
            check_rows(&f, 24, rows.rows, 1e-5);
            ow_changes_tear_down(&f);
            ow_tiny_rows_free(&rows);
        }
}

/* A change of a value that is itself far out: log S(x) is -5e9, that of the changed row is
 * not, and floats would have lost it in the difference. */
static void leaving_a_tail_loses_nothing(void **state)
{
    (void)state;
    ow_changes_fixture f = {0};
    assert_ok(ow_context_new(NULL, &f.ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 8);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
    f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
    ow_changes_set_up(&f, NULL);
    float row[ow_tiny_columns];
    double far[2 * n_values], near[2 * n_values];
    memcpy(row, rows.rows, sizeof row);
    assert_ok(ow_changes_singles(f.changes, 1, row, &how, NULL, near));
    row[0] = 1e5f;
    assert_ok(ow_changes_singles(f.changes, 1, row, &how, NULL, far));
    assert_close(far, near, ow_change_start[1], 1e-6);
    assert_close(far + n_values, near + n_values, ow_change_start[1], 1e-6);
    ow_changes_tear_down(&f);
    ow_tiny_rows_free(&rows);
}

static void a_class_that_is_impossible_stays_so(void **state)
{
    (void)state;
    ow_changes_fixture f = {0};
    assert_ok(ow_context_new(NULL, &f.ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 8);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, 2);
    f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
    for (size_t i = 0; i < f.circuit->n_weights / 2; i++)
        f.circuit->log_weight[i] = -INFINITY; /* all of class 0 */
    owi_circuit_prepare(NULL, f.circuit);
    ow_changes_set_up(&f, NULL);
    double got[2 * n_values];
    assert_ok(ow_changes_singles(f.changes, 1, rows.rows, &how, NULL, got));
    for (size_t i = 0; i < n_values; i++) {
        assert_true(got[i] == -INFINITY);
        assert_true(isfinite(got[n_values + i]));
    }
    ow_changes_tear_down(&f);
    ow_tiny_rows_free(&rows);
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    enum { n_rows = 200 };
    static double got[3][n_rows * 2 * n_values];
    for (size_t i = 0; i < 3; i++) {
        ow_changes_fixture f = {0};
        assert_ok(ow_context_new(NULL, &f.ctx));
        how.threads = (const size_t[]){1, 2, 5}[i];
        ow_tiny_rows rows = ow_tiny_rows_new(n_rows, 2, 0.1, 3);
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 2);
        f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
        ow_changes_set_up(&f, NULL);
        assert_ok(ow_changes_singles(f.changes, n_rows, rows.rows, &how, NULL, got[i]));
        ow_changes_tear_down(&f);
        ow_tiny_rows_free(&rows);
        assert_memory_equal(got[i], got[0], sizeof got[0]);
    }
}

static void bad_candidates_and_rows_are_named(void **state)
{
    (void)state;
    ow_changes_fixture f = {0};
    assert_ok(ow_context_new(NULL, &f.ctx));
    ow_tiny_rows rows = ow_tiny_rows_new(20, 2, 0.0, 8);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, 2);
    f.circuit = ow_tiny_circuit(f.ctx, &spec, &rows);
    ow_changes_set_up(&f, NULL);
    ow_changes *none = NULL;
    float bad[n_values];
    memcpy(bad, ow_change_values, sizeof bad);
    bad[8] = 3.0f;
    assert_fails(ow_changes_new(f.evaluator, &(ow_candidates){ow_change_start, bad}, &none),
                 OW_ERR_NUMERIC,
                 "candidate 1, column 2: expected a level from 0 to 2, got 3");
    bad[8] = 1.0f;
    bad[1] = -INFINITY;
    assert_fails(ow_changes_new(f.evaluator, &(ow_candidates){ow_change_start, bad}, &none),
                 OW_ERR_NUMERIC, "candidate 1, column 0: expected a number");
    size_t shuffled[ow_tiny_columns + 1];
    memcpy(shuffled, ow_change_start, sizeof shuffled);
    shuffled[2] = 4;
    assert_fails(ow_changes_new(f.evaluator, &(ow_candidates){shuffled, ow_change_values},
                                &none),
                 OW_ERR_ARGUMENT, "column 1 end before");
    assert_status(ow_changes_new(f.evaluator, &(ow_candidates){ow_change_start, NULL},
                                 &none),
                  OW_ERR_ARGUMENT);
    assert_status(ow_changes_new(NULL, &ow_change_candidates, &none), OW_ERR_ARGUMENT);
    assert_null(none);

    double got[2 * 2 * n_values];
    rows.rows[ow_tiny_columns + 3] = 7.0f;
    assert_fails(ow_changes_singles(f.changes, 2, rows.rows, &how, NULL, got),
                 OW_ERR_NUMERIC, "row 2, column 3: expected a level from 0 to 1, got 7");
    assert_status(ow_changes_singles(f.changes, 1, NULL, &how, NULL, got), OW_ERR_ARGUMENT);
    assert_ok(ow_changes_singles(f.changes, 0, NULL, &how, NULL, NULL));
    ow_changes_tear_down(&f);
    ow_tiny_rows_free(&rows);
}

static ow_status make_and_use(ow_context *ctx, void *user)
{
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, 2);
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    ow_changes *changes = NULL;
    double got[2 * n_values];
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_evaluator_new(circuit, NULL, &evaluator);
    if (status == OW_OK)
        status = ow_changes_new(evaluator, &ow_change_candidates, &changes);
    if (status == OW_OK) status = ow_changes_singles(changes, 1, user, &how, NULL, got);
    ow_changes_free(changes);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    float row[ow_tiny_columns] = {0};
    ow_test_sweep(make_and_use, row);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_that_follow_from_others_too),
        cmocka_unit_test(every_change_is_what_evaluating_the_changed_row_gives),
        cmocka_unit_test(fixed_variances_too),
        cmocka_unit_test(tails_hold),
        cmocka_unit_test(leaving_a_tail_loses_nothing),
        cmocka_unit_test(a_class_that_is_impossible_stays_so),
        cmocka_unit_test(the_same_bytes_on_any_number_of_threads),
        cmocka_unit_test(bad_candidates_and_rows_are_named),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/query_changes", tests, NULL, NULL);
}
