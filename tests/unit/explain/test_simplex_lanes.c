/* SPDX-License-Identifier: MIT */
/* Several rows at a time onto the simplex: each as if it were alone. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "explain/constraints/boxes.h"
#include "explain/constraints/simplex_lanes.h"

enum { L = owi_simplex_lanes, most = 43, n_trials = 400 };

/* Shares as descents make them (one large, the rest about 0), far away ones, and ties. */
static float some_share(owi_rng *rng, size_t trial, bool is_large)
{
    switch (trial % 4) {
    case 0:
        return (is_large ? 1.0f : 0.0f) + (float)(0.05 * owi_rng_normal(rng));
    case 1:
        return (float)(1e6 * owi_rng_normal(rng));
    case 2:
        return (float)owi_rng_below(rng, 3) / 2.0f;
    default:
        return (float)owi_rng_normal(rng);
    }
}

static void every_lane_comes_out_as_the_row_alone_does(void **state)
{
    (void)state;
    owi_rng rng;
    owi_rng_init(&rng, 31, 0);
    for (size_t trial = 0; trial < n_trials; trial++) {
        const size_t n = 1 + trial % most;
        float lanes[most * L], moved[most * L], alone[L][most];
        float bar[L][most];
        for (size_t i = 0; i < L; i++) {
            const size_t large = owi_rng_below(&rng, n);
            const size_t own = owi_rng_below(&rng, n);
            for (size_t k = 0; k < n; k++) {
                bar[i][k] = k == own || owi_rng_below(&rng, 4) > 0 ? INFINITY : -INFINITY;
                alone[i][k] = some_share(&rng, trial, k == large);
                lanes[k * L + i] = bar[i][k] > 0.0f ? alone[i][k] : -INFINITY;
            }
            owi_project_to_simplex(n, bar[i], alone[i]);
        }
        owi_project_lanes_to_simplex(n, lanes, moved);
        for (size_t i = 0; i < L; i++)
            for (size_t k = 0; k < n; k++)
                assert_memory_equal(&moved[k * L + i], &alone[i][k], sizeof(float));
    }
}

/* Every third lane is missing, every third has one share that is no number. */
static void a_lane_of_nothing_stays_and_a_hole_counts_as_nothing(void **state)
{
    (void)state;
    enum { n = 5 };
    float lanes[n * L], moved[n * L], alone[L][n];
    const float bar[n] = {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY};
    owi_rng rng;
    owi_rng_init(&rng, 32, 0);
    for (size_t i = 0; i < L; i++) {
        for (size_t k = 0; k < n; k++)
            alone[i][k] = i % 3 == 0 || (i % 3 == 1 && k == i % n)
                              ? NAN
                              : (float)owi_rng_normal(&rng) - 2.0f;
        for (size_t k = 0; k < n; k++) lanes[k * L + i] = alone[i][k];
        owi_project_to_simplex(n, bar, alone[i]);
    }
    owi_project_lanes_to_simplex(n, lanes, moved);
    for (size_t i = 0; i < L; i++)
        for (size_t k = 0; k < n; k++)
            assert_memory_equal(&moved[k * L + i], &alone[i][k], sizeof(float));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_lane_comes_out_as_the_row_alone_does),
        cmocka_unit_test(a_lane_of_nothing_stays_and_a_hole_counts_as_nothing),
    };
    return cmocka_run_group_tests_name("explain/simplex_lanes", tests, NULL, NULL);
}
