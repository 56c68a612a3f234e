/* SPDX-License-Identifier: MIT */
/* The bound on what a move of a row does to the odds of its classes: nothing exceeds it,
 * and something reaches it. */
#include "support/random_circuits.h"

#include "base/numeric/rng.h"
#include "circuit/query/class_drift.h"

enum { d = 5, C = 3, n_rows = 200 };

static ow_circuit *make(ow_context *ctx, ow_structure structure, size_t depth,
                        size_t inputs, uint64_t seed)
{
    static ow_leaf leaves[d];
    for (size_t j = 0; j < d; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = structure,
                                  .depth = depth,
                                  .repetitions = depth == 0 ? 1 : 2,
                                  .inputs = inputs,
                                  .sums = 2,
                                  .n_classes = C,
                                  .n_columns = d,
                                  .leaves = leaves,
                                  .variance = 0.5};
    return ow_random_circuit(ctx, &spec, seed);
}

static void draw(owi_rng *rng, double width, const float *around, float *row)
{
    for (size_t j = 0; j < d; j++)
        row[j] = around[j] + (float)(width * owi_rng_normal(rng));
}

/* log S(to given a) - log S(to given b), less the same of `from`. */
static double odds_change(const ow_circuit *circuit, size_t a, size_t b, const float *from,
                          const float *to)
{
    return ow_brute_log_class(circuit, a, to) - ow_brute_log_class(circuit, b, to) -
           ow_brute_log_class(circuit, a, from) + ow_brute_log_class(circuit, b, from);
}

static void no_odds_drift_farther(void **state)
{
    ow_context *ctx = ow_test_context(state);
    float spread[d], least[d], from[d], to[d];
    static const float origin[d];
    for (size_t i = 0; i < n_rows; i++) {
        owi_rng rng;
        owi_rng_init(&rng, 8, i);
        ow_circuit *circuit = make(ctx, (ow_structure)(i % 2), i % 3, 1 + i % 4, i);
        owi_feature_spread(circuit, least, spread);
        draw(&rng, 2.0, origin, from);
        draw(&rng, i % 5 == 0 ? 3.0 : 0.1, from, to);
        const double most = owi_most_drift(d, spread, from, to);
        for (size_t a = 0; a < C; a++)
            assert_true(fabs(odds_change(circuit, a, (a + 1) % C, from, to)) <=
                        most * (1.0 + 1e-5) + 1e-9);
        ow_circuit_free(circuit);
    }
}

/* Two classes of one component each that have the smallest and the largest parameter of
 * every column that moves. */
static void some_odds_drift_as_far(void **state)
{
    ow_context *ctx = ow_test_context(state);
    float spread[d], least[d], from[d] = {0}, to[d] = {0};
    ow_circuit *circuit = make(ctx, OW_STRUCTURE_PER_CLASS, 0, 1, 4);
    owi_feature_spread(circuit, least, spread);
    for (size_t j = 0; j < d; j++) {
        to[j] = 0.3f;
        double largest = 0.0;
        for (size_t a = 0; a < C; a++)
            largest = fmax(largest, fabs(odds_change(circuit, a, (a + 1) % C, from, to)));
        const double most = owi_most_drift(d, spread, from, to);
        assert_close(&largest, &most, 1, 1e-4);
        to[j] = 0.0f;
    }
    to[2] = NAN;
    assert_true(isnan(owi_most_drift(d, spread, from, to)));
    ow_circuit_free(circuit);
}

/* More columns than are added side by side. */
static void long_rows_add_up(void **state)
{
    enum { n = 37 };
    float spread[n], from[n], to[n];
    double want = 0.0;
    (void)state;
    for (size_t j = 0; j < n; j++) {
        spread[j] = (float)(j + 1);
        from[j] = (float)j;
        to[j] = (float)j + (j % 2 == 0 ? 0.5f : -0.25f);
        want += (double)spread[j] * (j % 2 == 0 ? 0.5 : 0.25);
    }
    const double got = owi_most_drift(n, spread, from, to);
    assert_close(&got, &want, 1, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(no_odds_drift_farther),
        ow_test_on_heap(some_odds_drift_as_far),
        cmocka_unit_test(long_rows_add_up),
    };
    return cmocka_run_group_tests_name("circuit/class_drift", tests, NULL, NULL);
}
