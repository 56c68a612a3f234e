/* SPDX-License-Identifier: MIT */
/* Boxes: what the constraints make of rows, worked out once. */
#include "support/explain_fixture.h"

#include "base/numeric/rng.h"
#include "data/schema/encode_private.h"
#include "explain/constraints/boxes.h"
#include "explain/constraints/simplex_lanes.h"

enum { n_rows = 60, most_levels = 40 };

static const char *const rule_sets[] = {
    "", "immutable age", "range income=20:30; monotone age=up; allow town=Bonn|Celle",
    "vary school; vary debt"};

/* One row by what the constraints say of each column, nothing worked out before. */
static void project_plainly(const ow_constraints *constraints, const ow_model *model,
                            const double *values, const float *query, bool whole,
                            float *row)
{
    for (size_t j = 0; j < ow_schema_n_columns(constraints->schema); j++) {
        const owi_soft_column soft = owi_soft_column_of(model, j);
        const owi_limits limits = owi_limits_of(constraints, j);
        float *x = row + soft.first, bar[most_levels];
        double low, high;
        if (limits.frozen || isnan(values[j])) {
            memcpy(x, query + soft.first, soft.width * sizeof *x);
        } else if (!soft.has_shares) {
            owi_limits_interval(&limits, values[j], &low, &high);
            if (!(low <= high)) low = high = values[j];
            low = owi_encode_number(model->plan.encoding, j, fmin(low, values[j]));
            high = owi_encode_number(model->plan.encoding, j, fmax(high, values[j]));
            *x = (double)*x < low ? (float)low : (double)*x > high ? (float)high : *x;
        } else if (whole) {
            assert_true(soft.width <= most_levels);
            for (size_t k = 0; k < soft.width; k++)
                bar[k] =
                    k == owi_soft_index(model, &soft, values[j]) ||
                            owi_permits(&limits, values[j], owi_soft_value(model, &soft, k))
                        ? INFINITY
                        : -INFINITY;
            owi_project_to_simplex(soft.width, bar, x);
        }
    }
}

static owi_rules compile(const ow_test_model *m, const ow_constraints *constraints)
{
    owi_rules rules;
    assert_ok(owi_rules_init(&rules, constraints->ctx, constraints, m->model));
    return rules;
}

static void boxes_are_what_projecting_every_time_gives(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    float *soft = calloc(n_rows * width, sizeof *soft);
    float *want = calloc(n_rows * width, sizeof *want);
    float *got = calloc(n_rows * width, sizeof *got);
    owi_rng rng;
    owi_rng_init(&rng, 8, 0);
    ow_model_soften(m.model, n_rows, m.values, soft);
    for (size_t r = 0; r < sizeof rule_sets / sizeof *rule_sets; r++)
        for (int whole = 0; whole < 2; whole++) {
            ow_constraints *rules = ow_test_rules(&m, rule_sets[r]);
            owi_rules compiled = compile(&m, rules);
            owi_boxes box;
            assert_ok(owi_boxes_init(&box, ctx, &compiled, n_rows, m.values, soft, whole));
            for (size_t i = 0; i < n_rows * width; i++)
                want[i] = got[i] = soft[i] + (float)(2.0 * owi_rng_normal(&rng));
            for (size_t i = 0; i < n_rows; i++)
                project_plainly(rules, m.model, m.values + i * m.n_columns,
                                soft + i * width, whole, want + i * width);
            /* In portions, and backwards, so that rows have other neighbours than in the
             * block. */
            uint32_t which[n_rows];
            for (size_t i = 0; i < n_rows; i++) which[i] = (uint32_t)(n_rows - 1 - i);
            for (size_t first = 0, n = 1; first < n_rows; first += n, n += 5)
                owi_boxes_project(&box, n < n_rows - first ? n : n_rows - first,
                                  which + first, got);
            for (size_t i = 0; i < n_rows * width; i++) {
                const double a = (double)got[i], b = (double)want[i];
                assert_close(&a, &b, 1, 1e-6);
            }
            owi_boxes_clear(&box);
            owi_rules_clear(&compiled);
            ow_constraints_free(rules);
        }
    free(soft);
    free(want);
    free(got);
    ow_test_model_free(&m);
}

/* Rows with gaps among them, which are projected by themselves. */
static void a_row_comes_out_the_same_in_any_company(void **state)
{
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    float *soft = calloc(n_rows * width, sizeof *soft);
    float *alone = calloc(n_rows * width, sizeof *alone);
    float *together = calloc(n_rows * width, sizeof *together);
    ow_constraints *rules = ow_test_rules(&m, "allow town=Bonn|Celle");
    uint32_t which[n_rows];
    owi_rules compiled = compile(&m, rules);
    owi_boxes box;
    owi_rng rng;
    owi_rng_init(&rng, 9, 0);
    ow_model_soften(m.model, n_rows, m.values, soft);
    assert_ok(owi_boxes_init(&box, ctx, &compiled, n_rows, m.values, soft, true));
    for (size_t i = 0; i < n_rows * width; i++)
        alone[i] = together[i] = soft[i] + (float)owi_rng_normal(&rng);
    for (uint32_t i = 0; i < n_rows; i++) {
        which[i] = i;
        owi_boxes_project(&box, 1, &i, alone);
    }
    owi_boxes_project(&box, n_rows, which, together);
    assert_memory_equal(alone, together, n_rows * width * sizeof *alone);
    owi_boxes_clear(&box);
    owi_rules_clear(&compiled);
    ow_constraints_free(rules);
    free(soft);
    free(alone);
    free(together);
    ow_test_model_free(&m);
}

/* Low and high, then each group: the same bytes. */
static void boxes_in_lanes_are_those_of_rows(void **state)
{
    enum { L = owi_row_lanes };
    ow_context *ctx = ow_test_context(state);
    ow_test_model m = ow_test_applicants(ctx, OW_LEAVES_AUTO);
    const size_t width = ow_model_soft_width(m.model);
    float *soft = calloc(n_rows * width, sizeof *soft);
    float *x = calloc(n_rows * width, sizeof *x);
    float *low = calloc(width * L, sizeof *low), *high = calloc(width * L, sizeof *high);
    float *lanes = calloc(width * L, sizeof *lanes),
          *moved = calloc(width * L, sizeof *moved);
    owi_rng rng;
    owi_rng_init(&rng, 10, 0);
    ow_model_soften(m.model, n_rows, m.values, soft);
    for (size_t r = 0; r < sizeof rule_sets / sizeof *rule_sets; r++) {
        ow_constraints *rules = ow_test_rules(&m, rule_sets[r]);
        owi_rules compiled = compile(&m, rules);
        owi_boxes box;
        assert_ok(owi_boxes_init(&box, ctx, &compiled, n_rows, m.values, soft, true));
        for (size_t i = 0; i < n_rows * width; i++)
            x[i] = soft[i] + (float)(2.0 * owi_rng_normal(&rng));
        for (size_t first = 0; first < n_rows; first += L) {
            const size_t n = first + L < n_rows ? L : n_rows - first;
            uint32_t which[L];
            owi_boxes_lanes(&box, first, n, low, high);
            owi_rows_to_lanes(n, width, x + first * width, lanes);
            for (size_t i = 0; i < width * L; i++)
                moved[i] = lanes[i] = lanes[i] < low[i]    ? low[i]
                                      : lanes[i] > high[i] ? high[i]
                                                           : lanes[i];
            for (size_t g = 0; g < box.n_groups; g++)
                owi_project_lanes_to_simplex(box.groups[g].width,
                                             lanes + box.groups[g].first * L,
                                             moved + box.groups[g].first * L);
            for (size_t i = 0; i < n; i++) which[i] = (uint32_t)(first + i);
            owi_boxes_project(&box, n, which, x);
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j < width; j++)
                    assert_memory_equal(&x[(first + i) * width + j], &moved[j * L + i],
                                        sizeof *x);
        }
        owi_boxes_clear(&box);
        owi_rules_clear(&compiled);
        ow_constraints_free(rules);
    }
    free(soft);
    free(x);
    free(low);
    free(high);
    free(lanes);
    free(moved);
    ow_test_model_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(boxes_are_what_projecting_every_time_gives),
        ow_test_on_heap(a_row_comes_out_the_same_in_any_company),
        ow_test_on_heap(boxes_in_lanes_are_those_of_rows),
    };
    return cmocka_run_group_tests_name("explain/boxes", tests, NULL, NULL);
}
