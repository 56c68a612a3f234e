/* SPDX-License-Identifier: MIT */
/* How well a circuit fits rows, against the same figures made row by row. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

static void figures_are_means_over_the_rows(void **state)
{
    (void)state;
    enum { n = 5000, C = 3 }; /* more than a block */
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    ow_score score;
    assert_ok(ow_context_new(NULL, &ctx));
    how.threads = 2;
    ow_tiny_rows rows = ow_tiny_rows_new(n, C, 0.1, 3);
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, C);
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 2);
    const ow_row_source source = ow_row_source_of_array(&rows.array);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(ow_circuit_score(evaluator, &source, &how, &score));

    double *log_class = malloc(n * C * sizeof *log_class), got[4], want[4] = {0};
    assert_non_null(log_class);
    assert_ok(ow_evaluator_evaluate(evaluator, n, rows.rows, &how, log_class));
    for (size_t i = 0; i < n; i++) {
        const size_t y = (size_t)rows.classes[i];
        double log_density, posterior[C];
        ow_circuit_posterior(circuit, 1, log_class + i * C, &log_density, posterior);
        want[0] += log_density / n;
        want[1] += log_class[i * C + y] / n;
        want[2] -= log(posterior[y]) / n;
        want[3] += (posterior[y] >= fmax(posterior[0], fmax(posterior[1], posterior[2]))) /
                   (double)n;
    }
    got[0] = score.log_density;
    got[1] = score.log_density_class;
    got[2] = score.log_loss;
    got[3] = score.accuracy;
    assert_close(got, want, 4, 1e-6);
    assert_int_equal(score.n_rows, n);

    rows.array.n_rows = 0;
    assert_ok(ow_circuit_score(evaluator, &source, &how, &score));
    assert_true(score.n_rows == 0 && score.accuracy == 0.0 && score.log_loss == 0.0);
    assert_status(ow_circuit_score(NULL, &source, &how, &score), OW_ERR_ARGUMENT);
    assert_status(ow_circuit_score(evaluator, NULL, &how, &score), OW_ERR_ARGUMENT);
    assert_status(ow_circuit_score(evaluator, &source, &how, NULL), OW_ERR_ARGUMENT);
    free(log_class);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_tiny_rows_free(&rows);
    ow_context_free(ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_means_over_the_rows),
    };
    return cmocka_run_group_tests_name("circuit/score", tests, NULL, NULL);
}
