/* SPDX-License-Identifier: MIT */
/* Losses and their gradient by the parameters, against the definition and its differences;
 * and one step of Adam. */
#include "support/ow_test.h"
#include "support/tiny_networks.h"

#include "network/mlp_step.h"
#include "support/test_call.h"

/* Two tiles, the second of them not full; more outputs in a layer than a unit has. */
enum { n_in = 6, n_rows = 70, C = 4 };
static const size_t hidden[2] = {19, 7};

typedef struct {
    owi_mlp *mlp;
    owi_mlp_step step;
    float *rows;
} fixture;

static void init(fixture *f, ow_context *ctx, owi_mlp_output output)
{
    f->rows = ow_random_floats(n_rows * n_in, 0.1, 3);
    f->mlp = ow_random_network(ctx, output, n_in, 2, hidden,
                               output == OWI_MLP_CLASSES ? C : n_in, 8);
    assert_ok(owi_mlp_step_init(&f->step, ow_test_call(f->mlp->ctx, NULL), f->mlp,
                                owi_backend_get(0), n_rows));
    assert_int_equal(f->step.batch_rows, 2 * owi_tile_lanes);
    memcpy(f->step.rows, f->rows, n_rows * n_in * sizeof *f->rows);
    for (size_t i = 0; i < n_rows; i++) f->step.classes[i] = (int32_t)(i * 7 % C);
}

static void clear(fixture *f)
{
    owi_mlp_step_clear(&f->step);
    owi_mlp_free(f->mlp);
    free(f->rows);
}

static double brute_loss(const fixture *f, const double *parameters, size_t i)
{
    double row[n_in], out[n_in], sum = 0.0;
    for (size_t j = 0; j < n_in; j++) row[j] = (double)f->rows[i * n_in + j];
    ow_brute_network(f->mlp, parameters, row, out);
    if (f->mlp->spec.output == OWI_MLP_CLASSES) {
        for (size_t c = 0; c < C; c++) sum += exp(out[c]);
        return log(sum) - out[i * 7 % C];
    }
    for (size_t j = 0; j < n_in; j++)
        if (!isnan(row[j])) sum += (row[j] - out[j]) * (row[j] - out[j]);
    return sum;
}

static double total_loss(const fixture *f, const double *parameters)
{
    double sum = 0.0;
    for (size_t i = 0; i < n_rows; i++) sum += brute_loss(f, parameters, i);
    return sum;
}

static void losses_are_those_of_the_definition(void **state)
{
    for (int output = OWI_MLP_CLASSES; output <= OWI_MLP_NUMBERS; output++) {
        static double parameters[1000], want[n_rows];
        fixture f;
        init(&f, ow_test_context(state), (owi_mlp_output)output);
        ow_copy_parameters(f.mlp, parameters);
        for (size_t i = 0; i < n_rows; i++) want[i] = brute_loss(&f, parameters, i);
        assert_ok(owi_mlp_step_run(&f.step, n_rows, 0, false));
        assert_close(f.step.loss, want, n_rows, 1e-5);
        assert_int_equal(f.step.n_updates, 0);
        clear(&f);
    }
}

static void gradients_are_the_limits_of_differences(void **state)
{
    for (int output = OWI_MLP_CLASSES; output <= OWI_MLP_NUMBERS; output++) {
        static double parameters[1000];
        fixture f;
        init(&f, ow_test_context(state), (owi_mlp_output)output);
        ow_copy_parameters(f.mlp, parameters);
        f.step.rate = 0.0;
        /* Full tiles before: nothing of them may be left in the spare lanes. */
        assert_ok(owi_mlp_step_run(&f.step, f.step.batch_rows, 0, true));
        assert_ok(owi_mlp_step_run(&f.step, n_rows, 0, true));
        for (size_t p = 0; p < f.mlp->n_parameters; p += 3) {
            const double x = parameters[p], by = 1e-6, got = (double)f.step.gradient[p];
            assert_true((double)f.mlp->block[p] == x);
            parameters[p] = x + by;
            double want = total_loss(&f, parameters);
            parameters[p] = x - by;
            want = (want - total_loss(&f, parameters)) / (2.0 * by);
            parameters[p] = x;
            assert_close(&got, &want, 1, 2e-3);
        }
        clear(&f);
    }
}

/* The first step of Adam goes by the rate along every parameter, whatever the gradient's
 * length. */
static void the_first_step_goes_by_the_rate(void **state)
{
    fixture f;
    static double before[1000];
    init(&f, ow_test_context(state), OWI_MLP_CLASSES);
    ow_copy_parameters(f.mlp, before);
    f.step.rate = 0.01;
    assert_ok(owi_mlp_step_run(&f.step, n_rows, 0, true));
    for (size_t p = 0; p < f.mlp->n_parameters; p++) {
        const double g = (double)f.step.gradient[p];
        const double moved = (double)f.mlp->block[p] - before[p];
        if (fabs(g) > 1e-2) assert_true(fabs(moved + (g > 0.0 ? 0.01 : -0.01)) < 1e-5);
    }
    clear(&f);
}

static void decay_draws_weights_but_no_bias(void **state)
{
    fixture plain, drawn;
    init(&plain, ow_test_context(state), OWI_MLP_CLASSES);
    init(&drawn, ow_test_context(state), OWI_MLP_CLASSES);
    drawn.step.decay = 1e6;
    plain.step.rate = drawn.step.rate = 0.01;
    const float weight = plain.mlp->weight[1][0];
    assert_ok(owi_mlp_step_run(&plain.step, n_rows, 0, true));
    assert_ok(owi_mlp_step_run(&drawn.step, n_rows, 0, true));
    const float moved = drawn.mlp->weight[1][0] - weight;
    assert_true(fabsf(moved - (weight > 0.0f ? -0.01f : 0.01f)) < 1e-5f);
    for (size_t k = 0; k < hidden[1]; k++)
        assert_true(plain.mlp->bias[1][k] == drawn.mlp->bias[1][k]);
    clear(&plain);
    clear(&drawn);
}

static ow_status build(ow_context *ctx, void *user)
{
    owi_mlp_spec spec;
    owi_mlp *mlp = NULL;
    owi_mlp_step step;
    (void)user;
    (void)owi_mlp_spec_fill(&spec, OWI_MLP_CLASSES, n_in, 2, hidden, C);
    ow_status status = owi_mlp_new(ctx, &spec, &mlp);
    if (status != OW_OK) return status;
    status = owi_mlp_step_init(&step, ow_test_call(mlp->ctx, NULL), mlp, owi_backend_get(0),
                               n_rows);
    if (status == OW_OK) {
        status = owi_mlp_step_run(&step, n_rows, 0, true);
        owi_mlp_step_clear(&step);
    }
    owi_mlp_free(mlp);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(build, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(losses_are_those_of_the_definition),
        ow_test_on_heap(gradients_are_the_limits_of_differences),
        ow_test_on_heap(the_first_step_goes_by_the_rate),
        ow_test_on_heap(decay_draws_weights_but_no_bias),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("classifier/mlp_step", tests, NULL, NULL);
}
