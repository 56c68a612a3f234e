/* SPDX-License-Identifier: MIT */
/* The circuits of tests/golden/circuits, whose densities, gradients and marginals are known
 * to 1e-9, on every backend of this machine.  Floats allow 1e-4 relative for a to c and
 * 1e-3 for g. */
#include <jansson.h>

#include "backend/backend.h"
#include "support/ow_test.h"

static const char *const files[] = {"a_d4_D1", "b_d8_D2", "c_d16_D1_var",
                                    "g_d40_D1_underflow32"};

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    json_t *document;
    size_t d, C;
    double tolerance;
} fixture;

static void load(fixture *f, const char *name, const char *backend)
{
    char path[256];
    snprintf(path, sizeof path, "tests/golden/circuits/%s.json", name);
    assert_ok(ow_context_new(NULL, &f->ctx));
    assert_ok(ow_circuit_import(f->ctx, path, NULL, &f->circuit));
    assert_ok(ow_evaluator_new(f->circuit, backend, &f->evaluator));
    f->document = json_load_file(path, 0, NULL);
    assert_non_null(f->document);
    f->d = ow_circuit_get_spec(f->circuit)->n_columns;
    f->C = ow_circuit_get_spec(f->circuit)->n_classes;
    f->tolerance = name[0] == 'g' ? 1e-3 : 1e-4;
}

static void unload(fixture *f)
{
    json_decref(f->document);
    ow_evaluator_free(f->evaluator);
    ow_circuit_free(f->circuit);
    ow_context_free(f->ctx);
}

static void numbers(const json_t *object, const char *name, size_t n, double *out)
{
    const json_t *array = json_object_get(object, name);
    for (size_t i = 0; i < n; i++)
        out[i] = json_number_value(json_is_array(array) ? json_array_get(array, i) : array);
}

static void check(const fixture *f, const json_t *one, const char *name, size_t n,
                  const double *got)
{
    double want[64];
    numbers(one, name, n, want);
    assert_close(got, want, n, f->tolerance);
}

static void to_float(size_t n, const double *from, float *to)
{
    for (size_t i = 0; i < n; i++) to[i] = (float)from[i];
}

static void to_double(size_t n, const float *from, double *to)
{
    for (size_t i = 0; i < n; i++) to[i] = (double)from[i];
}

static void check_densities(const fixture *f, const json_t *one)
{
    double x[64], observed[64], log_class[8], log_density, posterior[8];
    float row[64];
    numbers(one, "x", f->d, x);
    to_float(f->d, x, row);
    assert_ok(ow_evaluator_evaluate(f->evaluator, 1, row, NULL, log_class));
    ow_circuit_posterior(f->circuit, 1, log_class, &log_density, posterior);
    check(f, one, "log_S_given_y", f->C, log_class);
    check(f, one, "log_S", 1, &log_density);
    check(f, one, "posterior", f->C, posterior);

    numbers(one, "observed", f->d, observed);
    for (size_t j = 0; j < f->d; j++)
        if (observed[j] == 0.0) row[j] = NAN;
    assert_ok(ow_evaluator_evaluate(f->evaluator, 1, row, NULL, log_class));
    ow_circuit_posterior(f->circuit, 1, log_class, &log_density, NULL);
    check(f, one, "marginal_log_S_given_y", f->C, log_class);
    check(f, one, "marginal_log_S", 1, &log_density);
}

/* Both gradients from one forward pass, and the two steps. */
static void check_steps(const fixture *f, const json_t *one)
{
    double x[64], u[64], gradient[64], factor[8] = {0}, log_class[8], log_density;
    float row[64], gradients[2 * 64];
    const double e1 = json_number_value(json_object_get(f->document, "eps1"));
    const double e2 = json_number_value(json_object_get(f->document, "eps2"));

    numbers(one, "x", f->d, x);
    to_float(f->d, x, row);
    factor[json_integer_value(json_object_get(one, "y_target"))] += 1.0;
    factor[json_integer_value(json_object_get(one, "y"))] -= 1.0;
    const ow_mix mixes[2] = {{factor, 0.0}, {NULL, 1.0}};
    assert_ok(ow_evaluator_differentiate(f->evaluator, 1, row, 2, mixes, NULL, log_class,
                                         gradients));
    check(f, one, "log_S_given_y", f->C, log_class);
    to_double(f->d, gradients, gradient);
    check(f, one, "grad_log_ratio", f->d, gradient);
    for (size_t j = 0; j < f->d; j++) u[j] = x[j] + e1 * gradient[j];
    check(f, one, "u", f->d, u);
    to_double(f->d, gradients + f->d, gradient);
    check(f, one, "grad_log_S", f->d, gradient);

    to_float(f->d, u, row);
    assert_ok(ow_evaluator_differentiate(f->evaluator, 1, row, 1, mixes + 1, NULL,
                                         log_class, gradients));
    ow_circuit_posterior(f->circuit, 1, log_class, &log_density, NULL);
    check(f, one, "log_S_given_y_at_u", f->C, log_class);
    check(f, one, "log_S_at_u", 1, &log_density);
    to_double(f->d, gradients, gradient);
    check(f, one, "grad_log_S_at_u", f->d, gradient);
    for (size_t j = 0; j < f->d; j++) u[j] += e2 * gradient[j];
    check(f, one, "x_prime", f->d, u);
    to_float(f->d, u, row);
    assert_ok(ow_evaluator_evaluate(f->evaluator, 1, row, NULL, log_class));
    ow_circuit_posterior(f->circuit, 1, log_class, &log_density, NULL);
    check(f, one, "log_S_given_y_at_x_prime", f->C, log_class);
    check(f, one, "log_S_at_x_prime", 1, &log_density);
}

static void every_known_value_comes_out_on_every_backend(void **state)
{
    (void)state;
    for (size_t file = 0; file < sizeof files / sizeof *files; file++)
        for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
            fixture f;
            size_t i;
            json_t *one;
            load(&f, files[file], owi_backend_get(b)->name);
            json_array_foreach(json_object_get(f.document, "cases"), i, one)
            {
                check_densities(&f, one);
                check_steps(&f, one);
            }
            unload(&f);
        }
}

/* A tile of 64 lanes must give what single rows give: the cases repeated to 150 rows. */
static void a_batch_gives_what_single_rows_give(void **state)
{
    (void)state;
    for (size_t file = 0; file < sizeof files / sizeof *files; file++)
        for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
            enum { n_rows = 150 };
            fixture f;
            static float rows[n_rows * 64];
            static double log_class[n_rows * 8];
            load(&f, files[file], owi_backend_get(b)->name);
            const json_t *cases = json_object_get(f.document, "cases");
            const size_t n_cases = json_array_size(cases);
            for (size_t i = 0; i < n_rows; i++) {
                double x[64];
                numbers(json_array_get(cases, i % n_cases), "x", f.d, x);
                to_float(f.d, x, rows + i * f.d);
                if (i % 7 == 0) rows[i * f.d + i % f.d] = NAN; /* gaps in some rows */
            }
            assert_ok(ow_evaluator_evaluate(f.evaluator, n_rows, rows, NULL, log_class));
            for (size_t i = 0; i < n_rows; i++) {
                double single[8];
                assert_ok(
                    ow_evaluator_evaluate(f.evaluator, 1, rows + i * f.d, NULL, single));
                assert_close(log_class + i * f.C, single, f.C, f.tolerance);
            }
            unload(&f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_known_value_comes_out_on_every_backend),
        cmocka_unit_test(a_batch_gives_what_single_rows_give),
    };
    return cmocka_run_group_tests_name("circuit/vectors", tests, NULL, NULL);
}
