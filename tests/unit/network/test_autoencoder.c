/* SPDX-License-Identifier: MIT */
/* Autoencoders: the gradient of errors against the definition, and rows unlike those
 * learned from come back worse. */
#include "support/ow_test.h"
#include "support/tiny_networks.h"

#include "base/numeric/rng.h"
#include "base/numeric/row_lanes.h"
#include "network/autoencoder.h"
#include "support/test_call.h"

enum { width = 8, n_rows = 400 };

static double brute_error(const owi_mlp *mlp, const double *parameters, const double *row)
{
    double out[width], sum = 0.0;
    ow_brute_network(mlp, parameters, row, out);
    for (size_t j = 0; j < width; j++)
        if (!isnan(row[j])) sum += (row[j] - out[j]) * (row[j] - out[j]);
    return sum;
}

/* |x - AE(x)|^2 of rows without gaps. */
static void errors_of(owi_mlp_runner *runner, size_t n, const float *rows, double *errors)
{
    float *out = calloc(n * width, sizeof *out);
    assert_ok(owi_mlp_forward(ow_test_call(owi_mlp_runner_network(runner)->ctx, NULL),
                              runner, n, rows, out));
    for (size_t i = 0; i < n; i++) {
        errors[i] = 0.0;
        for (size_t k = i * width; k < (i + 1) * width; k++)
            errors[i] += (double)(rows[k] - out[k]) * (double)(rows[k] - out[k]);
    }
    free(out);
}

/* Two tiles of rows with gaps. */
static void gradients_are_those_of_the_definition_and_infinities_are_named(void **state)
{
    enum { n = 2 * owi_tile_lanes, L = owi_row_lanes };
    static double parameters[200];
    static float lanes[n * width], got[n * width], gradient[n * width];
    const size_t hidden = 5;
    float *rows = ow_random_floats(n * width, 0.1, 6);
    owi_mlp *mlp = ow_random_network(ow_test_context(state), OWI_MLP_NUMBERS, width, 1,
                                     &hidden, width, 3);
    owi_mlp_runner *runner = NULL;
    ow_copy_parameters(mlp, parameters);
    assert_ok(owi_mlp_runner_new(mlp, NULL, &runner));
    for (size_t i = 0; i < n; i += L)
        owi_rows_to_lanes(L, width, rows + i * width, lanes + i * width);
    assert_ok(owi_autoencoder_gradient_lanes(
        ow_test_call(owi_mlp_runner_network(runner)->ctx, NULL), runner, n, lanes, got));
    for (size_t i = 0; i < n; i += L)
        owi_lanes_to_rows(L, width, got + i * width, gradient + i * width);
    for (size_t n_used = owi_tile_lanes + 1; n_used < n; n_used += 20) {
        static float few[n * width]; /* the same bytes for fewer rows */
        assert_ok(owi_autoencoder_gradient_lanes(
            ow_test_call(owi_mlp_runner_network(runner)->ctx, NULL), runner, n_used, lanes,
            few));
        assert_memory_equal(few, got, n_used / L * L * width * sizeof *got);
    }
    for (size_t i = 0; i < n; i++) {
        double row[width];
        for (size_t j = 0; j < width; j++) row[j] = (double)rows[i * width + j];
        for (size_t j = 0; j < width; j++) {
            const double x = row[j], step = 1e-6, slope = (double)gradient[i * width + j];
            double want = 0.0;
            if (!isnan(x)) {
                row[j] = x + step;
                want = brute_error(mlp, parameters, row);
                row[j] = x - step;
                want = (want - brute_error(mlp, parameters, row)) / (2.0 * step);
                row[j] = x;
            }
            assert_close(&slope, &want, 1, 1e-3);
        }
    }
    lanes[(size_t)(owi_tile_lanes + L) * width + 4 * L + 2] = -INFINITY;
    assert_fails(owi_autoencoder_gradient_lanes(
                     ow_test_call(owi_mlp_runner_network(runner)->ctx, NULL), runner, n,
                     lanes, got),
                 OW_ERR_NUMERIC, "row 83, entry 4: expected a number, got infinity");
    owi_mlp_runner_free(runner);
    owi_mlp_free(mlp);
    free(rows);
}

/* Rows on a plane in eight dimensions, through a layer of a few units. */
static void rows_on_the_plane_come_back_and_others_do_not(void **state)
{
    static float rows[n_rows * width];
    const size_t hidden[3] = {24, 4, 24};
    owi_mlp_options options = owi_mlp_defaults();
    owi_mlp_score score;
    owi_mlp *mlp = NULL;
    owi_mlp_runner *runner = NULL;
    double errors[2];
    owi_rng rng;
    owi_rng_init(&rng, 1, 1);
    for (size_t i = 0; i < n_rows; i++) {
        const double a = owi_rng_normal(&rng), b = owi_rng_normal(&rng);
        for (size_t j = 0; j < width; j++)
            rows[i * width + j] =
                (float)(a * cos((double)j) + b * sin((double)(2 * j)) + 3.0);
    }
    options.rate = 0.003;
    options.passes = 120;
    assert_ok(owi_autoencoder_train(ow_test_call(ow_test_context(state), NULL), n_rows,
                                    width, rows, 3, hidden, &options, &mlp, &score));
    assert_true(score.loss < 0.5);
    assert_ok(owi_mlp_runner_new(mlp, NULL, &runner));
    float two[2 * width];
    memcpy(two, rows, width * sizeof *two);
    for (size_t j = 0; j < width; j++) two[width + j] = j % 2 == 0 ? 6.0f : 0.0f;
    errors_of(runner, 2, two, errors);
    assert_true(errors[1] > 10.0 * errors[0] && errors[1] > 5.0);
    owi_mlp_runner_free(runner);
    owi_mlp_free(mlp);
}

/* The last pixel was lit once in all rows, and faintly.  Where pixels count as alike, one
 * that is bright for once costs what any unforeseen pixel does: about its own square.  By
 * its own range it would be 250 times as large. */
static void a_pixel_that_was_never_bright_does_not_drown_the_others(void **state)
{
    static float rows[n_rows * width];
    const size_t hidden = 4;
    float bright[width];
    double errors[2];
    owi_rng rng;
    owi_rng_init(&rng, 1, 2);
    for (size_t i = 0; i < n_rows * width; i++)
        rows[i] = i % width < width - 1 ? (float)owi_rng_uniform(&rng) : 0.0f;
    rows[width - 1] = 0.004f;
    memcpy(bright, rows, sizeof bright);
    bright[width - 1] = 1.0f;
    for (int alike = 0; alike < 2; alike++) {
        owi_mlp_options options = owi_mlp_defaults();
        owi_mlp *mlp = NULL;
        owi_mlp_runner *runner = NULL;
        options.passes = 10;
        options.held_out = 0.0;
        options.one_kind = alike;
        assert_ok(owi_autoencoder_train(ow_test_call(ow_test_context(state), NULL), n_rows,
                                        width, rows, 1, &hidden, &options, &mlp, NULL));
        assert_ok(owi_mlp_runner_new(mlp, NULL, &runner));
        errors_of(runner, 1, bright, &errors[alike]);
        owi_mlp_runner_free(runner);
        owi_mlp_free(mlp);
    }
    assert_true(errors[1] < 10.0 && errors[0] > 100.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(gradients_are_those_of_the_definition_and_infinities_are_named),
        ow_test_on_heap(rows_on_the_plane_come_back_and_others_do_not),
        ow_test_on_heap(a_pixel_that_was_never_bright_does_not_drown_the_others),
    };
    return cmocka_run_group_tests_name("classifier/autoencoder", tests, NULL, NULL);
}
