/* SPDX-License-Identifier: MIT */
/* Nearest rows by the product, against all distances in double. */
#include "support/ow_test.h"

#include "base/numeric/rng.h"
#include "explain/face/near_rows.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { n_rows = 150, width = 37, most_points = 70, k = 4 };

static void draw(owi_rng *rng, size_t n, double offset, float *rows)
{
    for (size_t i = 0; i < n; i++) rows[i] = (float)(offset + owi_rng_normal(rng));
}

/* Squared distance with the mean standing in for what is missing. */
static double plain_distance(const float *a, const float *b, const double *mean)
{
    double square = 0.0;
    for (size_t j = 0; j < width; j++) {
        const double x = isnan(a[j]) ? mean[j] : (double)a[j];
        const double y = isnan(b[j]) ? mean[j] : (double)b[j];
        square += (x - y) * (x - y);
    }
    return sqrt(square);
}

static void find_means(const float *rows, double *mean)
{
    for (size_t j = 0; j < width; j++) {
        size_t n = 0;
        mean[j] = 0.0;
        for (size_t i = 0; i < n_rows; i++)
            if (!isnan(rows[i * width + j])) {
                mean[j] += (double)rows[i * width + j];
                n++;
            }
        mean[j] /= (double)n;
    }
}

typedef struct {
    size_t n[most_points];
    owi_near found[most_points][k];
    bool odd_only;
} collected;

static bool is_odd(const void *user, size_t point, uint32_t row)
{
    const collected *all = user;
    (void)point;
    return !all->odd_only || row % 2 == 1;
}

static ow_status collect(void *user, const owi_point *point)
{
    collected *all = user;
    all->n[point->index] =
        owi_point_nearest(point, k, is_odd, all, all->found[point->index]);
    return OW_OK;
}

/* All rows in order of distance, then of number, k of them. */
static void search_plainly(const float *point, const float *rows, const double *mean,
                           bool odd_only, owi_near *found)
{
    size_t n = 0;
    for (uint32_t i = 0; i < n_rows; i++) {
        const double distance = plain_distance(point, rows + i * width, mean);
        if (odd_only && i % 2 == 0) continue;
        size_t at = n < k ? n++ : k;
        for (; at > 0 && found[at - 1].distance > distance; at--)
            if (at < k) found[at] = found[at - 1];
        if (at < k) found[at] = (owi_near){i, distance};
    }
}

static void check(ow_context *ctx, const char *backend, size_t n_points, double offset,
                  bool with_gaps, bool odd_only)
{
    static float rows[n_rows * width], points[most_points * width];
    static collected got;
    double mean[width];
    owi_near_rows known;
    owi_rng rng;
    owi_rng_init(&rng, 5, n_points);
    draw(&rng, n_rows * width, offset, rows);
    draw(&rng, n_points * width, offset, points);
    memcpy(rows + 7 * width, rows + 3 * width, width * sizeof *rows); /* twins */
    memcpy(points, rows + 3 * width, width * sizeof *rows);
    for (size_t i = 0; with_gaps && i < n_rows; i += 3) rows[i * width + i % width] = NAN;
    for (size_t i = 0; with_gaps && i < n_points; i += 2) points[i * width + 1] = NAN;
    find_means(rows, mean);

    assert_ok(owi_near_rows_init(&known, ow_test_call(ctx, NULL), owi_backend_find(backend),
                                 n_rows, width, rows));
    got.odd_only = odd_only;
    assert_ok(owi_near_rows_visit(ow_test_call(known.ctx, &how), &known, n_points, points,
                                  collect, &got));
    for (size_t i = 0; i < n_points; i++) {
        owi_near want[k] = {{0}};
        search_plainly(points + i * width, rows, mean, odd_only, want);
        assert_int_equal(got.n[i], k);
        for (size_t a = 0; a < k; a++) {
            assert_int_equal(got.found[i][a].row, want[a].row);
            assert_close(&got.found[i][a].distance, &want[a].distance, 1, 1e-5);
        }
    }
    owi_near_rows_clear(&known);
}

static void the_nearest_rows_are_those_of_all_distances(void **state)
{
    for (size_t b = 0; owi_backend_get(b) != NULL; b++)
        for (size_t gaps = 0; gaps < 2; gaps++) {
            check(ow_test_context(state), owi_backend_get(b)->name, 3, 0.0, gaps, false);
            check(ow_test_context(state), owi_backend_get(b)->name, 70, 0.0, gaps, false);
        }
}

/* Far from 0 a product of the rows as they are has no correct digit of a distance. */
static void rows_far_from_zero_do_not_cancel(void **state)
{
    check(ow_test_context(state), "cpu", 20, 1000.0, false, false);
}

static void rows_that_do_not_count_are_passed_over(void **state)
{
    check(ow_test_context(state), "cpu", 20, 0.0, false, true);
}

static ow_status check_bound(void *user, const owi_point *point)
{
    double *worst = user;
    for (size_t row = 0; row < n_rows; row++) {
        const double distance = owi_point_distance(point, row);
        const double error = fabs(owi_point_square(point, row) - distance * distance);
        *worst = fmax(*worst, error / point->error);
    }
    return OW_OK;
}

static void the_product_is_within_its_bound(void **state)
{
    static float rows[n_rows * width];
    owi_near_rows known;
    owi_rng rng;
    double worst = 0.0;
    owi_rng_init(&rng, 6, 0);
    draw(&rng, n_rows * width, 3.0, rows);
    how.threads = 1;
    assert_ok(owi_near_rows_init(&known, ow_test_call(ow_test_context(state), NULL),
                                 owi_backend_find("cpu"), n_rows, width, rows));
    assert_ok(owi_near_rows_visit(ow_test_call(known.ctx, &how), &known, n_rows, rows,
                                  check_bound, &worst));
    assert_true(worst > 0.0 && worst < 1.0);
    owi_near_rows_clear(&known);
}

static ow_status fail_at_three(void *user, const owi_point *point)
{
    (void)user;
    return point->index == 3 ? OW_ERR_NUMERIC : OW_OK;
}

static void a_failing_body_ends_the_visit(void **state)
{
    const float rows[] = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f};
    owi_near_rows known;
    assert_ok(owi_near_rows_init(&known, ow_test_call(ow_test_context(state), NULL),
                                 owi_backend_find("cpu"), 5, 1, rows));
    assert_status(owi_near_rows_visit(ow_test_call(known.ctx, &how), &known, 5, rows,
                                      fail_at_three, NULL),
                  OW_ERR_NUMERIC);
    owi_near_rows_clear(&known);
}

static ow_status visit_nothing(void *user, const owi_point *point)
{
    (void)user;
    (void)point;
    return OW_OK;
}

static ow_status make_and_visit(ow_context *ctx, void *user)
{
    const float rows[] = {0.0f, 1.0f, 2.0f, 3.0f};
    owi_near_rows known;
    (void)user;
    ow_status status = owi_near_rows_init(&known, ow_test_call(ctx, NULL),
                                          owi_backend_find("cpu"), 2, 2, rows);
    if (status != OW_OK) return status;
    status = owi_near_rows_visit(ow_test_call(known.ctx, &how), &known, 2, rows,
                                 visit_nothing, NULL);
    owi_near_rows_clear(&known);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    ow_test_sweep(make_and_visit, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(the_nearest_rows_are_those_of_all_distances),
        ow_test_on_heap(rows_far_from_zero_do_not_cancel),
        ow_test_on_heap(rows_that_do_not_count_are_passed_over),
        ow_test_on_heap(the_product_is_within_its_bound),
        ow_test_on_heap(a_failing_body_ends_the_visit),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("explain/near_rows", tests, NULL, NULL);
}
