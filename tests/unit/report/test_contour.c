/* SPDX-License-Identifier: MIT */
/* Lines of equal height. */
#include "support/ow_test.h"

#include "base/memory/alloc.h"
#include "report/contour.h"

static char *path_of(ow_context *ctx, size_t n_x, size_t n_y, const double *heights,
                     double level)
{
    const owi_height_map map = {
        n_x, n_y, heights, 0.0, 0.0, (double)(n_x - 1), (double)(n_y - 1)};
    owi_markup markup;
    char *text = NULL;
    owi_markup_begin(&markup, ctx);
    owi_contour_path(&markup, &map, level);
    assert_ok(owi_markup_end(&markup, &text, NULL));
    return text;
}

static void assert_path(ow_context *ctx, size_t n_x, size_t n_y, const double *heights,
                        double level, const char *want)
{
    char *text = path_of(ctx, n_x, n_y, heights, level);
    assert_string_equal(text, want);
    ow_bytes_free(text);
}

static void a_slope_is_cut_straight_across(void **state)
{
    const double slope[] = {0, 1, 0, 1};
    assert_path(ow_test_context(state), 2, 2, slope, 0.5, "M0.5 1.0L0.5 0.0");
    assert_path(ow_test_context(state), 2, 2, slope, 2.0, "");
}

/* Corners 0 and 2 are high, and so is the middle: the low corners are cut off, each by
 * itself. */
static void a_saddle_is_decided_by_its_middle(void **state)
{
    const double high[] = {3, 0, 0, 3}, low[] = {1.2, 0, 0, 1.2};
    assert_path(ow_test_context(state), 2, 2, high, 1.0,
                "M0.7 1.0L1.0 0.7M0.3 0.0L0.0 0.3");
    assert_path(ow_test_context(state), 2, 2, low, 1.0, "M0.0 0.8L0.2 1.0M1.0 0.2L0.8 0.0");
}

/* Every point of the line around a cone lies on the circle. */
static void a_cone_has_circles(void **state)
{
    enum { n = 41 };
    ow_context *ctx = ow_test_context(state);
    double heights[n * n];
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) heights[y * n + x] = -hypot(x - 20, y - 20);
    char *text = path_of(ctx, n, n, heights, -10.0);
    size_t n_points = 0;
    for (char *at = text; *at != '\0'; n_points++) {
        char *rest;
        const double x = strtod(at + 1, &rest), y = strtod(rest, &rest);
        assert_true(fabs(hypot(x - 20, y - 20) - 10.0) < 0.1);
        at = rest;
    }
    assert_true(n_points > 60);
    ow_bytes_free(text);
}

static void impossible_places_are_below_every_level(void **state)
{
    const double heights[] = {-INFINITY, 1, NAN, 1};
    char *text = path_of(ow_test_context(state), 2, 2, heights, 0.0);
    assert_non_null(strstr(text, "M"));
    ow_bytes_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(a_slope_is_cut_straight_across),
        ow_test_on_heap(a_saddle_is_decided_by_its_middle),
        ow_test_on_heap(a_cone_has_circles),
        ow_test_on_heap(impossible_places_are_below_every_level),
    };
    return cmocka_run_group_tests_name("report/contour", tests, NULL, NULL);
}
