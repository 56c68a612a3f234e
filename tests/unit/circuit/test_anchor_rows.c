/* SPDX-License-Identifier: MIT */
/* Rows near known ones: what a whole product makes of them, whoever is asked for beside
 * them. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_networks.h"

#include "backend/backend.h"
#include "circuit/pass/anchor_rows.h"
#include "support/test_call.h"

/* How everything here is called. */
static ow_call how = {.size = sizeof how};

enum { d = 40, C = 4, n = 74 };

static ow_circuit *plain_circuit(ow_context *ctx, ow_structure structure, size_t depth)
{
    static ow_leaf leaves[d];
    for (size_t j = 0; j < d; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = structure,
                                  .n_columns = d,
                                  .n_classes = C,
                                  .depth = depth == ow_tree_depth ? 0 : depth,
                                  .parents =
                                      depth == ow_tree_depth ? ow_tree_parents(d) : NULL,
                                  .repetitions = 3,
                                  .sums = 4,
                                  .inputs = 7,
                                  .variance = 0.7,
                                  .seed = 5,
                                  .leaves = leaves};
    return ow_random_circuit(ctx, &spec, 9);
}

/* Every row moves in three columns of its own, some rows in none. */
static void move_some(const float *from, float *to)
{
    memcpy(to, from, n * d * sizeof *to);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3 && i % 5 != 0; k++)
            to[i * d + (i * 7 + k * 11) % d] += 0.25f * (float)(k + 1);
}

/* The gradient of log S(x given y) - log S(x given other). */
static void fill_factors(double *factor)
{
    memset(factor, 0, n * C * sizeof *factor);
    for (size_t i = 0; i < n; i++) {
        factor[i * C + i / 20 % C] = 1.0;
        factor[i * C + (i / 20 + 1) % C] = -1.0;
    }
}

/* In tiles, near a base or, NULL, not. */
static ow_status differentiate(ow_evaluator *evaluator, const owi_anchor_rows *base,
                               size_t n_rows, const float *rows, const ow_mix *mix,
                               double *log_class, float *gradient)
{
    const owi_row_request asked = {
        .n_rows = n_rows, .rows = rows, .in_tiles = true, .base = base};
    return owi_differentiate_rows(ow_test_call(evaluator->circuit->ctx, &how), evaluator,
                                  asked, 1, mix, log_class, gradient);
}

static ow_status evaluate(ow_evaluator *evaluator, const owi_anchor_rows *base,
                          size_t n_rows, const float *rows, double *log_class)
{
    const owi_row_request asked = {
        .n_rows = n_rows, .rows = rows, .in_tiles = true, .base = base};
    return owi_evaluate_rows(ow_test_call(evaluator->circuit->ctx, &how), evaluator, asked,
                             log_class);
}

static void rows_near_a_base_are_worth_what_they_are_worth(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static float moved[n * d], want[n * d], got[n * d];
    static double factor[n * C], want_log[n * C], got_log[n * C];
    float *known = ow_random_floats(n * d, 0.0, 3);
    const ow_mix mix = {factor, 0.0};
    move_some(known, moved);
    fill_factors(factor);
    for (int structure = OW_STRUCTURE_PER_CLASS; structure <= OW_STRUCTURE_SHARED;
         structure++)
        for (size_t depth = 0; depth <= ow_tree_depth; depth = ow_next_depth(depth, 2))
            for (size_t b = 0; owi_backend_get(b) != NULL; b++) {
                ow_circuit *circuit = plain_circuit(ctx, (ow_structure)structure, depth);
                ow_evaluator *evaluator = NULL;
                owi_anchor_rows *base = NULL;
                assert_ok(ow_evaluator_new(circuit, owi_backend_get(b)->name, &evaluator));
                assert_ok(owi_anchor_rows_new(ow_test_call(evaluator->circuit->ctx, &how),
                                              evaluator, n, known, &base));
                assert_non_null(base);
                assert_ok(differentiate(evaluator, NULL, n, moved, &mix, want_log, want));
                assert_ok(differentiate(evaluator, base, n, moved, &mix, got_log, got));
                assert_close(got_log, want_log, (size_t)n * C, 2e-6);
                for (size_t i = 0; i < n * d; i++) {
                    const double a = (double)got[i], e = (double)want[i];
                    assert_close(&a, &e, 1, 2e-4);
                }
                for (size_t i = 0; i < n; i += 5) /* those that have not moved */
                    assert_memory_equal(got_log + i * C, want_log + i * C,
                                        C * sizeof *got_log);
                memset(got_log, 0, sizeof got_log);
                assert_ok(evaluate(evaluator, base, n, moved, got_log));
                assert_close(got_log, want_log, (size_t)n * C, 2e-6);
                owi_anchor_rows_free(base);
                ow_evaluator_free(evaluator);
                ow_circuit_free(circuit);
            }
    free(known);
}

/* One row after the other leaves its base; nothing about the others changes. */
static void a_row_does_not_depend_on_where_the_others_are(void **state)
{
    ow_context *ctx = ow_test_context(state);
    static float moved[n * d], rows[n * d], want[n * d], got[n * d];
    static double factor[n * C], want_log[n * C], got_log[n * C];
    float *known = ow_random_floats(n * d, 0.0, 3);
    const ow_mix mix = {factor, 0.0};
    ow_circuit *circuit = plain_circuit(ctx, OW_STRUCTURE_PER_CLASS, 1);
    ow_evaluator *evaluator = NULL;
    owi_anchor_rows *base = NULL;
    move_some(known, moved);
    fill_factors(factor);
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(owi_anchor_rows_new(ow_test_call(evaluator->circuit->ctx, &how), evaluator, n,
                                  known, &base));
    assert_ok(differentiate(evaluator, base, n, moved, &mix, want_log, want));
    for (size_t i = 1; i < n; i += 9) {
        memcpy(rows, known, sizeof rows);
        memcpy(rows + i * d, moved + i * d, d * sizeof *rows);
        assert_ok(differentiate(evaluator, base, n, rows, &mix, got_log, got));
        assert_memory_equal(got_log + i * C, want_log + i * C, C * sizeof *got_log);
        assert_memory_equal(got + i * d, want + i * d, d * sizeof *got);
    }
    owi_anchor_rows_free(base);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    free(known);
}

/* A million parameters: workers share even a tile's rows.  One row alone, all of them, on
 * any number of threads, near a base or not. */
static void rows_of_a_large_circuit_are_shared_and_come_out_the_same(void **state)
{
    enum { width = 4096, n_classes = 4, n_rows = 37 };
    ow_context *ctx = ow_test_context(state);
    static ow_leaf leaves[width];
    static float rows[n_rows * width];
    static double whole[n_rows * n_classes], got[n_rows * n_classes],
        near[n_rows * n_classes];
    for (size_t j = 0; j < width; j++)
        leaves[j] = (ow_leaf){.kind = OW_LEAF_GAUSSIAN, .group = j};
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .structure = OW_STRUCTURE_PER_CLASS,
                                  .n_columns = width,
                                  .n_classes = n_classes,
                                  .depth = 1,
                                  .repetitions = 16,
                                  .sums = 2,
                                  .inputs = 4,
                                  .variance = 1.0,
                                  .leaves = leaves};
    ow_circuit *circuit = ow_random_circuit(ctx, &spec, 2);
    ow_evaluator *evaluator = NULL;
    float *known = ow_random_floats(n_rows * width, 0.0, 3);
    memcpy(rows, known, sizeof rows);
    for (size_t i = 0; i < n_rows; i++) rows[i * width + i] += 0.5f;
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_int_equal(owi_evaluator_chunk_rows(evaluator, n_rows, false),
                     owi_evaluator_chunk);
    assert_int_equal(owi_evaluator_chunk_rows(evaluator, n_rows, true), 19);
    assert_int_equal(owi_evaluator_chunk_rows(evaluator, 1, true), owi_lane_group);
    assert_int_equal(owi_evaluator_chunk_rows(evaluator, 129, true), owi_evaluator_chunk);
    assert_ok(evaluate(evaluator, NULL, n_rows, rows, whole));
    for (size_t threads = 1; threads <= 5; threads += 2) {
        owi_anchor_rows *base = NULL;
        how.threads = threads;
        assert_ok(evaluate(evaluator, NULL, n_rows, rows, got));
        assert_memory_equal(got, whole, sizeof whole);
        assert_ok(owi_anchor_rows_new(ow_test_call(evaluator->circuit->ctx, &how),
                                      evaluator, n_rows, known, &base));
        assert_ok(evaluate(evaluator, base, n_rows, rows, threads == 1 ? near : got));
        assert_close(near, whole, (size_t)n_rows * n_classes, 2e-6);
        if (threads > 1) assert_memory_equal(got, near, sizeof near);
        owi_anchor_rows_free(base);
    }
    for (size_t i = 0; i < n_rows; i += 6) {
        assert_ok(evaluate(evaluator, NULL, 1, rows + i * width, got));
        assert_memory_equal(got, whole + n_classes * i, n_classes * sizeof *got);
    }
    how.threads = 0;
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    free(known);
}

static void there_is_no_base_with_a_gap(void **state)
{
    ow_circuit *circuit = plain_circuit(ow_test_context(state), OW_STRUCTURE_PER_CLASS, 1);
    ow_evaluator *evaluator = NULL;
    owi_anchor_rows *base = NULL;
    float *known = ow_random_floats(n * d, 0.0, 3);
    known[(n - 1) * d + 3] = NAN;
    assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
    assert_ok(owi_anchor_rows_new(ow_test_call(evaluator->circuit->ctx, &how), evaluator, n,
                                  known, &base));
    assert_null(base);
    known[5] = INFINITY;
    assert_fails(owi_anchor_rows_new(ow_test_call(evaluator->circuit->ctx, &how), evaluator,
                                     n, known, &base),
                 OW_ERR_NUMERIC, "row 1");
    assert_null(base);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    free(known);
}

static ow_status make(ow_context *ctx, void *user)
{
    static const ow_leaf leaves[2] = {{.kind = OW_LEAF_GAUSSIAN, .group = 0},
                                      {.kind = OW_LEAF_GAUSSIAN, .group = 1}};
    const float *known = user;
    const ow_circuit_spec spec = {.size = sizeof(ow_circuit_spec),
                                  .leaves = leaves,
                                  .n_columns = 2,
                                  .n_classes = 2,
                                  .repetitions = 1,
                                  .sums = 1,
                                  .inputs = 2,
                                  .variance = 1.0};
    ow_circuit *circuit = NULL;
    ow_evaluator *evaluator = NULL;
    owi_anchor_rows *base = NULL;
    ow_status status = ow_circuit_new(ctx, &spec, &circuit);
    if (status == OW_OK) status = ow_evaluator_new(circuit, "ref", &evaluator);
    if (status == OW_OK)
        status = owi_anchor_rows_new(ow_test_call(evaluator->circuit->ctx, &how), evaluator,
                                     3, known, &base);
    owi_anchor_rows_free(base);
    ow_evaluator_free(evaluator);
    ow_circuit_free(circuit);
    return status;
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    float known[6] = {0.5f, 1.0f, -1.0f, 2.0f, 0.0f, 0.25f};
    ow_test_sweep(make, known);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ow_test_on_heap(rows_near_a_base_are_worth_what_they_are_worth),
        ow_test_on_heap(a_row_does_not_depend_on_where_the_others_are),
        ow_test_on_heap(rows_of_a_large_circuit_are_shared_and_come_out_the_same),
        ow_test_on_heap(there_is_no_base_with_a_gap),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("circuit/anchor_rows", tests, NULL, NULL);
}
