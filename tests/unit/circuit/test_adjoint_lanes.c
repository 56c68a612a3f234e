/* SPDX-License-Identifier: MIT */
/* Lanes that concern a class, moved together: there and back, and through a whole
 * gradient. */
#include "support/ow_test.h"
#include "support/random_circuits.h"
#include "support/tiny_circuits.h"

#include "circuit/pass/adjoint_lanes.h"

enum { L = owi_tile_lanes, d = ow_tiny_columns, C = 3, n = 60 };

static void lanes_come_together_and_go_back(void **state)
{
    (void)state;
    enum { n_entries = 4 };
    static float seed[2 * L], from[n_entries * L], packed[n_entries * L],
        back[n_entries * L];
    seed[3] = 1.0f;
    seed[L + 17] = -0.5f;
    seed[L + 63] = 1e-30f;
    for (size_t i = 0; i < n_entries * L; i++) {
        from[i] = (float)i + 1.0f;
        packed[i] = 99.0f;
    }
    const owi_adjoint_lanes seeded = owi_find_adjoint_lanes(2, seed);
    assert_int_equal(seeded.n, 3);
    owi_pack_lanes(&seeded, n_entries, from, packed);
    for (size_t i = 0; i < n_entries; i++) {
        assert_true(packed[i * L] == from[i * L + 3]);
        assert_true(packed[i * L + 1] == from[i * L + 17]);
        assert_true(packed[i * L + 2] == from[i * L + 63]);
        for (size_t s = 3; s < owi_lane_group; s++) assert_true(packed[i * L + s] == 0.0f);
    }
    owi_unpack_lanes(&seeded, n_entries, packed, back);
    for (size_t i = 0; i < n_entries * L; i++) {
        const size_t lane = i % L;
        const bool own = lane == 3 || lane == 17 || lane == 63;
        assert_true(back[i] == (own ? from[i] : 0.0f));
    }
}

/* A few rows have seeds for two classes; then all other rows have some for all, so that
 * nothing can be left out. */
static void gradients_are_the_same_bytes_with_all_lanes(void **state)
{
    (void)state;
    ow_tiny_rows rows = ow_tiny_rows_new(n, C, 0.0, 2);
    static double few[n * C], all[n * C], log_class[n * C];
    static float want[n * d], got[n * d];
    const ow_mix few_mix = {few, 0.0}, all_mix = {all, 0.0};
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < C; c++) {
            few[i * C + c] = i % 7 == 0 && c != i % C ? (double)c - 0.7 : 0.0;
            all[i * C + c] = i % 7 == 0 ? few[i * C + c] : 1.0;
        }
    for (size_t depth = 0; depth <= 2; depth++) {
        ow_context *ctx = NULL;
        ow_evaluator *evaluator = NULL;
        const ow_circuit_spec spec = ow_tiny_spec(OW_STRUCTURE_PER_CLASS, depth, C);
        assert_ok(ow_context_new(NULL, &ctx));
        ow_circuit *circuit = ow_random_circuit(ctx, &spec, 40 + depth);
        assert_ok(ow_evaluator_new(circuit, NULL, &evaluator));
        assert_ok(ow_evaluator_differentiate(evaluator, n, rows.rows, 1, &all_mix, NULL,
                                             log_class, want));
        assert_ok(ow_evaluator_differentiate(evaluator, n, rows.rows, 1, &few_mix, NULL,
                                             log_class, got));
        for (size_t i = 0; i < n; i++) {
            if (i % 7 == 0) assert_memory_equal(got + i * d, want + i * d, d * sizeof *got);
            for (size_t j = 0; j < d && i % 7 != 0; j++)
                assert_true(got[i * d + j] == 0.0f);
        }
        ow_evaluator_free(evaluator);
        ow_circuit_free(circuit);
        ow_context_free(ctx);
    }
    ow_tiny_rows_free(&rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_come_together_and_go_back),
        cmocka_unit_test(gradients_are_the_same_bytes_with_all_lanes),
    };
    return cmocka_run_group_tests_name("circuit/adjoint_lanes", tests, NULL, NULL);
}
