/* SPDX-License-Identifier: MIT */
/* Gradients with respect to the inputs, the identities that they fulfil, and what an
 * evaluator refuses. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "backend/backend.h"
#include "circuit/structure/circuit.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { d = ow_tiny_columns, C = 3 };

/* sum_c factor[c] log S(x given c) + density log S(x), straight from the definition. */
static double mixed(const ow_circuit *circuit, const double *row, const double *factor,
                    double density)
{
    double sum = 0.0, top = -INFINITY, total = 0.0, log_class[C];
    for (size_t c = 0; c < C; c++) {
        log_class[c] = ow_brute_log_class_at(circuit, c, row);
        if (factor != NULL) sum += factor[c] * log_class[c];
        top = fmax(top, log_class[c] + circuit->log_prior[c]);
    }
    for (size_t c = 0; c < C; c++) total += exp(log_class[c] + circuit->log_prior[c] - top);
    return sum + density * (top + log(total));
}

/* Central differences; levels, masses and gaps cannot move. */
static void differences(const ow_circuit *circuit, const float *row, const double *factor,
                        double density, double *gradient)
{
    double at[d];
    for (size_t j = 0; j < d; j++) at[j] = (double)row[j];
    for (size_t j = 0; j < d; j++) {
        const ow_leaf *leaf = &circuit->leaves[j];
        const double x = at[j], step = 1e-5 * fmax(1.0, fabs(x));
        gradient[j] = 0.0;
        if (isnan(x) || leaf->n_levels > 0) continue;
        bool is_mass = false;
        for (size_t i = 0; i < leaf->n_masses; i++) is_mass |= row[j] == leaf->masses[i];
        if (is_mass) continue;
        at[j] = x + step;
        gradient[j] = mixed(circuit, at, factor, density);
        at[j] = x - step;
        gradient[j] = (gradient[j] - mixed(circuit, at, factor, density)) / (2.0 * step);
        at[j] = x;
    }
}

static const ow_leaf *leaves_for(double variance, ow_leaf leaves[d])
{
    memcpy(leaves, variance > 0.0 ? ow_tiny_leaves : ow_tiny_tails, sizeof ow_tiny_leaves);
    if (variance > 0.0) leaves[4] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = 4};
    return leaves;
}

/* Every leaf kind, both structures, three mixes from one call, every backend, in batches
 * and alone. */
static void gradients_are_the_limits_of_differences(void **state)
{
    (void)state;
    enum { n_rows = 16, n_mixes = 3 };
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.15, 2);
    static double factor[n_rows * C];
    for (size_t i = 0; i < n_rows * C; i++) factor[i] = (double)(i * 7 % 5) - 2.0;
    const ow_mix mixes[n_mixes] = {{factor, 0.0}, {NULL, 1.0}, {factor, -0.7}};
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
        for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
             structure++)
            for (int fixed = 0; fixed < 2; fixed++) {
                ow_leaf leaves[d];
                ow_circuit_spec spec = ow_tiny_spec((ow_structure)structure, depth, C);
                spec.variance = fixed ? 0.6 : 0.0;
                spec.leaves = leaves_for(spec.variance, leaves);
                ow_context *ctx = NULL;
                assert_ok(ow_context_new(NULL, &ctx));
                ow_circuit *circuit = ow_random_circuit(ctx, &spec, 40 + depth);
                static double want[n_mixes * n_rows * d];
                for (size_t m = 0; m < n_mixes; m++)
                    for (size_t i = 0; i < n_rows; i++)
                        differences(circuit, rows.rows + i * d,
                                    m == 1 ? NULL : factor + i * C, mixes[m].density_factor,
                                    want + (m * n_rows + i) * d);
                for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
                    ow_evaluator *evaluator = NULL;
                    static float gradients[n_mixes * n_rows * d];
                    static double got[n_mixes * n_rows * d];
                    double log_class[n_rows * C], alone[n_rows * C];
                    assert_ok(
                        ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
                    assert_ok(ow_evaluator_differentiate(evaluator, n_rows, rows.rows,
                                                         n_mixes, mixes, &how, log_class,
                                                         gradients));
                    for (size_t i = 0; i < n_mixes * n_rows * d; i++)
                        got[i] = (double)gradients[i];
                    assert_close(got, want, n_mixes * n_rows * d, 2e-5);
                    assert_ok(
                        ow_evaluator_evaluate(evaluator, n_rows, rows.rows, &how, alone));
                    assert_close(log_class, alone, n_rows * C, 0.0);
                    assert_ok(ow_evaluator_differentiate(evaluator, 1, rows.rows, n_mixes,
                                                         mixes, &how, NULL, gradients));
                    for (size_t m = 0; m < n_mixes; m++) {
                        for (size_t j = 0; j < d; j++)
                            got[j] = (double)gradients[m * d + j];
                        assert_close(got, want + m * n_rows * d, d, 2e-5);
                    }
                    ow_evaluator_free(evaluator);
                }
                ow_circuit_free(circuit);
                ow_context_free(ctx);
            }
    ow_tiny_rows_free(&rows);
}

/* 60 to 3000 standard deviations out, below inner sums whose log-values no float holds to
 * better than a tenth: relative to its size the gradient is right. */
static void gradients_hold_in_tails(void **state)
{
    (void)state;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, C);
    const ow_mix mix = {NULL, 1.0};
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 4);
    for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
        ow_evaluator *evaluator = NULL;
        assert_ok(ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
        for (float far = 60.0f; far < 4000.0f; far *= 7.0f) {
            float row[d] = {far, -far, 1.0f, 0.0f, 2.0f * far, 3.0f, 1.0f}, gradient[d];
            double want[d];
            differences(circuit, row, NULL, 1.0, want);
            assert_ok(ow_evaluator_differentiate(evaluator, 1, row, 1, &mix, &how, NULL,
                                                 gradient));
            for (size_t j = 0; j < d; j++) {
                const double got = (double)gradient[j];
                assert_close(&got, &want[j], 1, 1e-3);
            }
        }
        ow_evaluator_free(evaluator);
    }
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

/* ---- Identities for a fixed variance v ---- */

typedef struct {
    ow_context *ctx;
    ow_circuit *circuit;
    ow_evaluator *evaluator;
    double v;
} gaussians;

static gaussians gaussians_new(double v, size_t depth)
{
    static ow_leaf leaves[5];
    for (size_t j = 0; j < 5; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = OW_STRUCTURE_SHARED,
                                  .depth = depth == ow_tree_depth ? 0 : depth,
                                  .parents =
                                      depth == ow_tree_depth ? ow_tree_parents(5) : NULL,
                                  .repetitions = 2,
                                  .sums = 2,
                                  .inputs = 3,
                                  .n_classes = C,
                                  .n_columns = 5,
                                  .leaves = leaves,
                                  .variance = v};
    gaussians g = {.v = v};
    assert_ok(ow_context_new(NULL, &g.ctx));
    g.circuit = ow_random_circuit(g.ctx, &spec, 8);
    assert_ok(ow_evaluator_new(g.circuit, NULL, &g.evaluator));
    return g;
}

static void gaussians_free(gaussians *g)
{
    ow_evaluator_free(g->evaluator);
    ow_circuit_free(g->circuit);
    ow_context_free(g->ctx);
}

static double log_density_at(const gaussians *g, const float *row)
{
    double log_class[C], log_density;
    assert_ok(ow_evaluator_evaluate(g->evaluator, 1, row, &how, log_class));
    ow_circuit_posterior(g->circuit, 1, log_class, &log_density, NULL);
    return log_density;
}

/* The posterior mean of the means is linear in each mean: its derivative is what log S
 * gains when a mean moves, so x + v d log S/dx = sum over components of posterior * mean.
 * Posteriors by finite differences: d log S / d mean = posterior (x - mean) / v. */
static void a_step_of_the_variance_lands_on_the_mean_of_the_means(void **state)
{
    (void)state;
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        gaussians g = gaussians_new(0.7, depth);
        const float row[5] = {0.3f, -1.0f, 0.9f, 2.0f, -0.4f};
        const ow_mix mix = {NULL, 1.0};
        float gradient[5];
        double mean[5] = {0}, share[5] = {0};
        assert_ok(
            ow_evaluator_differentiate(g.evaluator, 1, row, 1, &mix, &how, NULL, gradient));
        for (size_t r = 0; r < g.circuit->regions.n_regions; r++)
            for (size_t at = 3 * g.circuit->scope_start[r];
                 at < 3 * g.circuit->scope_start[r + 1]; at++) {
                const size_t width =
                    g.circuit->scope_start[r + 1] - g.circuit->scope_start[r];
                const uint32_t j =
                    g.circuit->regions
                        .columns[g.circuit->regions.start[r] +
                                 (at - 3 * g.circuit->scope_start[r]) % width];
                float *parameter = &g.circuit->leaf[at];
                const float mu = *parameter;
                const double step = 1e-3;
                *parameter = (float)((double)mu + step);
                const double up = (double)*parameter;
                const double high = ow_brute_log_density(g.circuit, row);
                *parameter = (float)((double)mu - step);
                const double slope = (high - ow_brute_log_density(g.circuit, row)) /
                                     (up - (double)*parameter);
                *parameter = mu;
                const double posterior = slope * g.v / ((double)row[j] - (double)mu);
                mean[j] += posterior * (double)mu;
                share[j] += posterior;
            }
        for (size_t j = 0; j < 5; j++) {
            const double got = (double)row[j] + g.v * (double)gradient[j], one = 1.0;
            assert_close(&share[j], &one, 1, 1e-3); /* posteriors sum to 1 */
            assert_close(&got, &mean[j], 1, 2e-3);
        }
        gaussians_free(&g);
    }
}

/* Any step along the gradient shorter than twice the variance raises log S. */
static void the_density_does_not_fall_for_steps_below_twice_the_variance(void **state)
{
    (void)state;
    static const double shares[] = {0.01, 0.5, 1.0, 1.5, 1.99};
    for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2)) {
        gaussians g = gaussians_new(0.7, depth);
        for (size_t start = 0; start < 20; start++) {
            const ow_mix mix = {NULL, 1.0};
            float row[5], moved[5], gradient[5];
            for (size_t j = 0; j < 5; j++)
                row[j] = (float)((start * 13 + j * 7) % 17) - 8.0f;
            assert_ok(ow_evaluator_differentiate(g.evaluator, 1, row, 1, &mix, &how, NULL,
                                                 gradient));
            const double before = log_density_at(&g, row);
            for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
                for (size_t j = 0; j < 5; j++)
                    moved[j] =
                        (float)((double)row[j] + shares[i] * g.v * (double)gradient[j]);
                assert_true(log_density_at(&g, moved) >= before - 1e-5 * fabs(before));
            }
        }
        gaussians_free(&g);
    }
}

/* ---- Posteriors, and what is refused ---- */

static void posteriors_are_what_bayes_says(void **state)
{
    (void)state;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_SHARED, 1, C);
    ow_context *ctx = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 4);
    assert_ok(ow_circuit_set_prior(circuit, (const double[]){0.5, 0.0, 0.5}));
    const double log_class[4 * C] = {-1.0,      5.0,       -2.0,      -5000.0,
                                     0.0,       -5001.0,   -INFINITY, -INFINITY,
                                     -INFINITY, -INFINITY, -3.0,      2.0};
    double log_density[4], posterior[4 * C];
    ow_circuit_posterior(circuit, 4, log_class, log_density, posterior);
    const double odds = 1.0 / (1.0 + exp(-1.0));
    const double want[4 * C] = {odds, 0.0, 1.0 - odds, odds, 0.0, 1.0 - odds,
                                0.5,  0.0, 0.5,        0.0,  0.0, 1.0};
    const double want_density[4] = {log(0.5 * (exp(-1.0) + exp(-2.0))),
                                    -5000.0 + log(0.5 * (1.0 + exp(-1.0))), -INFINITY,
                                    2.0 + log(0.5)};
    assert_close(posterior, want, 4 * C, 1e-12);
    assert_close(log_density, want_density, 4, 1e-12);
    ow_circuit_posterior(circuit, 4, log_class, NULL, NULL);

    assert_fails(ow_circuit_set_prior(circuit, (const double[]){0.5, -0.5, 1.0}),
                 OW_ERR_NUMERIC, "the prior of class 1 is -0.5");
    assert_fails(ow_circuit_set_prior(circuit, (const double[]){0.5, 0.3, 0.3}),
                 OW_ERR_NUMERIC, "sums to 1.1");
    assert_fails(ow_circuit_set_prior(circuit, (const double[]){0.5, (double)NAN, 0.5}),
                 OW_ERR_NUMERIC, "class 1");
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static void bad_rows_are_named_by_row_and_column(void **state)
{
    (void)state;
    enum { n_rows = 200 };
    ow_tiny_rows rows = ow_tiny_rows_new(n_rows, C, 0.1, 2);
    static double log_class[n_rows * C];
    static float gradients[n_rows * d];
    static const struct {
        size_t row, column;
        float value;
        const char *sentence;
    } bad[] = {
        {0, 0, INFINITY, "row 1, column 0: expected a number, got infinity"},
        {3, 4, -INFINITY, "row 4, column 4: expected a number, got infinity"},
        {7, 2, 3.0f, "row 8, column 2: expected a level from 0 to 2, got 3"},
        {64, 2, -1.0f, "row 65, column 2: expected a level from 0 to 2, got -1"},
        {130, 3, 0.5f, "row 131, column 3: expected a level from 0 to 1, got 0.5"},
        {199, 6, INFINITY, "row 200, column 6: expected a level from 0 to 1, got inf"},
    };
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, C);
    const ow_mix mix = {NULL, 1.0};
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    how.threads = 3;
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 4);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        float *value = &rows.rows[bad[i].row * d + bad[i].column];
        const float before = *value;
        *value = bad[i].value;
        assert_fails(ow_evaluator_evaluate(evaluator, n_rows, rows.rows, &how, log_class),
                     OW_ERR_NUMERIC, bad[i].sentence);
        assert_fails(ow_evaluator_differentiate(evaluator, n_rows, rows.rows, 1, &mix, &how,
                                                log_class, gradients),
                     OW_ERR_NUMERIC, bad[i].sentence);
        *value = before;
    }
    /* One bad row alone is not tiled. */
    rows.rows[2] = 9.0f;
    assert_fails(ow_evaluator_evaluate(evaluator, 1, rows.rows, &how, log_class),
                 OW_ERR_NUMERIC, "row 1, column 2: expected a level from 0 to 2, got 9");
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
    ow_tiny_rows_free(&rows);
}

static void callers_mistakes_are_told(void **state)
{
    (void)state;
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 1, C);
    const ow_mix mix = {NULL, 1.0};
    float row[d] = {0}, gradient[d];
    double log_class[C];
    ow_context *ctx = NULL;
    ow_evaluator *evaluator = NULL;
    assert_ok(ow_context_new(NULL, &ctx));
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 4);
    assert_fails(ow_evaluator_new(circuit, "opencl", &evaluator), OW_ERR_UNSUPPORTED,
                 "no backend opencl on this machine; there are cpu");
    assert_null(evaluator);
    assert_non_null(strstr(ow_error_message(), ", ref"));
    assert_status(ow_evaluator_new(NULL, NULL, &evaluator), OW_ERR_ARGUMENT);
    assert_status(ow_evaluator_new(circuit, NULL, NULL), OW_ERR_ARGUMENT);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_status(ow_evaluator_evaluate(NULL, 1, row, &how, log_class), OW_ERR_ARGUMENT);
    assert_status(ow_evaluator_evaluate(evaluator, 1, NULL, &how, log_class),
                  OW_ERR_ARGUMENT);
    assert_status(ow_evaluator_evaluate(evaluator, 1, row, &how, NULL), OW_ERR_ARGUMENT);
    assert_status(ow_evaluator_differentiate(evaluator, 1, row, 1, NULL, &how, NULL,
                                             gradient),
                  OW_ERR_ARGUMENT);
    assert_status(ow_evaluator_differentiate(evaluator, 1, row, 1, &mix, &how, NULL, NULL),
                  OW_ERR_ARGUMENT);
    assert_ok(ow_evaluator_evaluate(evaluator, 0, NULL, &how, NULL));
    assert_ok(ow_evaluator_differentiate(evaluator, 0, NULL, 1, &mix, &how, NULL, NULL));
    assert_ok(
        ow_evaluator_differentiate(evaluator, 1, row, 0, NULL, &how, log_class, NULL));
    ow_evaluator_free(evaluator);
    ow_evaluator_free(NULL);
    ow_circuit_free(circuit);
    ow_context_free(ctx);
}

static ow_status make_and_use(ow_context *ctx, void *user)
{
    const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, 2, C);
    double log_class[100 * C];
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    how.threads = 2;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_evaluator_new(circuit, NULL, &evaluator);
    if (status == OW_OK)
        status = ow_evaluator_evaluate(evaluator, 100, user, &how, log_class);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return status;
}

static void any_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_tiny_rows rows = ow_tiny_rows_new(100, C, 0.1, 2);
    ow_test_sweep(make_and_use, rows.rows);
    ow_tiny_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_the_limits_of_differences),
        cmocka_unit_test(gradients_hold_in_tails),
        cmocka_unit_test(a_step_of_the_variance_lands_on_the_mean_of_the_means),
        cmocka_unit_test(the_density_does_not_fall_for_steps_below_twice_the_variance),
        cmocka_unit_test(posteriors_are_what_bayes_says),
        cmocka_unit_test(bad_rows_are_named_by_row_and_column),
        cmocka_unit_test(callers_mistakes_are_told),
        cmocka_unit_test(any_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/evaluator", tests, NULL, NULL);
}
