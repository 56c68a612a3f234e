/* SPDX-License-Identifier: MIT */
/* The oracle itself, on cases small enough to be done by hand or by adding up in linear
 * space. */
#include "support/ow_test.h"

#include "backend/backend.h"

static const owi_backend *ref(void)
{
    return owi_backend_find("ref");
}

static const owi_batch one_row = {1, 1, 0};

static void assert_floats(const float *got, const double *want, size_t n, double tolerance)
{
    for (size_t i = 0; i < n; i++) {
        const double value = got[i];
        assert_close(&value, want + i, 1, tolerance);
    }
}

/* --- Leaves --- */

/* Two regions over three features: {2, 0} and {1}; two components each; two rows as one
 * tile. */
enum { n_theta = 6 };
static const uint32_t scope_start[] = {0, 2, 3}, scope[] = {2, 0, 1};
static const owi_leaf_shape leaves = {2, 2, 3, scope_start, scope, NULL};
static const owi_batch two_rows = {1, 2, 0};
static const float theta[n_theta] = {1, 2, 3,
                                     4, 5, 6}; /* region 0: (1,2), (3,4); 1: (5), (6) */
static const float features[] = {1, 10, 2, 20, 3, 30}; /* feature by feature, two rows */

static void leaves_are_linear_in_the_features_of_their_scope(void **state)
{
    (void)state;
    const float bias[] = {0.5f, 1.5f, 2.5f, 3.5f};
    float log_value[8];
    /* Row 0: x = (1, 2, 3), so region 0 sees (3, 1); row 1 is ten times that. */
    const double want[] = {0.5 + 5,  0.5 + 50,  1.5 + 13, 1.5 + 130,
                           2.5 + 10, 2.5 + 100, 3.5 + 12, 3.5 + 120};

    ref()->leaf_forward(ref(), &leaves, two_rows, theta, bias, features, log_value);
    assert_floats(log_value, want, 8, 0.0);
    ref()->leaf_forward(ref(), &leaves, two_rows, theta, NULL, features, log_value);
    for (size_t i = 0; i < 8; i++) {
        const double twice = 2.0 * want[i] - bias[i / 2];
        assert_floats(log_value + i, &twice, 1, 0.0);
    }
}

static void flow_at_the_leaves_reaches_every_feature_of_their_scope(void **state)
{
    (void)state;
    const float flow[] = {1, 0, 2, 0,
                          0, 1, 0, -1}; /* row 0: 1, 2, 0, 0; row 1: 0, 0, 1, -1 */
    float d_features[6] = {100, 0, 0, 0, 0, 0};
    const double want[] = {100 + 2 + 2 * 4, 0, 0, 5 - 6, 1 + 2 * 3, 0};

    ref()->leaf_backward(ref(), &leaves, two_rows, theta, flow, d_features);
    assert_floats(d_features, want, 6, 0.0);
}

static void statistics_add_up_flow_times_feature_over_rows(void **state)
{
    (void)state;
    const float flow[] = {1, 2, 3, 4, 5, 6, 7, 8};
    float statistic[n_theta] = {1000}, total[4] = {0};
    const double want[] = {1000 + 3 + 60, 1 + 20, 9 + 120, 3 + 40, 10 + 120, 14 + 160};
    const double want_total[] = {3, 7, 11, 15};

    ref()->leaf_statistics(ref(), &leaves, two_rows, flow, features, statistic, total);
    assert_floats(statistic, want, n_theta, 0.0);
    assert_floats(total, want_total, 4, 0.0);
}

/* --- Sums --- */

static void values_are_relative_to_the_largest_of_their_region(void **state)
{
    (void)state;
    float log_value[] = {-700.0f, -701.0f, -INFINITY, -INFINITY}, value[4], top[2];
    const owi_layer_values layer = {log_value, value, top};
    const double want_value[] = {1.0, exp(-1.0), 0.0, 0.0};
    const double want_top[] = {-700.0, -INFINITY};

    ref()->normalize(ref(), 2, 2, one_row, &layer);
    assert_floats(value, want_value, 4, 1e-7);
    assert_floats(top, want_top, 2, 0.0);
}

/* One region with two sums over two children of two components. */
typedef struct {
    float log_value[4], value[4], top[2], linear[8], log[8];
    float out_log_value[2], out_value[2], out_top;
} pair_case;

static const owi_sum_shape two_sums = {1, 2, 2};

static owi_layer_values below(pair_case *c)
{
    const owi_layer_values layer = {c->log_value, c->value, c->top};
    ref()->normalize(ref(), 2, 2, one_row, &layer);
    return layer;
}

/* Weights of two blocks, and log-values shifted by offset. */
static void fill_pairs(pair_case *c, double offset)
{
    static const float weight[] = {0.1f, 0.2f, 0.3f, 0.4f, 0.7f, 0.0f, 0.0f, 0.3f};
    static const double log_value[] = {-1.0, -2.0, -0.5, -3.0};
    for (size_t i = 0; i < 8; i++) c->linear[i] = weight[i];
    for (size_t i = 0; i < 8; i++) c->log[i] = logf(weight[i]);
    for (size_t i = 0; i < 4; i++) c->log_value[i] = (float)(log_value[i] + offset);
}

/* Pair i, j of block b where nothing underflows. */
static double pair_term(const pair_case *c, size_t b, size_t i, size_t j)
{
    return c->linear[4 * b + 2 * i + j] *
           exp((double)c->log_value[i] + c->log_value[2 + j]);
}

static void run_sums(pair_case *c)
{
    const owi_layer_values in = below(c);
    const owi_layer_values out = {c->out_log_value, c->out_value, &c->out_top};
    ref()->sum_forward(ref(), &two_sums, one_row, (owi_weights){c->linear, c->log}, &in,
                       &out, NULL);
}

static void a_sum_is_the_mixture_of_all_pairs_in_linear_space(void **state)
{
    (void)state;
    pair_case c;
    double want[2] = {0.0, 0.0};

    fill_pairs(&c, 0.0);
    run_sums(&c);
    for (size_t b = 0; b < 2; b++) {
        for (size_t i = 0; i < 2; i++)
            for (size_t j = 0; j < 2; j++) want[b] += pair_term(&c, b, i, j);
        want[b] = log(want[b]);
    }
    assert_floats(c.out_log_value, want, 2, 1e-6);
    const double top = fmax(want[0], want[1]);
    const double want_value[] = {exp(want[0] - top), exp(want[1] - top)};
    assert_floats(&c.out_top, &top, 1, 1e-6);
    assert_floats(c.out_value, want_value, 2, 1e-6);
}

static void densities_far_below_the_range_of_floats_survive(void **state)
{
    (void)state;
    pair_case near, far;

    fill_pairs(&near, 0.0);
    fill_pairs(&far, -2000.0);
    run_sums(&near);
    run_sums(&far);
    const double want[] = {near.out_log_value[0] - 4000.0, near.out_log_value[1] - 4000.0};
    assert_floats(far.out_log_value, want, 2, 1e-7);
}

static void impossible_evidence_is_minus_infinity_and_nothing_flows_through_it(void **state)
{
    (void)state;
    pair_case c;
    const float flow_out[] = {1.0f, 1.0f};
    const double impossible[] = {-INFINITY, -INFINITY}, nothing[4] = {0};
    float flow_in[4], statistic[8] = {0};

    fill_pairs(&c, 0.0);
    c.log_value[0] = c.log_value[1] = -INFINITY;
    run_sums(&c);
    assert_floats(c.out_log_value, impossible, 2, 0.0);
    const owi_layer_values in = below(&c);
    ref()->sum_backward(ref(), &two_sums, one_row, (owi_weights){c.linear, c.log}, &in,
                        flow_out, flow_in, statistic, NULL);
    assert_floats(flow_in, nothing, 4, 0.0);
    for (size_t i = 0; i < 8; i++) assert_true(statistic[i] == 0.0f);
}

static void flow_is_shared_out_in_proportion_to_the_pairs(void **state)
{
    (void)state;
    pair_case c;
    const float flow_out[] = {2.0f, -1.0f};
    double want[4] = {0}, want_statistic[8];
    float flow_in[4], statistic[8] = {0};

    fill_pairs(&c, 0.0);
    run_sums(&c);
    const owi_layer_values in = below(&c);
    ref()->sum_backward(ref(), &two_sums, one_row, (owi_weights){c.linear, c.log}, &in,
                        flow_out, flow_in, statistic, NULL);
    for (size_t b = 0; b < 2; b++) {
        double sum = 0.0;
        for (size_t k = 0; k < 4; k++) sum += pair_term(&c, b, k / 2, k % 2);
        for (size_t k = 0; k < 4; k++) {
            const double share = flow_out[b] * pair_term(&c, b, k / 2, k % 2) / sum;
            want[k / 2] += share;
            want[2 + k % 2] += share;
            want_statistic[4 * b + k] = share;
        }
    }
    assert_floats(flow_in, want, 4, 1e-6);
    assert_floats(statistic, want_statistic, 8, 1e-6);
}

/* --- Roots --- */

/* Two classes, two partitions, one component a region: every pair is one number. */
static void run_roots(size_t class_stride, size_t n_regions, double *log_root,
                      float *flow_in)
{
    float log_value[] = {-1, -2, -3, -4, -5, -6, -7, -8}, value[8], top[8];
    const float linear[] = {0.25f, 0.75f, 0.5f, 0.5f}, seed[] = {1.0f, -3.0f};
    float log_weight[4];
    for (size_t i = 0; i < 4; i++) log_weight[i] = logf(linear[i]);
    const owi_weights weights = {linear, log_weight};
    const owi_layer_values in = {log_value, value, top};
    const owi_root_shape shape = {
        .n_classes = 2, .n_partitions = 2, .class_stride = class_stride, .n_components = 1};

    ref()->normalize(ref(), n_regions, 1, one_row, &in);
    ref()->root_forward(ref(), &shape, one_row, weights, &in, log_root, NULL);
    ref()->root_backward(ref(), &shape, one_row, weights, &in, log_root, seed, flow_in,
                         NULL, NULL);
}

static void classes_share_partitions_or_have_their_own(void **state)
{
    (void)state;
    double log_root[2];
    float flow_in[8];

    /* Shared: both classes see the pairs (-1, -2) and (-3, -4). */
    const double shared[] = {log(0.25 * exp(-3.0) + 0.75 * exp(-7.0)),
                             log(0.5 * exp(-3.0) + 0.5 * exp(-7.0))};
    run_roots(0, 4, log_root, flow_in);
    assert_close(log_root, shared, 2, 1e-7);
    const double first = 0.25 * exp(-3.0 - shared[0]) - 3.0 * 0.5 * exp(-3.0 - shared[1]);
    const double want[] = {first, first, 1.0 - 3.0 - first, 1.0 - 3.0 - first};
    assert_floats(flow_in, want, 4, 1e-6);

    /* Own: the second class sees (-5, -6) and (-7, -8). */
    const double own[] = {shared[0], log(0.5 * exp(-11.0) + 0.5 * exp(-15.0))};
    run_roots(2, 8, log_root, flow_in);
    assert_close(log_root, own, 2, 1e-7);
    const double flow[] = {0.25 * exp(-3.0 - own[0]), -3.0 * 0.5 * exp(-11.0 - own[1])};
    const double want_own[] = {flow[0], flow[0], 1.0 - flow[0],  1.0 - flow[0],
                               flow[1], flow[1], -3.0 - flow[1], -3.0 - flow[1]};
    assert_floats(flow_in, want_own, 8, 1e-6);
}

static void a_root_of_depth_0_is_a_plain_mixture(void **state)
{
    (void)state;
    float log_value[] = {-1.0f, -2.0f, -3.0f}, value[3], top[1], flow_in[3],
          statistic[3] = {0};
    const float linear[] = {0.5f, 0.3f, 0.2f}, seed[] = {2.0f};
    const float log_weight[] = {logf(0.5f), logf(0.3f), logf(0.2f)};
    const owi_layer_values in = {log_value, value, top};
    const owi_weights weights = {linear, log_weight};
    const owi_root_shape shape = {
        .n_classes = 1, .n_partitions = 1, .n_components = 3, .single = true};
    const double terms[] = {0.5 * exp(-1.0), 0.3 * exp(-2.0), 0.2 * exp(-3.0)};
    const double sum = terms[0] + terms[1] + terms[2], want = log(sum);
    const double flow[] = {2 * terms[0] / sum, 2 * terms[1] / sum, 2 * terms[2] / sum};
    double log_root;

    ref()->normalize(ref(), 1, 3, one_row, &in);
    ref()->root_forward(ref(), &shape, one_row, weights, &in, &log_root, NULL);
    assert_close(&log_root, &want, 1, 1e-7);
    ref()->root_backward(ref(), &shape, one_row, weights, &in, &log_root, seed, flow_in,
                         statistic, NULL);
    assert_floats(flow_in, flow, 3, 1e-6);
    assert_floats(statistic, flow, 3, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaves_are_linear_in_the_features_of_their_scope),
        cmocka_unit_test(flow_at_the_leaves_reaches_every_feature_of_their_scope),
        cmocka_unit_test(statistics_add_up_flow_times_feature_over_rows),
        cmocka_unit_test(values_are_relative_to_the_largest_of_their_region),
        cmocka_unit_test(a_sum_is_the_mixture_of_all_pairs_in_linear_space),
        cmocka_unit_test(densities_far_below_the_range_of_floats_survive),
        cmocka_unit_test(
            impossible_evidence_is_minus_infinity_and_nothing_flows_through_it),
        cmocka_unit_test(flow_is_shared_out_in_proportion_to_the_pairs),
        cmocka_unit_test(classes_share_partitions_or_have_their_own),
        cmocka_unit_test(a_root_of_depth_0_is_a_plain_mixture),
    };
    return cmocka_run_group_tests_name("backend/ref_kernels", tests, NULL, NULL);
}
