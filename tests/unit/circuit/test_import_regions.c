/* SPDX-License-Identifier: MIT */
/* Circuits as JSON whose leaf regions end at different depths. */
#include "circuit/structure/circuit.h"
#include "support/json_circuit.h"
#include "support/ow_test.h"

/* d log S / dx_j by central differences of the sums over all trees. */
static double slope(const json_t *document, const ow_test_circuit_shape *s,
                    const float *row, size_t j)
{
    const double step = 1e-4;
    double log_density[2], x[16];
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i < s->d; i++) x[i] = (double)row[i];
        x[j] += side == 0 ? step : -step;
        log_density[side] = ow_test_log_density(document, x);
    }
    return (log_density[0] - log_density[1]) / (2.0 * step);
}

/* Regions without columns get in the way of no other query: gradients, draws, the most
 * probable completion. */
static void leaf_regions_that_end_early_take_part_in_every_query(void **state)
{
    enum { n_rows = 20 };
    for (size_t i = 0; i < ow_test_n_circuit_shapes; i++) {
        const ow_test_circuit_shape *s = &ow_test_circuit_shapes[i];
        if (!s->early) continue;
        json_t *document = ow_test_circuit_json(s, i + 1);
        ow_circuit *circuit = NULL;
        ow_evaluator *evaluator = NULL;
        float rows[n_rows * 16], gradient[n_rows * 16], full[16];
        double before[n_rows * 8], after[8];
        int32_t classes[n_rows];
        assert_ok(ow_test_import(ow_test_context(state), document, &circuit));
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        for (size_t row = 0; row < n_rows; row++) classes[row] = 0;
        for (size_t k = 0; k < n_rows * s->d; k++) rows[k] = NAN;
        assert_ok(ow_evaluator_sample(evaluator, n_rows, ow_test_seed(3), rows, classes));
        assert_ok(ow_evaluator_differentiate(evaluator, n_rows, rows, 1,
                                             &(ow_mix){.density_factor = 1.0}, NULL, before,
                                             gradient));
        for (size_t j = 0; j < s->d; j++)
            assert_float_equal((double)gradient[j], slope(document, s, rows, j), 2e-3);

        for (size_t j = 0; j < s->d; j++) full[j] = NAN;
        assert_ok(ow_evaluator_complete(evaluator, 1, NULL, full, classes, NULL));
        assert_ok(ow_evaluator_evaluate(evaluator, 1, full, NULL, after));
        for (size_t row = 0; row < n_rows; row++)
            assert_true(after[0] >= before[row * s->C]);
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        json_decref(document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(leaf_regions_that_end_early_take_part_in_every_query),
    };
    return cmocka_run_group_tests_name("circuit/import_regions", tests, NULL, NULL);
}
