/* SPDX-License-Identifier: MIT */
/* Synthetic sets: where the points lie, and that they lie there again. */
#include "support/ow_test.h"

enum { n_rows = 6000 };

static double points[2 * n_rows], more[2 * n_rows];
static int32_t classes[n_rows], more_classes[n_rows];

static void classes_come_in_turn(void **state)
{
    const ow_test_heap *heap = *state;
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_RINGS, n_rows, 5, 0.1, 1, points,
                                classes));
    for (int32_t i = 0; i < n_rows; i++) assert_int_equal(classes[i], i % 5);
}

static void moons_without_noise_are_two_half_circles(void **state)
{
    const ow_test_heap *heap = *state;
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, n_rows, 2, 0.0, 1, points,
                                classes));
    for (size_t i = 0; i < n_rows; i++) {
        const double x = points[2 * i], y = points[2 * i + 1], one = 1.0;
        /* The second moon is the first turned by half a turn about (1/2, 1/4). */
        const double first_x = classes[i] == 0 ? x : 1.0 - x;
        const double first_y = classes[i] == 0 ? y : 0.5 - y;
        const double radius = hypot(first_x, first_y);
        assert_close(&radius, &one, 1, 1e-15);
        assert_true(first_y >= 0.0);
    }
}

static void rings_without_noise_have_radii_in_even_steps(void **state)
{
    const ow_test_heap *heap = *state;
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_RINGS, n_rows, 3, 0.0, 1, points,
                                classes));
    for (size_t i = 0; i < n_rows; i++) {
        const double radius = hypot(points[2 * i], points[2 * i + 1]);
        const double want = (classes[i] + 1) / 3.0;
        assert_close(&radius, &want, 1, 1e-15);
    }
}

static void blobs_without_noise_are_the_corners_of_a_polygon(void **state)
{
    const ow_test_heap *heap = *state;
    assert_ok(
        ow_synthetic_make(heap->ctx, OW_SYNTHETIC_BLOBS, 8, 4, 0.0, 1, points, classes));
    const double want[] = {1, 0, 0, 1, -1, 0, 0, -1, 1, 0, 0, 1, -1, 0, 0, -1};
    assert_close(points, want, 16, 1e-15);
}

/* The angle is uniform: its mean and that of its square, of 3000 points a class, within
 * five standard errors.  E u = 1/2, var u = 1/12; E u^2 = 1/3, var u^2 = 4/45. */
static void points_are_spread_evenly_along_the_curve(void **state)
{
    const ow_test_heap *heap = *state;
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, n_rows, 2, 0.0, 7, points,
                                classes));
    double mean[2] = {0, 0}, square[2] = {0, 0};
    const double n = n_rows / 2.0, half[] = {0.5, 0.5}, third[] = {1 / 3.0, 1 / 3.0};
    for (size_t i = 0; i < n_rows; i++) {
        const double x = classes[i] == 0 ? points[2 * i] : 1.0 - points[2 * i];
        const double u = acos(x) / acos(-1.0);
        mean[classes[i]] += u / n;
        square[classes[i]] += u * u / n;
    }
    assert_close(mean, half, 2, 5 * sqrt(1 / 12.0 / n));
    assert_close(square, third, 2, 5 * sqrt(4 / 45.0 / n));
}

/* Blobs are Gaussian: mean, variance and covariance of each cloud of n = 2000 within five
 * standard errors (noise / sqrt(n), noise^2 sqrt(2 / n), noise^2 / sqrt(n)). */
static void blobs_have_the_moments_of_their_noise(void **state)
{
    const ow_test_heap *heap = *state;
    enum { n_classes = 3 };
    const double noise = 0.2, n = (double)n_rows / n_classes;
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_BLOBS, n_rows, n_classes, noise, 3,
                                points, classes));
    double corners[2 * n_classes];
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_BLOBS, n_classes, n_classes, 0.0, 3,
                                corners, more_classes));
    for (int32_t c = 0; c < n_classes; c++) {
        double sum[5] = {0};
        for (size_t i = 0; i < n_rows; i++) {
            if (classes[i] != c) continue;
            const double x = points[2 * i] - corners[2 * c];
            const double y = points[2 * i + 1] - corners[2 * c + 1];
            const double terms[] = {x, y, x * x, y * y, x * y};
            for (int k = 0; k < 5; k++) sum[k] += terms[k] / n;
        }
        const double variance = noise * noise;
        const double want[] = {0.0, 0.0, variance, variance, 0.0};
        assert_close(sum, want, 2, 5 * noise / sqrt(n));
        assert_close(sum + 2, want + 2, 2, 5 * variance * sqrt(2 / n));
        assert_close(sum + 4, want + 4, 1, 5 * variance / sqrt(n));
    }
}

static void the_seed_decides_and_more_rows_change_nothing(void **state)
{
    const ow_test_heap *heap = *state;
    assert_ok(
        ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 100, 2, 0.1, 5, points, classes));
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 200, 2, 0.1, 5, more,
                                more_classes));
    assert_memory_equal(points, more, 200 * sizeof *points);
    assert_memory_equal(classes, more_classes, 100 * sizeof *classes);
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 100, 2, 0.1, 6, more,
                                more_classes));
    assert_memory_not_equal(points, more, 200 * sizeof *points);
}

/* A split with the same seed as the points must not cut along the curve: if both drew the
 * same numbers, the test rows would be the ends of the moons. */
static void points_and_split_of_one_seed_are_independent(void **state)
{
    const ow_test_heap *heap = *state;
    static bool is_test[n_rows];
    assert_ok(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_RINGS, n_rows, 2, 0.0, 0, points,
                                classes));
    assert_ok(ow_split_by_share(heap->ctx, n_rows, classes, 0.5, NULL, is_test));
    double mean[2] = {0, 0};
    const double zero[] = {0, 0};
    for (size_t i = 0; i < n_rows; i++)
        for (size_t k = 0; k < 2; k++)
            if (is_test[i]) mean[k] += points[2 * i + k] / (n_rows / 2.0);
    assert_close(mean, zero, 2, 5 * sqrt(0.5 / (n_rows / 2.0)));
}

static void what_makes_no_set_is_said(void **state)
{
    const ow_test_heap *heap = *state;
    assert_ok(
        ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 0, 2, 0.0, 1, points, classes));
    assert_fails(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 4, 3, 0.0, 1, points,
                                   classes),
                 OW_ERR_ARGUMENT, "moons with 3 classes, expected 2");
    assert_fails(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_BLOBS, 4, 1, 0.0, 1, points,
                                   classes),
                 OW_ERR_ARGUMENT, "1 classes, expected 2 to 2147483647");
    assert_fails(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_RINGS, 4, SIZE_MAX, 0.0, 1,
                                   points, classes),
                 OW_ERR_ARGUMENT, "expected 2 to 2147483647");
    assert_fails(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 4, 2, -0.5, 1, points,
                                   classes),
                 OW_ERR_ARGUMENT, "the noise is -0.5");
    assert_fails(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 4, 2, INFINITY, 1, points,
                                   classes),
                 OW_ERR_ARGUMENT, "the noise is inf");
    assert_fails(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 4, 2, NAN, 1, points,
                                   classes),
                 OW_ERR_ARGUMENT, "the noise is");
    assert_fails(ow_synthetic_make(heap->ctx, (ow_synthetic_kind)9, 4, 2, 0.0, 1, points,
                                   classes),
                 OW_ERR_ARGUMENT, "kind == OW_SYNTHETIC_MOONS");
    assert_fails(ow_synthetic_make(heap->ctx, OW_SYNTHETIC_MOONS, 4, 2, 0.0, 1, points,
                                   NULL),
                 OW_ERR_ARGUMENT, "classes != NULL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_come_in_turn),
        cmocka_unit_test(moons_without_noise_are_two_half_circles),
        cmocka_unit_test(rings_without_noise_have_radii_in_even_steps),
        cmocka_unit_test(blobs_without_noise_are_the_corners_of_a_polygon),
        cmocka_unit_test(points_are_spread_evenly_along_the_curve),
        cmocka_unit_test(blobs_have_the_moments_of_their_noise),
        cmocka_unit_test(the_seed_decides_and_more_rows_change_nothing),
        cmocka_unit_test(points_and_split_of_one_seed_are_independent),
        cmocka_unit_test(what_makes_no_set_is_said),
    };
    return cmocka_run_group_tests_name("data/synthetic", tests, ow_test_set_up_heap,
                                       ow_test_tear_down_heap);
}
