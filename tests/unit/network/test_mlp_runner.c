/* SPDX-License-Identifier: MIT */
/* Networks against the definition in double: outputs, and gradients by differences. */
#include "support/ow_test.h"
#include "support/test_call.h"
#include "support/tiny_networks.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_in = 21, n_out = 3, n_rows = 131 };
static const size_t hidden[2] = {17, 33};

/* The objective sum_k (k + 1) out_k^2 / 2. */
static void flow_of(void *user, size_t row, const float *out, float *flow)
{
    (void)user;
    assert_true(row < n_rows);
    for (size_t k = 0; k < n_out; k++) flow[k] = (float)(k + 1) * out[k];
}

static double objective(const owi_mlp *mlp, const double *parameters, const double *row)
{
    double out[n_out], sum = 0.0;
    ow_brute_network(mlp, parameters, row, out);
    for (size_t k = 0; k < n_out; k++) sum += 0.5 * (double)(k + 1) * out[k] * out[k];
    return sum;
}

/* Every backend, from one row to more than a tile, with and without hidden layers. */
static void outputs_are_those_of_the_definition(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static const size_t sizes[] = {1, 2, 23, 24, 64, 65, n_rows};
    float *rows = ow_random_floats(n_rows * n_in, 0.1, 3);
    for (size_t n_hidden = 0; n_hidden <= 2; n_hidden++) {
        static double parameters[2000], want[n_rows * n_out];
        owi_mlp *mlp = ow_random_network(ctx, OWI_MLP_CLASSES, n_in, n_hidden, hidden,
                                         n_out, 7 + n_hidden);
        assert_true(mlp->n_parameters <= sizeof parameters / sizeof *parameters);
        ow_copy_parameters(mlp, parameters);
        for (size_t i = 0; i < n_rows; i++) {
            double row[n_in];
            for (size_t j = 0; j < n_in; j++) row[j] = (double)rows[i * n_in + j];
            ow_brute_network(mlp, parameters, row, want + i * n_out);
        }
        for (size_t b = 0; owi_backend_get(b) != NULL; b++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                static float out[n_rows * n_out];
                static double got[n_rows * n_out];
                owi_mlp_runner *runner = NULL;
                assert_ok(owi_mlp_runner_new(mlp, owi_backend_get(b)->name, &runner));
                assert_ok(
                    owi_mlp_forward(ow_test_call(owi_mlp_runner_network(runner)->ctx, &how),
                                    runner, sizes[s], rows, out));
                for (size_t i = 0; i < sizes[s] * n_out; i++) got[i] = (double)out[i];
                assert_close(got, want, sizes[s] * n_out, 2e-5);
                owi_mlp_runner_free(runner);
            }
        owi_mlp_free(mlp);
    }
    free(rows);
}

static void gradients_are_the_limits_of_differences(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static double parameters[2000];
    static float gradient[n_rows * n_in];
    float *rows = ow_random_floats(n_rows * n_in, 0.1, 4);
    owi_mlp *mlp = ow_random_network(ctx, OWI_MLP_NUMBERS, n_in, 2, hidden, n_out, 5);
    owi_mlp_runner *runner = NULL;
    ow_copy_parameters(mlp, parameters);
    assert_ok(owi_mlp_runner_new(mlp, NULL, &runner));
    for (size_t n = 1; n <= n_rows; n += n_rows - 1) {
        assert_ok(
            owi_mlp_backward_input(ow_test_call(owi_mlp_runner_network(runner)->ctx, &how),
                                   runner, n, rows, flow_of, NULL, gradient));
        for (size_t i = 0; i < n; i += 5) {
            double row[n_in];
            for (size_t j = 0; j < n_in; j++) row[j] = (double)rows[i * n_in + j];
            for (size_t j = 0; j < n_in; j++) {
                const double x = row[j], step = 1e-6;
                const double got = (double)gradient[i * n_in + j];
                double want = 0.0;
                if (!isnan(x)) {
                    row[j] = x + step;
                    want = objective(mlp, parameters, row);
                    row[j] = x - step;
                    want = (want - objective(mlp, parameters, row)) / (2.0 * step);
                    row[j] = x;
                }
                assert_close(&got, &want, 1, 1e-3);
            }
        }
    }
    owi_mlp_runner_free(runner);
    owi_mlp_free(mlp);
    free(rows);
}

static void the_same_bytes_on_any_number_of_threads(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static float one[n_rows * n_in], more[n_rows * n_in];
    float *rows = ow_random_floats(n_rows * n_in, 0.0, 4);
    owi_mlp *mlp = ow_random_network(ctx, OWI_MLP_NUMBERS, n_in, 2, hidden, n_out, 5);
    for (size_t n_threads = 1; n_threads <= 5; n_threads += 2) {
        owi_mlp_runner *runner = NULL;
        how.threads = n_threads;
        assert_ok(owi_mlp_runner_new(mlp, NULL, &runner));
        assert_ok(
            owi_mlp_backward_input(ow_test_call(owi_mlp_runner_network(runner)->ctx, &how),
                                   runner, n_rows, rows, flow_of, NULL,
                                   n_threads == 1 ? one : more));
        if (n_threads > 1) assert_memory_equal(one, more, sizeof one);
        owi_mlp_runner_free(runner);
    }
    owi_mlp_free(mlp);
    free(rows);
}

static void infinities_are_named_and_huge_inputs_give_numbers(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static float out[n_rows * n_out];
    float *rows = ow_random_floats(n_rows * n_in, 0.0, 4);
    owi_mlp *mlp = ow_random_network(ctx, OWI_MLP_NUMBERS, n_in, 2, hidden, n_out, 5);
    owi_mlp_runner *runner = NULL;
    assert_ok(owi_mlp_runner_new(mlp, NULL, &runner));
    rows[100 * n_in + 4] = 3e38f;
    rows[100 * n_in + 5] = -3e38f;
    assert_ok(owi_mlp_forward(ow_test_call(owi_mlp_runner_network(runner)->ctx, &how),
                              runner, n_rows, rows, out));
    for (size_t i = 0; i < n_rows * n_out; i++) assert_true(isfinite(out[i]));
    rows[100 * n_in + 4] = -INFINITY;
    assert_fails(owi_mlp_forward(ow_test_call(owi_mlp_runner_network(runner)->ctx, &how),
                                 runner, n_rows, rows, out),
                 OW_ERR_NUMERIC, "row 101, entry 4: expected a number, got infinity");
    owi_mlp_runner_free(runner);
    owi_mlp_free(mlp);
    free(rows);
}

static void networks_of_impossible_sizes_are_refused(void **state)
{
    ow_context *ctx = ow_test_context(state);
    owi_mlp_spec spec;
    owi_mlp *mlp = NULL;
    const size_t none = 0, huge = SIZE_MAX / 2;
    assert_true(owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, 3, 1, &none, 2));
    assert_fails(owi_mlp_new(ctx, &spec, &mlp), OW_ERR_ARGUMENT, "no units");
    assert_true(owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, 3, 1, &huge, 2));
    assert_fails(owi_mlp_new(ctx, &spec, &mlp), OW_ERR_ARGUMENT, "too large");
    assert_null(mlp);
    const size_t many[owi_mlp_most_layers] = {1, 1, 1, 1, 1, 1, 1, 1};
    assert_false(
        owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, 3, owi_mlp_most_layers, many, 2));
}

static ow_status build(ow_context *ctx, void *user)
{
    owi_mlp_spec spec;
    owi_mlp *mlp = NULL;
    owi_mlp_runner *runner = NULL;
    float out[70 * n_out];
    (void)owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, n_in, 2, hidden, n_out);
    ow_status status = owi_mlp_new(ctx, &spec, &mlp);
    if (status == OW_OK) status = owi_mlp_runner_new(mlp, NULL, &runner);
    if (status == OW_OK)
        status = owi_mlp_forward(ow_test_call(owi_mlp_runner_network(runner)->ctx, &how),
                                 runner, 70, user, out);
    owi_mlp_runner_free(runner);
    owi_mlp_free(mlp);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    float *rows = ow_random_floats(70 * n_in, 0.0, 1);
    ow_test_sweep(build, rows);
    free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(outputs_are_those_of_the_definition),
        ow_test_on_heap(gradients_are_the_limits_of_differences),
        ow_test_on_heap(the_same_bytes_on_any_number_of_threads),
        ow_test_on_heap(infinities_are_named_and_huge_inputs_give_numbers),
        ow_test_on_heap(networks_of_impossible_sizes_are_refused),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("classifier/mlp_runner", tests, NULL, NULL);
}
