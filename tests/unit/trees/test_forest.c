/* SPDX-License-Identifier: MIT */
#include "trees/forest.h"

#include <float.h>

#include "base/numeric/rng.h"
#include "support/ow_test.h"

/* A float of any size, exponents included. */
static float any_float(owi_rng *rng)
{
    const uint32_t bits = owi_rng_u32(rng);
    float x;
    memcpy(&x, &bits, sizeof x);
    return isfinite(x) ? x : 0.0f;
}

static void check_float_threshold(float t, double x)
{
    assert_true((x < owi_threshold_below_float(t)) == ((float)x < t));
}

static void thresholds_of_floats_are_those_of_doubles(void **state)
{
    owi_rng rng;
    (void)state;
    owi_rng_init(&rng, 5, 0);
    for (size_t i = 0; i < 20000 * ow_test_scale(); i++) {
        const float t = any_float(&rng);
        const double T = owi_threshold_below_float(t);
        check_float_threshold(t, T);
        check_float_threshold(t, nextafter(T, -INFINITY));
        check_float_threshold(t, nextafter(T, INFINITY));
        check_float_threshold(t, (double)t);
        check_float_threshold(t, (double)any_float(&rng));
    }
}

static void extreme_thresholds_work(void **state)
{
    static const float thresholds[] = {0.0f,     -0.0f,    1e-45f,    -1e-45f, FLT_MAX,
                                       -FLT_MAX, INFINITY, -INFINITY, FLT_MIN, 16777216.0f};
    static const double values[] = {0.0,    -0.0, 1e-46,    -1e-46,       7e-46,   -7e-46,
                                    1e-45,  3e38, 3.5e38,   3.4028236e38, -3.5e38, 1e300,
                                    -1e300, 1.0,  INFINITY, -INFINITY};
    (void)state;
    for (size_t i = 0; i < sizeof thresholds / sizeof *thresholds; i++)
        for (size_t k = 0; k < sizeof values / sizeof *values; k++)
            check_float_threshold(thresholds[i], values[k]);
    assert_true(0.0 < owi_threshold_up_to(0.0));
    assert_true(2.0 < owi_threshold_up_to(2.0));
    assert_true(nextafter(2.0, 3.0) >= owi_threshold_up_to(2.0));
}

/* ---- Trees as files give them ---- */

static const owi_file_node stump[] = {
    {.split = {.feature = 1, .threshold = 2.0}, .left = 2.0, .right = 1.0},
    {.is_leaf = true, .value = 5.0},
    {.is_leaf = true, .value = -5.0},
    {.is_leaf = true, .value = NAN}, /* nobody reaches it */
};

static void trees_are_renumbered_from_left_to_right(void **state)
{
    owi_forest forest = {.ctx = ow_test_context(state), .n_features = 2, .n_groups = 1};
    const double rows[] = {9.0, 1.0, 9.0, 2.0, 9.0, NAN};
    double scores[3] = {0.0, 0.0, 100.0};
    assert_ok(owi_forest_add(&forest, 4, stump, 0));
    assert_int_equal(forest.n_leaves, 2);
    assert_true(forest.leaves[0] == -5.0 && forest.leaves[1] == 5.0);
    owi_forest_walk(&forest, 0, 1, 3, rows, scores);
    assert_close(scores, ((double[]){-5.0, 5.0, 105.0}), 3, 0.0);
    owi_forest_clear(&forest);
}

static void what_is_no_tree_is_refused(void **state)
{
    owi_forest forest = {.ctx = ow_test_context(state), .n_features = 2, .n_groups = 1};
    owi_file_node nodes[4];
    memcpy(nodes, stump, sizeof nodes);
    nodes[0].left = 0.0;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "reached twice");
    nodes[0].left = 1.0;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "reached twice");
    nodes[0].left = 4.0;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "has a child 4");
    nodes[0].left = -1.0;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "has a child -1");
    nodes[0].left = 1.5;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "has a child 1.5");
    nodes[0].left = NAN;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "has a child");
    nodes[0].left = 3.0;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "not finite");
    nodes[0].left = 2.0;
    nodes[0].split.feature = 2;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "feature 2");
    nodes[0].split.feature = 0;
    nodes[0].split.threshold = NAN;
    assert_fails(owi_forest_add(&forest, 4, nodes, 0), OW_ERR_FORMAT, "NaN");
    assert_fails(owi_forest_add(&forest, 0, nodes, 0), OW_ERR_FORMAT, "0 nodes");
    assert_int_equal(forest.n_trees, 0);
    owi_forest_clear(&forest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thresholds_of_floats_are_those_of_doubles),
        cmocka_unit_test(extreme_thresholds_work),
        ow_test_on_heap(trees_are_renumbered_from_left_to_right),
        ow_test_on_heap(what_is_no_tree_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
